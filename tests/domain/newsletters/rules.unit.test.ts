import fc from "fast-check";
import { parse } from "parse5";
import { describe, expect, test } from "vitest";
import type { MediaItem } from "#app/domain/media/schema.ts";
import { isNewsletter, newsletterMail } from "#app/domain/newsletters/rules.ts";
import type { Post } from "#app/domain/posts/schema.ts";
import { emailHtml } from "#app/integrations/mail/html-body.ts";

const picture = (id: string, alt: string): MediaItem => ({
  id,
  alt,
  kind: "image",
  contentType: "image/jpeg",
  width: 1_920,
  height: 1_080,
  filename: "",
  sizeBytes: 1,
  hasPoster: false,
  captionsVersion: 0,
});
const post = (more: Partial<Post> = {}): Post => ({
  id: "p1",
  title: "Itinerário",
  teaser: "Onde toco em março.",
  content: "Primeiro.\n\nSegundo.",
  publishedAt: 0,
  editedAt: null,
  isPinned: false,
  isSensitive: false,
  state: "published",
  likesCount: 0,
  commentsCount: 0,
  areCommentsClosed: false,
  isLiked: false,
  author: { id: "ana", name: "Ana", username: "ana", avatarMediaId: null },
  rules: [],
  plans: [],
  media: [],
  poll: null,
  access: { visible: true },
  isOwn: false,
  publishedBy: null,
  ...more,
});
const locked: Post["access"] = {
  visible: false,
  reasons: [{ kind: "subscribers" }],
  cheapestUnlock: {
    kind: "plan",
    way: { kind: "subscribe" },
    planId: "camarim",
    planName: "Camarim",
    interval: "monthly",
    amountCents: 1_990,
  },
  otherUnlocks: [],
  awayUntil: null,
};
const mail = (more: Partial<Post> = {}) =>
  newsletterMail({
    post: post(more),
    appOrigin: "https://coreto.example",
    urlOfPicture: ({ id }) => `https://coreto.example/${id}`,
    urlOfLink: (address) => address,
  });
const whole = (more: Partial<Post> = {}) => {
  const { html, body, preheader, subject, button, reason } = mail(more);
  return emailHtml({
    subject,
    body,
    html,
    preheader,
    actionUrl: "https://coreto.example/post/p1",
    actionLabel: button,
    reason,
    unsubscribeUrl: "https://coreto.example/unsubscribe",
  });
};
const bytes = (text: string) => new TextEncoder().encode(text).length;

