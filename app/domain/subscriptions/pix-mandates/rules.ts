import type { Cents } from "#app/domain/money.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { isMethodOffered, acquirerFor } from "#app/domain/payments/providers/rules/providers.ts";
import { isUnpaid, isAwaitingPayment } from "#app/domain/payments/rules.ts";
import type { PaymentProviders } from "#app/domain/payments/schema.ts";
import type { PixMandate, PixMandateStatus } from "./schema.ts";
import type { Subscription, SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { addDays, daysBetween, instantOfIsoDay, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** A debit is made the day before its period, so that access never waits for the bank's morning. */
const DEBIT_LEAD_DAYS = 1;
/**
 * The debit order is sent this many days before the period. The Banco Central allows 10 to 2 days
 * before the debit.
 */
export const DEBIT_ORDER_LEAD_DAYS = 5;
/**
 * An order reaches the payer's bank at least two days before its day. Source: Banco Central, Pix
 * Automático.
 */
const LEAST_NOTICE_DAYS = 2;
/**
 * Three retries within seven days of the first try. Source: Banco Central, Pix Automático, retry
 * policy 3R_7D.
 */
const MOST_RETRIES = 3;
const RETRY_WINDOW_DAYS = 7;
const RETRY_EVERY_DAYS = 2;

/** Whether Pix Automático is offered: the provider supports it, and Pix is switched on. */
export const isPixMandateOffered = (ctx: {
  payments: PaymentProviders;
  settings: { pixEnabled: boolean };
}): boolean =>
  acquirerFor(ctx.payments, "pix").can.has("recurring_pix") && isMethodOffered("pix", ctx);

/**
 * The terms that a mandate's code authorises: one amount, or with a coupon any amount up to the
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
 * Whether a mandate allows a debit of `amountCents` (centavos). Other amounts need a new mandate or
 * a payment by hand.
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

/** The scheduled debit day (`YYYY-MM-DD`, São Paulo) of the period that starts at `periodStartsAt`. */
export const scheduledDebitDay = (periodStartsAt: Instant): string =>
  isoDay(addDays(periodStartsAt, -DEBIT_LEAD_DAYS));

/**
 * When the next charge is made: at the end of the period, or on its eve where the bank debits it by
 * a Pix mandate (`recurringPixId`).
 */
export const nextChargeAt = (
  periodEndsAt: Instant,
  { recurringPixId }: { recurringPixId: string | null },
): Instant =>
  recurringPixId === null ? periodEndsAt : instantOfIsoDay(scheduledDebitDay(periodEndsAt));

/**
 * The day of a debit ordered at `now`: the scheduled one, or the first that the bank still accepts.
 * Null when that is after `paidBy`.
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
 * The day of the next try of a refused debit. `tries` counts those made so far. Null when the bank
 * accepts no more, or none before `paidBy`.
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

/** The failure code, in our and the provider's answers, of a charge that ended with its mandate. */
export const MANDATE_ENDED = "authorisation_ended";

/** The statuses in which a debit may pay for the next period. */
const DEBITED: readonly SubscriptionStatus[] = ["active", "requires_action", "past_due"];

export const canBeDebited = (status: SubscriptionStatus): boolean => DEBITED.includes(status);

/** Whether a subscription may move to a Pix mandate: it is paid, and it renews. */
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
 * Whether the next period may be paid by a code requested by hand: it is past due, or the bank
 * refused its debit.
 */
export const canPayByCode = (
  status: SubscriptionStatus,
  debit: { isRefused: boolean } | null,
): boolean => status === "past_due" || (status === "active" && debit?.isRefused === true);

export type PixMandateState = "waiting" | "authorised" | "none";

/**
 * The state of a mandate for the payer of its code: the bank has not answered, renewals are
 * debited, or they are not.
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
 * The status of a debit that the bank refused. While its subscription renews and its mandate is
 * active, it waits for a retry (`processing`, with the reason).
 */
export function debitAfterRefusal(
  status: SubscriptionStatus,
  failureCode: string | null,
): "processing" | "failed" {
  return canBeDebited(status) && failureCode !== MANDATE_ENDED ? "processing" : "failed";
}

export type MandateTransitionInput = {
  mandate: Pick<PixMandate, "status" | "attachedAt" | "endingAt" | "expiresAt">;
  /** What the provider reports now; null when it does not know the mandate. */
  providerStatus: PixMandateStatus | null;
  /** The status of the subscription, which decides whether it may renew by the mandate. */
  subscription: SubscriptionStatus;
  /** The status of the charge that the mandate's code pays. */
  firstCharge: ChargeStatus;
  now: Instant;
};

export type MandateTransition = {
  status: PixMandateStatus;
  /** The mandate pays the renewals from now on. */
  attaches: boolean;
  /** The provider has to end it: nothing is left for it to pay. */
  ends: boolean;
  /** What the payer is notified of. */
  notifies: "authorised" | "refused" | "ended" | null;
};

/** The allowed transitions of a mandate: an answer is final, except that an active mandate may end. */
const AFTER: Record<PixMandateStatus, readonly PixMandateStatus[]> = {
  created: ["active", "rejected", "canceled", "expired"],
  active: ["canceled", "expired"],
  rejected: [],
  canceled: [],
  expired: [],
};

/**
 * Decides the transition of a mandate after the provider answered. It uses current states and never
 * the order of updates, so that equal calls decide alike. Approved without its first payment, it
 * never becomes active, and ends at the provider. With only the payment made, the subscription
 * renews as before.
 */
export function mandateTransition({
  mandate,
  providerStatus,
  subscription,
  firstCharge,
  now,
}: MandateTransitionInput): MandateTransition {
  const { status: before, attachedAt, endingAt, expiresAt } = mandate;
  const isNeverMade =
    providerStatus === null && before === "created" && (expiresAt <= now || endingAt !== null);
  const next = isNeverMade ? "expired" : (providerStatus ?? before);
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
  const notifies = attaches
    ? "authorised"
    : !isOver || endingAt !== null || isLeft
      ? null
      : attachedAt !== null
        ? "ended"
        : isPaid
          ? "refused"
          : null;
  return { status, attaches, ends: living && endingAt === null && isLeft, notifies };
}
