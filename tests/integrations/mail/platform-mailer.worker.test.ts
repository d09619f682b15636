import { beforeEach, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { commit } from "#app/db/client.server.ts";
import { MailNotSent, platformMailer } from "#app/integrations/mail/platform-mailer.server.ts";
import { sentMails } from "#drizzle/schema/mail.ts";
import { crashPoints } from "#tests/support/crash.ts";
import { openDatabase } from "#app/db/client.server.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const FROM = { name: "Coreto", email: "avisos@coreto.test" };
const LETTER = {
  key: "outbox:0",
  to: "bruno@coreto.test",
  subject: "Seu código é 123 456",
  body: "Olá & até já.\n\nAbra: https://coreto.test/x?a=1&b=2.",
};

type Sent = Extract<Parameters<SendEmail["send"]>[0], { subject: string }>;
let world: World;
let sent: Sent[];
let answers: ((mail: Sent) => void)[];

beforeEach(async () => {
  world = await testContext();
  sent = [];
  answers = [];
  await world.ctx.db.delete(sentMails);
});

/** A double of the binding: it returns each prepared answer in turn, then accepts every email. */
const email = {
  async send(mail: Sent) {
    answers.shift()?.(mail);
    sent.push(mail);
    return { messageId: `<${sent.length}@coreto.test>` };
  },
} as SendEmail;
const fails = (code?: string) => () => {
  throw Object.assign(new Error("bruno@coreto.test is not allowed"), code ? { code } : {});
};
const mailer = (more: Partial<Parameters<typeof platformMailer>[0]> = {}) =>
  platformMailer({
    email,
    db: world.ctx.db,
    from: FROM,
    replyTo: "atendimento@coreto.test",
    realNow: world.ctx.realNow,
    log: world.ctx.log,
    ...more,
  });
const noted = () => world.ctx.db.$count(sentMails);

test("an email has a text and an HTML part with the same content, the product as sender and the company as reply-to", async () => {
  await mailer().send(LETTER);
  expect(sent).toEqual([
    {
      from: FROM,
      to: LETTER.to,
      replyTo: "atendimento@coreto.test",
      subject: LETTER.subject,
      text: LETTER.body,
      html: expect.any(String),
    },
  ]);
  expect(sent[0]?.html).toContain("Olá &amp; até já.");
  expect(sent[0]?.html).toContain(
    '<a href="https://coreto.test/x?a=1&amp;b=2" style="color:#0b5d3b">https://coreto.test/x?a=1&amp;b=2</a>.',
  );
});

test("an email that can be stopped says so to mail programs, and hides the long address", async () => {
  const unsubscribeUrl = "https://coreto.test/unsubscribe/p/sale/s";
  await mailer().send({
    ...LETTER,
    body: "Bia apoiou você.",
    actionUrl: "https://coreto.test/settings/transactions/1",
    reason: "Você recebe este e-mail porque você vende no Coreto.",
    unsubscribeUrl,
  });
  expect(sent[0]?.text).toBe(
    `Bia apoiou você.\n\nhttps://coreto.test/settings/transactions/1\n\nVocê recebe este e-mail porque você vende no Coreto. Não receber mais: ${unsubscribeUrl}`,
  );
  expect(sent[0]).toMatchObject({
    headers: {
      "List-Unsubscribe": `<${unsubscribeUrl}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  });
  const html = sent[0]?.html ?? "";
  expect(html).toContain(`<a href="${unsubscribeUrl}">Não receber mais</a>`);
  expect(html).toMatch(/class="button" href="https:\/\/coreto\.test\/settings\/transactions\/1"/);
  expect(html.split(">").filter((part) => part.startsWith("https://"))).toEqual([]);
  expect(html).toContain("prefers-color-scheme:dark");
});

test("a member's name is escaped in an email and never becomes markup", async () => {
  await mailer().send({
    ...LETTER,
    body: '<img src=x onerror=1> "mandou" https://a.test/"><script>',
  });
  expect(sent[0]?.html).not.toMatch(/<img|<script/);
});

test("an email sent again under the same key, at once or a month later, is delivered once", async () => {
  await mailer().send(LETTER);
  await mailer().send(LETTER);
  expect(sent).toHaveLength(1);
  await mailer({ realNow: () => world.ctx.realNow() + 31 * DAY_MS }).send({
    ...LETTER,
    key: "outbox:1",
  });
  expect(await noted()).toBe(1);
});

test.each([
  "E_RATE_LIMIT_EXCEEDED",
  "E_DAILY_LIMIT_EXCEEDED",
  "E_DELIVERY_FAILED",
  "E_INTERNAL_SERVER_ERROR",
  "E_SENDER_NOT_VERIFIED",
  "E_RECIPIENT_NOT_ALLOWED",
  undefined,
])("%s is thrown without the address, and the email is sent on the next attempt", async (code) => {
  answers.push(fails(code));
  const failure = await mailer()
    .send(LETTER)
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MailNotSent);
  expect(String(failure)).not.toContain("bruno");
  expect(await noted()).toBe(0);
  await mailer().send(LETTER);
  expect(sent).toHaveLength(1);
});

test.each(["E_RECIPIENT_SUPPRESSED", "E_VALIDATION_ERROR", "E_CONTENT_TOO_LARGE"])(
  "%s of an email is logged with its key and not retried",
  async (code) => {
    answers.push(fails(code));
    await mailer().send(LETTER);
    await mailer().send(LETTER);
    expect(sent).toHaveLength(0);
    expect(world.logged).toContainEqual({
      event: "mail.refused",
      fields: { key: "outbox:0", code },
    });
  },
);

test("when the second email of a message fails, the first is not sent again", async () => {
  const [ana, bruno] = [
    await createPerson(world.ctx, "Ana"),
    await createPerson(world.ctx, "Bruno"),
  ];
  const ctx: Context = { ...world.ctx, mailer: mailer() };
  await commit(ctx.db, [
    announce<OutboxMessage>(ctx, "ledger:two", {
      type: "ledger.broken",
      moderatorIds: [ana.id, bruno.id],
      titles: ["Tudo soma zero"],
      holdsPayouts: false,
    }),
  ]);
  answers.push(() => undefined, fails("E_RATE_LIMIT_EXCEEDED"));
  await expect(deliverOutboxMessage(ctx, { outboxId: "ledger:two" })).rejects.toThrow(
    "E_RATE_LIMIT_EXCEEDED",
  );
  await deliverOutboxMessage(ctx, { outboxId: "ledger:two" });
  expect(sent.map(({ to }) => to)).toEqual([ana.email, bruno.email]);
  expect(sent[1]?.text).toContain(`${ctx.settings.appOrigin}/admin/ledger`);
});

test("the platform's own binding accepts what is sent", async () => {
  const answer = await testEnv.EMAIL?.send({
    from: FROM,
    to: LETTER.to,
    subject: LETTER.subject,
    text: LETTER.body,
    html: "<p>Olá</p>",
  });
  expect(answer?.messageId).toMatch(/@/);
});

describe("an email that must not be sent twice", () => {
  const NEWSLETTER = { ...LETTER, key: "newsletter:p:1", isAtMostOnce: true as const };

  test("is unconfirmed once the process died while it was handed over, and never sent again", async () => {
    const points = crashPoints();
    const dies = mailer({
      email: points.port(email),
      db: openDatabase(points.database(testEnv.DB)),
    });
    // The record, and then the platform's answer.
    points.arm(3);
    await expect(dies.send(NEWSLETTER)).rejects.toThrow(/at point|Failed query|not sent/);
    for (let round = 0; round < 2; round += 1)
      expect(await mailer().send(NEWSLETTER)).toBe("unconfirmed");
    expect(sent).toHaveLength(1);
  });

  test("is unconfirmed where the platform gave no answer", async () => {
    answers = [fails()];
    await expect(mailer().send(NEWSLETTER)).rejects.toThrow(MailNotSent);
    expect(await mailer().send(NEWSLETTER)).toBe("unconfirmed");
    expect(sent).toHaveLength(0);
  });

  test("is sent later where the platform refused it, and then once", async () => {
    answers = [fails("E_INTERNAL_SERVER_ERROR")];
    await expect(mailer().send(NEWSLETTER)).rejects.toThrow(MailNotSent);
    for (let round = 0; round < 2; round += 1)
      expect(await mailer().send(NEWSLETTER)).toBe(undefined);
    expect(sent).toHaveLength(1);
  });
});

test("a recipient whom the platform refuses is told apart from one who got it", async () => {
  answers = [fails("E_RECIPIENT_SUPPRESSED")];
  expect(await mailer().send(LETTER)).toBe("suppressed");
  expect(await mailer().send({ ...LETTER, key: "outbox:1" })).toBe(undefined);
});
