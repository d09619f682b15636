import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { counted, countedFromTwo, nounFor, quoted } from "#app/domain/text.ts";
import { refundSchema } from "#app/domain/billing/schema.ts";
import { evidenceSchema } from "#app/domain/disputes/schema.ts";
import { planSchema } from "#app/domain/plans/schema.ts";
import { spaceSchema } from "#app/domain/profiles/schema.ts";
import { giftSchema } from "#app/domain/purchases/gifts/schema.ts";
import { tipSchema } from "#app/domain/purchases/tips/schema.ts";

/**
 * Text that one person writes and another reads beside money: checkouts, email subjects, receipts,
 * spreadsheets.
 */

const PLAN = { name: "Camarim", price: "19,90", interval: "monthly" };
const GIFT = { planPriceId: "p", method: "pix" };
const TIP = { amount: "1000", method: "pix" };
const REFUND = { refundId: "a".repeat(32), amountCents: "100" };
const SPACE = { name: "Ana Lira", username: "ana", bio: "Toco.", craft: "Rabeca", city: "Recife" };

const line: [string, (typed: string) => unknown][] = [
  ["a plan's name", (typed) => planSchema.parse({ ...PLAN, name: typed }).name],
  [
    "a plan's benefit",
    (typed) => planSchema.parse({ ...PLAN, benefits: typed.replaceAll(/[\r\n]/g, "") }).benefits[0],
  ],
  [
    "a gift's recipient",
    (typed) => giftSchema.parse({ ...GIFT, recipientName: typed }).recipientName,
  ],
  ["a refund's reason", (typed) => refundSchema.parse({ ...REFUND, reason: typed }).reason],
  ["a profile's category", (typed) => spaceSchema.parse({ ...SPACE, craft: typed }).craft],
  ["a profile's place", (typed) => spaceSchema.parse({ ...SPACE, city: typed }).city],
];
const text: [string, (typed: string) => unknown][] = [
  [
    "a plan's description",
    (typed) => planSchema.parse({ ...PLAN, description: typed }).description,
  ],
  [
    "a plan's welcome",
    (typed) => planSchema.parse({ ...PLAN, welcomeMessage: typed }).welcomeMessage,
  ],
  ["a gift's message", (typed) => giftSchema.parse({ ...GIFT, message: typed }).message],
  ["a tip's message", (typed) => tipSchema.parse({ ...TIP, message: typed }).message],
  ["a dispute answer", (typed) => evidenceSchema.parse({ text: typed }).text],
  ["a page's description", (typed) => spaceSchema.parse({ ...SPACE, bio: typed }).bio],
];

test.each([...line, ...text])(
  "%s contains no control characters, and does not reverse the direction of text after it",
  (_what, schema) => {
    expect(schema("Roda\u0000 de \u202Esamba\u2066 😀 שלום\u0007")).toBe("Roda de samba 😀 שלום");
  },
);

test.each(line)("%s is one line: no email gets a second header from it", (_what, schema) =>
  expect(String(schema("Roda\r\nBcc: x@y.test"))).not.toMatch(/[\r\n]/),
);

test.each(text)("%s retains its lines", (_what, schema) =>
  expect(schema("Uma\r\noutra")).toBe("Uma\noutra"),
);

describe("invisible text is empty", () => {
  test.each(["\u200b", "\u2060\u200d", "\u202e", "\u0301", "\u00a0\u3000"])(
    "%j is no plan name, and the error does not mention a page",
    (typed) => {
      expect(planSchema.safeParse({ ...PLAN, name: typed }).error?.issues[0]?.message).toBe(
        "Dê um nome ao plano",
      );
      expect(spaceSchema.safeParse({ ...SPACE, bio: typed }).error?.issues[0]?.message).toBe(
        "Campo obrigatório",
      );
      expect(spaceSchema.safeParse({ ...SPACE, craft: typed }).error?.issues[0]?.message).toBe(
        "Campo obrigatório",
      );
      expect(giftSchema.parse({ ...GIFT, recipientName: typed }).recipientName).toBe("");
    },
  );
});

describe("a quoted text", () => {
  test.each([
    ["Itinerário", "“Itinerário”"],
    ["“Itinerário” tá na rua", "“‘Itinerário’ tá na rua”"],
    ['O "sim" de hoje', "“O ‘sim’ de hoje”"],
    ["«Bom dia»", "“‘Bom dia’”"],
    ["d'água", "“d'água”"],
    ["", "“”"],
  ])("has single quotation marks inside: %s", (text, shown) => {
    expect(quoted(text)).toBe(shown);
  });

  test("has no other double quotation marks than its own", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(quoted(text).slice(1, -1)).not.toMatch(/[“”„«»"]/u);
      }),
    );
  });
});

test.each([
  [1, "Uma regra quebrada"],
  [2, "2 regras quebradas"],
  [1_200, "1.200 regras quebradas"],
])("%d is written out where it is one: %s", (count, expected) => {
  expect(countedFromTwo(count, "Uma regra quebrada", "regras quebradas")).toBe(expected);
});

test.each([
  [0, "0 comentários"],
  [1, "1 comentário"],
  [2, "2 comentários"],
  [1_200, "1.200 comentários"],
])("%d agrees with its noun: %s", (count, expected) => {
  expect(counted(count, "comentário", "comentários")).toBe(expected);
  expect(expected.endsWith(nounFor(count, "comentário", "comentários"))).toBe(true);
});
