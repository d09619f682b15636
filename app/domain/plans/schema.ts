import { z } from "zod";
import { parseMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import { cleanLine, cleanText } from "#app/domain/text.ts";
import { intervals } from "#app/domain/plans/rules/intervals.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import {
  PRICE_INVALID_MESSAGE,
  MAXIMUM_TRIAL_DAYS,
  typedPriceProblem,
} from "#app/domain/plans/rules/limits.ts";

const intervalSchema = z.enum(intervals, { error: "Escolha de quanto em quanto tempo" });
const planStates = ["draft", "active", "archived"] as const;
export type PlanState = (typeof planStates)[number];

const MAXIMUM_BENEFITS = 12;
const MAXIMUM_SEATS = 100_000;
/** Parses a price typed in reais into centavos, between R$ 5,00 and R$ 5.000,00. */
export const priceSchema = z
  .string({ error: "Informe o preço" })
  .transform((text, check): Cents => {
    const cents = parseMoney(text);
    const problem = typedPriceProblem(text);
    if (problem === null && cents !== null) return cents;
    check.addIssue({ code: "custom", message: problem ?? PRICE_INVALID_MESSAGE });
    return z.NEVER;
  });

const benefitsSchema = z
  .string()
  .default("")
  .transform((text) =>
    cleanText(text)
      .split("\n")
      .map(cleanLine)
      .filter((line) => line !== ""),
  )
  .pipe(
    z
      .array(z.string().max(120, "Cada benefício pode ter até 120 letras"))
      .max(MAXIMUM_BENEFITS, `Até ${MAXIMUM_BENEFITS} benefícios, um por linha`),
  );

const seatsSchema = z
  .string()
  .default("")
  .transform((text) => text.trim())
  .refine((text) => text === "" || /^\d{1,6}$/.test(text), "Escreva só o número de lugares")
  .transform((text) => (text === "" ? null : Number(text)))
  .refine((seats) => seats === null || seats >= 1, "Pelo menos 1 lugar")
  .refine(
    (seats) => seats === null || seats <= MAXIMUM_SEATS,
    "Lugares demais: deixe em branco para não ter limite",
  );

const trialDaysSchema = z
  .string()
  .default("")
  .transform((text) => text.trim())
  .refine(
    (text) => text === "" || /^\d{1,6}$/.test(text),
    "Escreva só o número de dias, sem vírgula",
  )
  .transform((text) => Number(text))
  .refine((days) => days <= MAXIMUM_TRIAL_DAYS, `Até ${MAXIMUM_TRIAL_DAYS} dias grátis`);

/** The form of a plan. `interval` is how often `price` is charged. */
export const planSchema = z
  .object({
    name: z
      .string({ error: "Dê um nome ao plano" })
      .transform(cleanLine)
      .pipe(z.string().min(1, "Dê um nome ao plano").max(60, "Use até 60 letras")),
    description: z
      .string()
      .default("")
      .transform(cleanText)
      .pipe(z.string().trim().max(300, "Use até 300 letras")),
    benefits: benefitsSchema,
    price: priceSchema,
    interval: intervalSchema,
    seats: seatsSchema,
    trialDays: trialDaysSchema,
    welcomeMessage: z
      .string()
      .default("")
      .transform(cleanText)
      .pipe(z.string().trim().max(1_000, "Use até 1.000 letras")),
  })
  .transform(({ price, interval, seats, ...texts }) => ({
    ...texts,
    prices: [{ interval, amountCents: price }],
    seatsLimit: seats,
  }));

/** A plan's texts and prices; at most one price per interval, amounts in centavos. */
export type PlanInput = {
  name: string;
  description: string;
  benefits: string[];
  prices: { interval: Interval; amountCents: Cents }[];
  /** Null for no limit. */
  seatsLimit: number | null;
  welcomeMessage: string;
  /**
   * Trial days before the first charge, 0 to 90. When left out they do not change; a new plan has
   * none.
   */
  trialDays?: number;
};

export type PlanPrice = { id: string; interval: Interval; amountCents: Cents };

/** A plan with its current prices, in the order of `intervals`. */
export type Plan = {
  id: string;
  creatorId: string;
  name: string;
  description: string;
  benefits: string[];
  state: PlanState;
  seatsLimit: number | null;
  seatsTaken: number;
  welcomeMessage: string;
  /** Trial days before the first charge, once per person; 0 for none. */
  trialDays: number;
  prices: PlanPrice[];
  createdAt: Instant;
};
