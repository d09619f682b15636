import { describe, expect, test } from "vitest";
import { priceNetText, singlePriceNetText } from "#app/components/plan-form/price-net.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import {
  seatsLeftLabel,
  activationProblem,
  hasFreeSeat,
  methodsForPrice,
  monthlyPriceCents,
  periodEndsAt,
  priceProblem,
} from "#app/domain/plans/rules.ts";
import { planSchema } from "#app/domain/plans/schema.ts";
import { civilDate, DAY_MS, instantOf } from "#app/domain/time.ts";

const now = instantOf({ year: 2026, month: 11, day: 20 }, 12 * 3_600_000);
const form = {
  name: "Camarim",
  description: "",
  benefits: "",
  price: "19,90",
  interval: "monthly",
  seats: "",
  welcomeMessage: "",
};
const plain = (text: string | null) => text?.replaceAll("\u00a0", " ") ?? null;

describe("a price", () => {
  test.each([
    [0, false],
    [1, false],
    [499, false],
    [500, true],
    [1_990, true],
    [500_000, true],
    [500_001, false],
    [-500, false],
    [999.5, false],
    [Number.MAX_SAFE_INTEGER, false],
  ])("of %i centavos is allowed: %s", (amountCents, allowed) => {
    expect(priceProblem(amountCents) === null).toBe(allowed);
  });

  test.each([
    [500, ["pix"]],
    [999, ["pix"]],
    [1_000, ["pix", "card"]],
    [500_000, ["pix", "card"]],
  ])("of %i centavos can be paid by %j", (amountCents, methods) => {
    expect(methodsForPrice(amountCents)).toEqual(methods);
  });

  test.each([
    [
      "19,90",
      500,
      "Você recebe R$ 18,90. Renovação no Pix: dia seguinte. Cartão: cerca de 30 dias.",
    ],
    [
      "R$ 1.000,00",
      500,
      "Você recebe R$ 950,00. Renovação no Pix: dia seguinte. Cartão: cerca de 30 dias.",
    ],
    [
      "9,99",
      500,
      "Você recebe R$ 9,49. Renovação no Pix: dia seguinte. Abaixo de R$ 10,00, só Pix.",
    ],
    ["10", 0, "Você recebe R$ 10,00. Renovação no Pix: dia seguinte. Cartão: cerca de 30 dias."],
    [
      "10",
      10_000,
      "Você recebe R$ 0,00. Renovação no Pix: dia seguinte. Cartão: cerca de 30 dias.",
    ],
    ["4,99", 500, "O preço mínimo é R$ 5,00."],
    ["5000,01", 500, "O preço máximo é R$ 5.000,00."],
    [
      "19,9",
      500,
      "Você recebe R$ 18,90. Renovação no Pix: dia seguinte. Cartão: cerca de 30 dias.",
    ],
    ["", 500, null],
    ["abc", 500, "Escreva o preço assim: 19,90."],
    ["19.9", 500, "Escreva o preço assim: 19,90."],
    ["19,", 500, "Você recebe R$ 18,05. Renovação no Pix: dia seguinte. Cartão: cerca de 30 dias."],
  ])("typed as %j with a fee of %i basis points shows %j", (typed, feeBasisPoints, said) => {
    expect(plain(priceNetText(typed, feeBasisPoints)?.text ?? null)).toBe(said);
  });

  test.each([
    ["15,00", "Você recebe R$ 14,25 de cada venda."],
    ["9,99", "Você recebe R$ 9,49 de cada venda."],
    ["4,99", "O preço mínimo é R$ 5,00."],
    ["", null],
  ])("of a one-time payment, typed as %j, shows %j", (typed, said) => {
    expect(plain(singlePriceNetText(typed, 500)?.text ?? null)).toBe(said);
  });

  test.each([
    [1_500, "weekly", 6_500],
    [1_990, "monthly", 1_990],
    [4_000, "quarterly", 1_333],
    [10_000, "semiannual", 1_667],
    [15_000, "annual", 1_250],
    [500, "annual", 42],
  ] as const)("of %i centavos %s equals %i a month", (amountCents, interval, monthly) => {
    expect(monthlyPriceCents(amountCents, interval)).toBe(monthly);
  });
});

