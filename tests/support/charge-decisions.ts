import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { ChargeDecisionInput } from "#app/domain/subscriptions/settlement/rules.ts";
import { instantOf } from "#app/domain/time.ts";

export const day = (year: number, month: number, date: number) =>
  instantOf({ year, month, day: date }, 10 * 3_600_000);
/** The time of the decisions: 10 March 2026 at ten in São Paulo. */
export const now = day(2026, 3, 10);

/** A monthly subscription whose first charge is open. */
export const subscription: Subscription = {
  id: "s",
  fanId: "bruno",
  creatorId: "ana",
  planId: "plan",
  planPriceId: "price",
  interval: "monthly",
  amountCents: 1_990,
  method: "pix",
  status: "incomplete",
  startedAt: null,
  anchorAt: null,
  currentPeriodStartsAt: null,
  currentPeriodEndsAt: null,
  accessUntil: null,
  trialEndsAt: null,
  canceledAt: null,
  pausedAt: null,
  resumesAt: null,
  holdsSeat: true,
  savedMethodId: null,
  recurringPixId: null,
  compEndsAt: null,
  giftedBy: null,
  createdAt: now,
};

/** The charge as its provider reports it. */
export const providerCharge = (
  status: ProviderCharge["status"],
  more: Partial<ProviderCharge> = {},
): ProviderCharge => ({
  id: "ch",
  reference: "c",
  status,
  amountCents: 1_990,
  refundedCents: 0,
  pixCode: null,
  nextActionUrl: null,
  expiresAt: null,
  failureCode: null,
  settlesAt: null,
  savedMethodId: null,
  costCents: null,
  recurringPixId: null,
  ...more,
});

/** The input of a decision about an open first Pix charge that the provider reports as paid. */
export const decisionInput = (more: Partial<ChargeDecisionInput> = {}): ChargeDecisionInput => ({
  charge: {
    status: "awaiting_payment",
    method: "pix",
    amountCents: 1_990,
    expiresAt: now + 1_000,
    periodStartsAt: null,
    periodEndsAt: null,
    periodsCents: null,
    planChangeId: null,
    debitOn: null,
    confirmAskedAt: null,
  },
  providerCharge: providerCharge("succeeded"),
  subscription,
  hasOtherLive: false,
  isShut: false,
  isPayerLeaving: false,
  plan: { state: "active", hasFreeSeat: true },
  coupon: null,
  now,
  ...more,
});
