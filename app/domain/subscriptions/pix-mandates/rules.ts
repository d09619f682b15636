import type { Cents } from "#app/domain/money.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { isMethodOffered, isUnpaid, isAwaitingPayment } from "#app/domain/payments/rules.ts";
import { acquirerFor } from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentProviders } from "#app/domain/payments/schema.ts";
import type { PixMandate, PixMandateStatus } from "./schema.ts";
import type { Subscription, SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { addDays, daysBetween, instantOfIsoDay, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * A debit falls on the day before the period that it pays for, so that the access never waits for
 * the bank's morning.
 */
const DEBIT_LEAD_DAYS = 1;
/**
 * The bank is told this many days before the period: inside the 10 to 2 days before the debit of
 * the Banco Central.
 */
export const DEBIT_ORDER_LEAD_DAYS = 5;
/**
 * An order reaches the payer's bank at least two days before its day. Source: Banco Central, Pix
 * Automático.
 */
const LEAST_NOTICE_DAYS = 2;
/**
 * Three more tries within seven days of the first. Source: Banco Central, Pix Automático, retry
 * policy 3R_7D.
 */
const MOST_RETRIES = 3;
const RETRY_WINDOW_DAYS = 7;
const RETRY_EVERY_DAYS = 2;

/** Whether Pix Automático may be offered: the provider has it, and Pix was not switched off. */
export const isPixMandateOffered = (ctx: {
  payments: PaymentProviders;
  settings: { pixEnabled: boolean };
}): boolean =>
  acquirerFor(ctx.payments, "pix").can.has("recurring_pix") && isMethodOffered("pix", ctx);

/**
 * What the code of an authorisation agrees to: one amount, or with a coupon any amount up to the
 * full price (centavos).
 */
export function mandateTerms({
  priceCents,
  firstCents,
}: {
  priceCents: Cents;
  firstCents: Cents;
}): Pick<PixMandate, "amountCents" | "ceilingCents" | "leastCents"> {
  const isFixed = firstCents === priceCents;
  return {
    amountCents: isFixed ? priceCents : null,
    ceilingCents: priceCents,
    leastCents: Math.min(priceCents, firstCents),
  };
}

/**
 * Whether an authorisation lets `amountCents` (centavos) be debited; what it does not cover needs a
 * new one, or is paid by hand.
 */
export function mandateCovers(
  {
    amountCents: agreed,
    ceilingCents,
    leastCents,
  }: Pick<PixMandate, "amountCents" | "ceilingCents" | "leastCents">,
  amountCents: Cents,
): boolean {
  return agreed === null
    ? amountCents >= leastCents && amountCents <= ceilingCents
    : amountCents === agreed;
}

/**
 * The day (`YYYY-MM-DD`, São Paulo) on which the period that begins at `periodStartsAt` is debited
 * when all goes by the calendar.
 */
export const scheduledDebitDay = (periodStartsAt: Instant): string =>
  isoDay(addDays(periodStartsAt, -DEBIT_LEAD_DAYS));

/**
 * The day of the debit that is ordered at `now`: the calendar's, or the first that the bank still
 * takes; null when that is after `paidBy`.
 */
export function nextOrderableDebitDay({
  periodStartsAt,
  paidBy,
  now,
}: {
  periodStartsAt: Instant;
  paidBy: Instant;
  now: Instant;
}): string | null {
  const [planned, first] = [
    scheduledDebitDay(periodStartsAt),
    isoDay(addDays(now, LEAST_NOTICE_DAYS)),
  ];
  const day = planned > first ? planned : first;
  return day < isoDay(paidBy) ? day : null;
}

/**
 * The day of the next try of a refused debit, `tries` being those made so far; null when the bank
 * takes no more, or not before `paidBy`.
 */
export function debitRetryDay({
  firstOn,
  tries,
  paidBy,
  now,
}: {
  firstOn: string;
  tries: number;
  paidBy: Instant;
  now: Instant;
}): string | null {
  if (tries > MOST_RETRIES) return null;
  const firstAt = instantOfIsoDay(firstOn);
  const [planned, tomorrow] = [
    isoDay(addDays(firstAt, RETRY_EVERY_DAYS * tries)),
    isoDay(addDays(now, 1)),
  ];
  const day = planned > tomorrow ? planned : tomorrow;
  return daysBetween(firstAt, instantOfIsoDay(day)) > RETRY_WINDOW_DAYS || day >= isoDay(paidBy)
    ? null
    : day;
}

/** How a provider's answer, and ours, names what ended with its authorisation. */
export const MANDATE_ENDED = "authorisation_ended";

/** The states in which a debit may pay for the next period. */
const DEBITED: readonly SubscriptionStatus[] = ["active", "requires_action", "past_due"];

export const canBeDebited = (status: SubscriptionStatus): boolean => DEBITED.includes(status);

/** Whether a subscription may be moved to Pix Automático: what is paid, and goes on. */
export function canMoveToPixMandate({
  status,
  compEndsAt,
  currentPeriodEndsAt,
}: Pick<Subscription, "status" | "compEndsAt" | "currentPeriodEndsAt">): boolean {
  return (
    (status === "active" || status === "past_due") &&
    compEndsAt === null &&
    currentPeriodEndsAt !== null
  );
}

/**
 * Whether its next period may be paid by a code that is asked for by hand: it is late, or the bank
 * refused its debit.
 */
export const canPayByCode = (
  status: SubscriptionStatus,
  debit: { isRefused: boolean } | null,
): boolean => status === "past_due" || (status === "active" && debit?.isRefused === true);

export type PixMandateState = "waiting" | "authorised" | "none";

/**
 * How an authorisation stands for who paid its code: the bank still answers, renewals are debited,
 * or they are not.
 */
export function pixMandateState({
  status,
  attachedAt,
  endingAt,
}: Pick<PixMandate, "status" | "attachedAt" | "endingAt">): PixMandateState {
  if (endingAt !== null || (status !== "created" && status !== "active")) return "none";
  return attachedAt === null ? "waiting" : "authorised";
}

/**
 * What a debit that the bank refused becomes: while its subscription renews and the authorisation
 * stands it waits for another try (`processing`, with the reason).
 */
export function debitAfterRefusal(
  status: SubscriptionStatus,
  failureCode: string | null,
): "processing" | "failed" {
  return canBeDebited(status) && failureCode !== MANDATE_ENDED ? "processing" : "failed";
}

export type MandateTransitionInput = {
  authorisation: Pick<PixMandate, "status" | "attachedAt" | "endingAt" | "expiresAt">;
  /** What the provider says now; null when it never heard of it. */
  said: PixMandateStatus | null;
  /** The state of the subscription: whether it may renew by it. */
  subscription: SubscriptionStatus;
  /** The state of the charge that its code pays. */
  firstCharge: ChargeStatus;
  now: Instant;
};

export type MandateTransition = {
  status: PixMandateStatus;
  /** It pays the renewals from now on. */
  attaches: boolean;
  /** The provider is to end it: nothing is left for it to pay. */
  ends: boolean;
  /** What its person is told. */
  tells: "authorised" | "refused" | "ended" | null;
};

/**
 * From which states an authorisation may become another: an answer is final, save that an active
 * one may end.
 */
const AFTER: Record<PixMandateStatus, readonly PixMandateStatus[]> = {
  created: ["active", "rejected", "canceled", "expired"],
  active: ["canceled", "expired"],
  rejected: [],
  canceled: [],
  expired: [],
};

/**
 * What becomes of an authorisation, now that the provider was asked: level by level and never by
 * the order of the news, so that equal calls decide alike. Approved without its first payment
 * nothing is active, and it ends at the provider; paid without it the subscription renews as it
 * did.
 */
export function mandateTransition({
  authorisation,
  said,
  subscription,
  firstCharge,
  now,
}: MandateTransitionInput): MandateTransition {
  const { status: before, attachedAt, endingAt, expiresAt } = authorisation;
  const isNeverMade =
    said === null && before === "created" && (expiresAt <= now || endingAt !== null);
  const next = isNeverMade ? "expired" : (said ?? before);
  const status = AFTER[before].includes(next) ? next : before;
  const isPaid = !isUnpaid(firstCharge);
  const isLeft =
    subscription === "expired" || (isUnpaid(firstCharge) && !isAwaitingPayment(firstCharge));
  const living = status === "active" || status === "created";
  const attaches =
    status === "active" &&
    attachedAt === null &&
    endingAt === null &&
    isPaid &&
    !isLeft &&
    subscription !== "incomplete";
  const isOver = !living && status !== before;
  const tells = attaches
    ? "authorised"
    : !isOver || endingAt !== null || isLeft
      ? null
      : attachedAt !== null
        ? "ended"
        : isPaid
          ? "refused"
          : null;
  return { status, attaches, ends: living && endingAt === null && isLeft, tells };
}