describe("the plan form", () => {
  test("returns trimmed texts, one benefit per line, and centavos", () => {
    expect(
      planSchema.parse({
        ...form,
        name: " Camarim ",
        benefits: "Ensaios\n\n  Partituras \n",
        price: "R$ 1.234,56",
        seats: "20",
      }),
    ).toEqual({
      name: "Camarim",
      description: "",
      benefits: ["Ensaios", "Partituras"],
      prices: [{ interval: "monthly", amountCents: 123_456 }],
      seatsLimit: 20,
      trialDays: 0,
      welcomeMessage: "",
    });
  });

  test.each([
    ["name", ""],
    ["name", "x".repeat(61)],
    ["price", ""],
    ["price", "4,99"],
    ["price", "5.000,01"],
    ["price", "19,905"],
    ["price", "-19,90"],
    ["interval", "daily"],
    ["seats", "0"],
    ["seats", "1.5"],
    ["seats", "-3"],
    ["benefits", Array.from({ length: 13 }, () => "um").join("\n")],
  ])("shows the error of %s %j beside that field", (field, typed) => {
    const parsed = planSchema.safeParse({ ...form, [field]: typed });
    expect(parsed.success).toBe(false);
    expect(parsed.error?.issues.map((issue) => issue.path[0])).toEqual([field]);
  });
});

describe("plan activation", () => {
  const documents: Documents = {
    personId: "ana",
    status: "submitted",
    cpf: "52998224725",
    statedBirthDate: null,
    fullName: "Ana Maria Lira",
    birthDate: "1990-01-31",
    cnpj: null,
    companyName: null,
    sellerName: "Ana Maria Lira",
    taxKind: "cpf",
    taxId: "52998224725",
    rejectionReason: null,
    rejectionCode: null,
    filesAt: null,
    expiresOn: null,
    remindedAt: null,
    numberUntil: null,
    submittedAt: now,
    decidedAt: null,
  };
  const draft = { state: "draft" as const, documents, activePlans: 0 };

  test.each([
    ["documents sent", draft, null],
    [
      "documents approved long ago",
      {
        ...draft,
        documents: { ...documents, status: "approved" as const, submittedAt: now - 90 * DAY_MS },
      },
      null,
    ],
    ["no documents", { ...draft, documents: null }, "documents_missing"],
    [
      "rejected documents",
      { ...draft, documents: { ...documents, status: "rejected" as const } },
      "documents_rejected",
    ],
    [
      "documents unanswered for fourteen days",
      { ...draft, documents: { ...documents, submittedAt: now - 14 * DAY_MS } },
      "documents_overdue",
    ],
    [
      "seventeen years",
      { ...draft, documents: { ...documents, birthDate: "2008-11-21" } },
      "underage",
    ],
    ["nine others active", { ...draft, activePlans: 9 }, null],
    ["ten others active", { ...draft, activePlans: 10 }, "too_many"],
    ["an archived plan", { ...draft, state: "archived" as const }, "archived"],
  ])("with %s: %s", (_name, plan, problem) => {
    expect(activationProblem(plan, now)).toBe(problem);
  });

  test.each([
    [null, 1_000_000, true],
    [1, 0, true],
    [1, 1, false],
    [20, 19, true],
    [20, 20, false],
    [20, 21, false],
  ])("a limit of %s with %i taken leaves a seat: %s", (seatsLimit, seatsTaken, free) => {
    expect(hasFreeSeat({ seatsLimit, seatsTaken })).toBe(free);
  });
});

test.each([
  [12, 20, "Restam 8 de 20 lugares"],
  [19, 20, "Resta 1 de 20 lugares"],
  [0, 1, "Resta 1 de 1 lugar"],
  [20, 20, "Os 20 lugares estão ocupados"],
  [21, 20, "Os 20 lugares estão ocupados"],
  [1, 1, "O único lugar está ocupado"],
])("a plan with %i of %i seats taken says: %s", (taken, limit, label) => {
  expect(seatsLeftLabel(taken, limit)).toBe(label);
});

describe("a billing period", () => {
  const anchor = instantOf({ year: 2027, month: 1, day: 31 }, 9 * 3_600_000);

  test.each([
    ["weekly", 1, { year: 2027, month: 2, day: 7 }],
    ["monthly", 1, { year: 2027, month: 2, day: 28 }],
    ["monthly", 2, { year: 2027, month: 3, day: 31 }],
    ["monthly", 13, { year: 2028, month: 2, day: 29 }],
    ["quarterly", 1, { year: 2027, month: 4, day: 30 }],
    ["semiannual", 1, { year: 2027, month: 7, day: 31 }],
    ["annual", 1, { year: 2028, month: 1, day: 31 }],
  ] as const)(
    "of a %s plan started on 31 January ends, the %ith, on the anchor's day",
    (interval, periods, date) => {
      expect(civilDate(periodEndsAt(anchor, interval, periods))).toEqual(date);
    },
  );
});
