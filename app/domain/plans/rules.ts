import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import { counted, nounFor } from "#app/domain/text.ts";
import { isOfAge, canSell, documentsStatus } from "#app/domain/documents/rules.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import {
  MAXIMUM_PRICE_CENTS,
  MINIMUM_PRICE_CENTS,
  PRICE_TOO_HIGH_MESSAGE,
  PRICE_TOO_LOW_MESSAGE,
} from "#app/domain/plans/rules/limits.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import type { Plan } from "./schema.ts";
import { addDays, addMonths } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Below this a card costs more than it brings. Source: domain rules, "Plans". */
export const MINIMUM_CARD_CENTS = paymentMethods.card.minimumCents;

export const MAXIMUM_ACTIVE_PLANS = 10;

/** The most drafts and active plans of one creator. */
export const MAXIMUM_OPEN_PLANS = 30;

/**
 * A Portuguese message saying why `amountCents` is not a valid plan price; null when it is valid.
 * The range is R$ 5,00 to R$ 5.000,00.
 */
export function priceProblem(amountCents: Cents): string | null {
  if (!Number.isSafeInteger(amountCents) || amountCents < MINIMUM_PRICE_CENTS)
    return PRICE_TOO_LOW_MESSAGE;
  return amountCents > MAXIMUM_PRICE_CENTS ? PRICE_TOO_HIGH_MESSAGE : null;
}

/** The methods for a price, the preferred one first: under R$ 10,00 by Pix only. */
export function methodsForPrice(amountCents: Cents): PaymentMethod[] {
  return PAYMENT_METHODS.filter((method) => amountCents >= paymentMethods[method].minimumCents);
}

export type SellingProblem =
  | "documents_missing"
  | "documents_rejected"
  | "documents_contested"
  | "documents_overdue"
  | "underage";
export type ActivationProblem = "archived" | SellingProblem | "too_many";

/** Why a person may not start selling; null when they may. Source: domain rules, "Documents". */
export function sellingProblem(documents: Documents | null, now: Instant): SellingProblem | null {
  const status = documentsStatus(documents);
  if (documents === null || status === "missing") return "documents_missing";
  if (status === "rejected") return "documents_rejected";
  if (status === "contested") return "documents_contested";
  if (!canSell(documents, now)) return "documents_overdue";
  return isOfAge(documents.birthDate, now) ? null : "underage";
}

/**
 * Why a plan may not be put on sale; null when it may. It needs submitted documents (answered
 * within 14 days), 18 years, and at most `MAXIMUM_ACTIVE_PLANS` of one creator. Source: domain
 * rules, "Documents".
 */
export function activationProblem(
  {
    state,
    documents,
    activePlans,
  }: { state: Plan["state"]; documents: Documents | null; activePlans: number },
  now: Instant,
): ActivationProblem | null {
  if (state === "archived") return "archived";
  const problem = sellingProblem(documents, now);
  if (problem) return problem;
  return state !== "active" && activePlans >= MAXIMUM_ACTIVE_PLANS ? "too_many" : null;
}

/** Whether the plan has no seat limit, or has not reached it. */
export function hasFreeSeat({
  seatsLimit,
  seatsTaken,
}: Pick<Plan, "seatsLimit" | "seatsTaken">): boolean {
  return seatsLimit === null || seatsTaken < seatsLimit;
}

/** A price per month, in centavos rounded half up, to compare plans of different intervals. */
export function monthlyPriceCents(amountCents: Cents, interval: Interval): Cents {
  if (interval === "weekly") return Math.floor((amountCents * 52 * 2 + 12) / 24);
  const months = INTERVAL_MONTHS[interval];
  return Math.floor((amountCents * 2 + months) / (months * 2));
}

const INTERVAL_MONTHS: Record<Exclude<Interval, "weekly">, number> = {
  monthly: 1,
  quarterly: 3,
  semiannual: 6,
  annual: 12,
};

/**
 * Where the `periods`-th period after `anchorAt` ends, in São Paulo: on the anchor's day of the
 * month or the month's last, without drift. Source: domain rules, "Subscriptions".
 */
export function periodEndsAt(anchorAt: Instant, interval: Interval, periods = 1): Instant {
  return interval === "weekly"
    ? addDays(anchorAt, 7 * periods)
    : addMonths(anchorAt, INTERVAL_MONTHS[interval] * periods);
}

const RENEWAL_TEXTS: Record<Interval, string> = {
  weekly: "renova toda semana",
  monthly: "renova todo mês",
  quarterly: "renova a cada 3 meses",
  semiannual: "renova a cada 6 meses",
  annual: "renova todo ano",
};

/** "renova todo mês". */
export const renewalLabel = (interval: Interval): string => RENEWAL_TEXTS[interval];

const FEE_TEXTS: Record<Interval, string> = {
  weekly: "Semanalidade",
  monthly: "Mensalidade",
  quarterly: "Trimestralidade",
  semiannual: "Semestralidade",
  annual: "Anuidade",
};

/** "Mensalidade", the line of a receipt. */
export const installmentLabel = (interval: Interval): string => FEE_TEXTS[interval];

/** How many seats of a plan are free: "Restam 8 de 20 lugares", "Resta 1 de 20 lugares". */
export function seatsLeftLabel(taken: number, limit: number): string {
  const left = Math.max(0, limit - taken);
  if (left === 0)
    return nounFor(
      limit,
      "O único lugar está ocupado",
      `Os ${counted(limit, "lugar", "lugares")} estão ocupados`,
    );
  return `${nounFor(left, "Resta", "Restam")} ${left.toLocaleString("pt-BR")} de ${counted(limit, "lugar", "lugares")}`;
}
