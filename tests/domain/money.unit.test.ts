import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { movedAmountSchema } from "#app/domain/ledger/schema.ts";
import { formatMoney, parseMoney, shareRoundedHalfUp } from "#app/domain/money.ts";
import { splitFee } from "#app/domain/payments/rules.ts";
import { priceProblem } from "#app/domain/plans/rules.ts";
import { planSchema } from "#app/domain/plans/schema.ts";

const form = {
  name: "Camarim",
  description: "",
  benefits: "",
  interval: "monthly",
  seats: "",
  welcomeMessage: "",
};

describe("a typed price", () => {
  test.each([
    "0",
    "0,00",
    "-5,00",
    "−5",
    "+5,00",
    "0,1 + 0,2",
    "0.1+0.2",
    "5,001",
    "1e3",
    "NaN",
    "Infinity",
    "٥٠",
    "9007199254740992",
    "90.071.992.547.409,92",
    "US$ 10,00",
    "€ 10,00",
    "10 USD",
    "R$ R$ 10",
    "10,00 R$ 10,00",
    "0x10",
  ])("%j is no price, and the form shows an error beside it", (price) => {
    const read = planSchema.safeParse({ ...form, price });
    expect(read.success).toBe(false);
    expect(read.error?.issues.map(({ path, message }) => [path.join("."), message])).toEqual([
      ["price", expect.stringMatching(/^(O preço (mínimo|máximo) é|Escreva o preço assim)/)],
    ]);
  });

  test("ten centavos and twenty are thirty, and a formatted amount is parsed back unchanged", () => {
    expect((parseMoney("0,10") ?? 0) + (parseMoney("0,20") ?? 0)).toBe(30);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 100_000_000 }),
        (cents) => parseMoney(formatMoney(cents)) === cents,
      ),
    );
  });
});

test("zero has no sign, also as the result of a subtraction", () => {
  expect(formatMoney(-0)).toBe("R$\u00a00,00");
  expect(formatMoney(-1)).toBe("-R$\u00a00,01");
});

describe("an amount typed by staff", () => {
  test.each<[string, number | null]>([
    ["19,90", 1_990],
    ["R$ 1.500.000,00", 150_000_000],
    ["1500000", 150_000_000],
    ["99.999.999,99", 9_999_999_999],
    ["99999999,99", 9_999_999_999],
    ["100.000.000,00", null],
    ["0", null],
    ["-1", null],
    ["", null],
    ["9007199254740992", null],
  ])("%j is %s centavos", (typed, cents) => {
    const read = movedAmountSchema.safeParse(typed);
    expect(read.data ?? null).toBe(cents);
    if (cents === null)
      expect(read.error?.issues[0]?.message).toMatch(
        /19,90\. De uma vez cabem até R\$\s99\.999\.999,99\.$/,
      );
  });
});

describe("an invalid amount", () => {
  test.each([0.1 + 0.2, 19.9, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -(2 ** 53)])(
    "%d has no fee, no text, and is no price",
    (amount) => {
      expect(() => splitFee(amount, 500)).toThrow("not whole centavos");
      expect(() => shareRoundedHalfUp(amount, 500)).toThrow("not whole centavos");
      expect(() => formatMoney(amount)).toThrow("not whole centavos");
      expect(priceProblem(amount)).not.toBeNull();
    },
  );
});