test("a mail program shows the teaser beside the subject, or the first words", () => {
  expect(whole()).toMatch(/mso-hide:all">Onde toco em março\.</);
  expect(whole({ teaser: "" })).toMatch(/mso-hide:all">Primeiro\. Segundo\.</);
});

describe("an open post", () => {
  test("is whole, in HTML and in text, with its pictures and what they show", () => {
    const media = [picture("m1", "O palco"), picture("m2", "A plateia")];
    const { html, body } = mail({
      media,
      content: "Primeiro **forte**.\n\n![O palco](/media/m1/1280)\n\nÚltimo.",
    });
    expect(html).toContain("<p>Primeiro <strong>forte</strong>.</p>");
    expect(html).toContain(
      '<img src="https://coreto.example/m1" alt="O palco" width="512" height="288">',
    );
    expect(html).toContain(
      '<img src="https://coreto.example/m2" alt="A plateia" width="512" height="288">',
    );
    expect(html.match(/<img /g)).toHaveLength(2);
    expect(body).toContain("Primeiro **forte**.\n\n[Imagem: O palco]\n\nÚltimo.");
  });

  test("names the files that an email cannot show", () => {
    const video = { ...picture("v", ""), kind: "video" as const };
    expect(mail({ media: [video, { ...video, kind: "audio" }, video] }).body).toContain(
      "Com a publicação: 2 vídeos e 1 áudio.",
    );
  });

  test("shows no sensitive picture", () => {
    const { html, body } = mail({ isSensitive: true, media: [picture("m1", "Nu")] });
    expect(html).not.toContain("<img");
    expect(body).toContain("Há conteúdo sensível, que só aparece no Coreto.");
  });

  test("carries no HTML that its author typed", () => {
    const { html } = mail({
      title: "<script>alert(1)</script>",
      content: "<img src=x onerror=alert(1)> [a](javascript:alert(1))",
    });
    expect(html).not.toMatch(/<script|<img|href="javascript/);
  });
});

describe("a locked post", () => {
  test("says why, and the button is the cheapest way in; nothing of its text is there", () => {
    const sent = mail({ access: locked, content: null, media: [picture("m1", "")] });
    expect(sent.body).toContain("Onde toco em março.\n\nEsta publicação é de quem assina.");
    expect(sent.html).toContain("Esta publicação é de quem assina.");
    expect(sent.button.replaceAll("\u00a0", " ")).toBe("Assinar Camarim por R$ 19,90/mês");
    expect(sent.actionUrl).toContain("from=p1");
    expect(sent.html).not.toContain("<img");
  });

  test("that opens later has a button to its page", () => {
    const sent = mail({
      content: null,
      access: {
        ...locked,
        reasons: [{ kind: "opens_later", opensAt: 0 }],
        cheapestUnlock: null,
      },
    });
    expect([sent.actionUrl, sent.button]).toEqual([
      "https://coreto.example/post/p1",
      "Ver a publicação",
    ]);
  });
});

describe("the whole email", () => {
  test.each([
    ["letters", "a".repeat(20_000)],
    ["quotation marks", '"'.repeat(20_000)],
    ["paragraphs", '"&"\n\n'.repeat(4_000)],
    ["lists", "- a\n".repeat(5_000)],
    ["links", "[a](https://a.example)\n\n".repeat(900)],
    ["emoji", "🎵".repeat(10_000)],
  ])("of %s is under 100 kB, and says that there is more where it was cut", (_, content) => {
    const html = whole({ content });
    expect(bytes(html)).toBeLessThan(100_000);
    const { body, button } = mail({ content });
    const isCut = button === "Continuar lendo";
    expect(body.includes("O texto continua no Coreto.")).toBe(isCut);
  });

  test("is under 100 kB with signed addresses in place of a thousand links too", () => {
    const { html } = newsletterMail({
      post: post({ content: "[a](https://a.example)\n\n".repeat(1_000) }),
      appOrigin: "https://coreto.example",
      urlOfPicture: () => "",
      urlOfLink: (address) => `https://coreto.example/mail/click/${"x".repeat(200)}?to=${address}`,
    });
    expect(bytes(html)).toBeLessThan(100_000);
    expect(html).not.toContain('href="https://a.example"');
  });

  test("is HTML that parses without an error, under 100 kB, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 3_000 }),
        fc.string({ maxLength: 140 }),
        (content, title) => {
          const errors: string[] = [];
          const html = whole({ content, title: title.replaceAll("\0", "") });
          parse(html.replaceAll("\0", ""), { onParseError: ({ code }) => errors.push(code) });
          expect(
            errors.filter(
              (code) =>
                !code.includes("control-character") &&
                !code.includes("noncharacter") &&
                !code.includes("surrogate"),
            ),
          ).toEqual([]);
          expect(bytes(html)).toBeLessThan(100_000);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("shows the title beside the subject, one button, and how to stop", () => {
    const html = whole();
    expect(html).toContain("Ana publicou:");
    expect(html.match(/class="button"/g)).toHaveLength(1);
    expect(html).toContain("porque segue ou assina Ana.");
    expect(html).toContain("Não receber mais");
  });
});

test.each([
  ["post:0198:mailed", true],
  ["post:0198:published", false],
  ["comment:post:mailed", false],
])("the message %s is a newsletter: %s", (outboxId, answer) => {
  expect(isNewsletter(outboxId)).toBe(answer);
});
