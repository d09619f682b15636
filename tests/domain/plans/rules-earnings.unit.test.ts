import { describe, expect, test } from "vitest";
import {
  earningsDays,
  monthlyEarnings,
  readEarningsForm,
} from "#app/domain/plans/rules/earnings.ts";
import { DAY_MS } from "#app/domain/time.ts";

describe("a month's earnings", () => {
  test.each([
    [100, 1_990, 500, { grossCents: 199_000, feeCents: 10_000, netCents: 189_000 }],
    // 5 % of 5.09 are 25.45 centavos: 25 at each payment, and not 2,545 at a hundred.
    [100, 509, 500, { grossCents: 50_900, feeCents: 2_500, netCents: 48_400 }],
    [1, 510, 500, { grossCents: 510, feeCents: 26, netCents: 484 }],
    [3, 1_000, 499, { grossCents: 3_000, feeCents: 150, netCents: 2_850 }],
  ])(
    "of %i people who pay %i centavos at %i basis points",
    (subscribers, priceCents, fee, sums) => {
      const earned = monthlyEarnings({ subscribers, priceCents, feeBasisPoints: fee });
      expect(earned).toMatchObject(sums);
      expect(earned.feeCents + earned.netCents).toBe(earned.grossCents);
    },
  );

  test("come by card too from ten reais on", () => {
    const isCardAccepted = (priceCents: number) =>
      monthlyEarnings({ subscribers: 1, priceCents, feeBasisPoints: 500 }).isCardAccepted;
    expect([isCardAccepted(999), isCardAccepted(1_000)]).toEqual([false, true]);
  });
});

test("the money of a first Pix waits eight days, of a renewal one, of a card about thirty", () => {
  const now = Date.UTC(2026, 10, 11, 15);
  expect(earningsDays(now)).toEqual({
    firstPix: now + 8 * DAY_MS,
    pixRenewal: now + DAY_MS,
    card: now + 30 * DAY_MS,
  });
});

describe("the calculator's form", () => {
  const read = (query: string) => readEarningsForm(new URLSearchParams(query));

  test("has an example before anybody types", () => {
    expect(read("")).toEqual({
      typed: { subscribers: "100", price: "19,90" },
      errors: {},
      subscribers: 100,
      priceCents: 1_990,
    });
  });

  test.each([
    ["assinantes=1.000&preco=R$ 5", 1_000, 500],
    ["assinantes= 7 &preco=1.234,56", 7, 123_456],
    ["assinantes=100000&preco=5000", 100_000, 500_000],
  ])("understands %s", (query, subscribers, priceCents) => {
    expect(read(query)).toMatchObject({ errors: {}, subscribers, priceCents });
  });

  test.each([
    ["assinantes=0", { subscribers: "Escreva um número de 1 a 100.000" }],
    ["assinantes=100001", { subscribers: "Escreva um número de 1 a 100.000" }],
    ["assinantes=muitas", { subscribers: "Escreva um número de 1 a 100.000" }],
    ["assinantes=-3", { subscribers: "Escreva um número de 1 a 100.000" }],
    ["assinantes=1e5", { subscribers: "Escreva um número de 1 a 100.000" }],
    ["preco=", { price: "Informe o preço" }],
    ["preco=4,99", { price: "O preço mínimo é R$ 5,00" }],
    ["preco=5000,01", { price: "O preço máximo é R$ 5.000,00" }],
    ["preco=barato", { price: "Escreva o preço assim: 19,90" }],
  ])(
    "%s is refused beside its field, keeps what was typed and shows the example",
    (query, errors) => {
      const form = read(query);
      const spaced = JSON.parse(JSON.stringify(form.errors).replaceAll("\u00A0", " "));
      expect(spaced).toEqual(errors);
      const [name = "", typed = ""] = query.split("=");
      expect(name === "preco" ? form.typed.price : form.typed.subscribers).toBe(typed);
      expect([form.subscribers, form.priceCents]).toEqual([100, 1_990]);
    },
  );
});
