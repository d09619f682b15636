import { describe, expect, test } from "vitest";
import type { Access, AccessRule } from "#app/domain/access/rules.ts";
import {
  audienceLabel,
  joinNames,
  lockText,
  rulesOfAudience,
  typeVisibilityOf,
  unlockLabel,
  unlockPath,
} from "#app/domain/posts/rules.ts";
import { toPostPreview } from "#app/domain/posts/rules/cards.ts";
import type { Post } from "#app/domain/posts/schema.ts";

const rule = (kind: AccessRule["kind"], planId: string | null = null): AccessRule => ({
  kind,
  planId,
  amountCents: null,
  opensAt: null,
});
const plans = [
  { id: "camarim", name: "Camarim" },
  { id: "mestre", name: "Mestre de roda" },
];
const post = (access: Access, more: Partial<Post> = {}): Post => ({
  id: "p",
  publishedBy: null,
  title: "T",
  teaser: "",
  content: access.visible ? "Texto" : null,
  publishedAt: 0,
  editedAt: null,
  isPinned: false,
  poll: null,
  isSensitive: false,
  state: "published",
  likesCount: 0,
  commentsCount: 0,
  areCommentsClosed: false,
  isLiked: false,
  author: { id: "a", name: "Ana", username: "ana", avatarMediaId: null },
  rules: [],
  plans,
  media: [],
  access,
  isOwn: false,
  ...more,
});

test("the visibility of a post is named after its widest rule", () => {
  expect(typeVisibilityOf([rule("plan"), rule("public")])).toBe("public");
  expect(typeVisibilityOf([rule("plan"), rule("subscribers")])).toBe("subscribers");
  expect(typeVisibilityOf([rule("plan")])).toBe("plans");
  expect(typeVisibilityOf([rule("price")])).toBe("paid");
});

test("an audience of plans is one rule for each plan", () => {
  expect(rulesOfAudience("plans", ["a", "b"])).toMatchObject([
    { kind: "plan", planId: "a" },
    { kind: "plan", planId: "b" },
  ]);
  expect(rulesOfAudience("followers", ["a"])).toMatchObject([{ kind: "followers", planId: null }]);
});

describe("the text of a locked post", () => {
  test.each([
    [
      [{ kind: "plans" as const, planIds: ["camarim", "mestre"] }],
      "Esta publicação é de quem assina Camarim ou Mestre de roda.",
    ],
    [[{ kind: "followers" as const }], "Esta publicação é de quem segue."],
    [
      [{ kind: "followers" as const }, { kind: "subscribers" as const }],
      "Esta publicação é de quem segue ou quem assina.",
    ],
    [
      [{ kind: "opens_later" as const, opensAt: Date.UTC(2026, 10, 27, 20) }],
      "Abre em 27/11/2026, 17:00.",
    ],
  ])("%j", (reasons, message) => {
    expect(
      lockText(
        post({ visible: false, reasons, cheapestUnlock: null, otherUnlocks: [], awayUntil: null }),
      ),
    ).toBe(message);
  });

  test("its button names plan, price and interval", () => {
    expect(
      unlockLabel(
        {
          kind: "plan",
          way: { kind: "subscribe" },
          planId: "camarim",
          planName: "Camarim",
          interval: "monthly",
          amountCents: 1_990,
        },
        { name: "Ana" },
      ),
    ).toBe("Assinar Camarim por R$\u00a019,90/mês");
  });
});

test.each([
  [{ kind: "price" as const, amountCents: 1_500 }, "Comprar por R$\u00a015,00", "/checkout?post=p"],
  [
    { kind: "collection" as const, collectionId: "c", title: "Do zero", amountCents: 4_000 },
    "Comprar a coleção por R$\u00a040,00",
    "/checkout?collection=c",
  ],
  [
    {
      kind: "plan" as const,
      way: { kind: "subscribe" as const },
      planId: "camarim",
      planName: "Camarim",
      interval: "monthly" as const,
      amountCents: 1_990,
    },
    "Assinar Camarim por R$\u00a019,90/mês",
    "/checkout?plan=camarim&interval=monthly&from=p",
  ],
])("%j links to its checkout", (unlock, label, path) => {
  expect([unlockLabel(unlock, { name: "Ana" }), unlockPath(unlock, "p")]).toEqual([label, path]);
});

describe("a post card", () => {
  test("cuts a long text at a word and marks the cut", () => {
    const card = toPostPreview(post({ visible: true }, { content: "palavra ".repeat(100) }));
    expect(card.excerpt.length).toBeLessThanOrEqual(281);
    expect(card.excerpt.endsWith("palavra…")).toBe(true);
    expect(card.isExcerptCut).toBe(true);
  });

  test("shows a short text whole", () => {
    expect(toPostPreview(post({ visible: true }))).toMatchObject({
      excerpt: "Texto",
      isExcerptCut: false,
    });
  });

  test("of a locked post has its teaser and no content", () => {
    const card = toPostPreview(
      post(
        { visible: false, reasons: [], cheapestUnlock: null, otherUnlocks: [], awayUntil: null },
        { teaser: "Chamada" },
      ),
    );
    expect(card).toMatchObject({ excerpt: "Chamada", isExcerptCut: false });
    expect(card).not.toHaveProperty("content");
  });
});

test("names are joined as a Portuguese list", () => {
  expect([
    joinNames([]),
    joinNames(["A"]),
    joinNames(["A", "B"]),
    joinNames(["A", "B", "C"]),
  ]).toEqual(["", "A", "A ou B", "A, B ou C"]);
});

test("the audience label names the plan or the audience", () => {
  expect(audienceLabel([rule("plan", "camarim")], [{ id: "camarim", name: "Camarim" }])).toBe(
    "Camarim",
  );
  expect(audienceLabel([rule("public")], [])).toBe("Público");
});
