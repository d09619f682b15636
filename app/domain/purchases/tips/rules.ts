import { MAXIMUM_TIP_CENTS, MINIMUM_TIP_CENTS } from "./schema.ts";
import type { Tip, TipRefundReason } from "./schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { chargeStep } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import type { Instant } from "#app/domain/time.ts";

/** On the charge, the receipt and the bank's statement. */
export const tipDescription = (creatorName: string): string => `Apoio a ${creatorName}`;

export const isTipAmount = (amountCents: Cents): boolean =>
  Number.isSafeInteger(amountCents) &&
  amountCents >= MINIMUM_TIP_CENTS &&
  amountCents <= MAXIMUM_TIP_CENTS;

export type TipDecision =
  | { kind: "nothing" }
  /** `endsAttempt`: nobody paid, and another may be given. */
  | {
      kind: "progress";
      status: ProviderCharge["status"];
      failureCode: string | null;
      endsAttempt: boolean;
    }
  | { kind: "give" }
  | { kind: "give_back"; reason: TipRefundReason; endsAttempt: boolean };

export type TipDecisionInput = {
  charge: { status: ChargeStatus; amountCents: Cents; expiresAt: Instant | null };
  /** What the provider says now; null when it never heard of the charge. */
  said: ProviderCharge | null;
  tip: Pick<Tip, "paidAt" | "endedAt">;
  /** Another tip between the same two was paid since this one was begun: it was meant as one. */
  isPaidByAnother: boolean;
  /** Who gets it was banned or is leaving, or a block stands between the two. */
  isShut: boolean;
  isPayerLeaving: boolean;
  /** Who gets it may sell today. */
  isAccepted: boolean;
  now: Instant;
};

/**
 * What happens to the charge of a tip now that the provider was asked. Paid late it is still given,
 * if it was not given by another payment meanwhile and is still accepted. Pure: equal facts decide
 * alike, and the database lets one through. Source: domain rules, "Plans" and "Charges".
 */
export function decideTip(facts: TipDecisionInput): TipDecision {
  const { charge, tip, now } = facts;
  const step = chargeStep(charge, facts.said, now);
  const isAttempt = tip.paidAt === null && tip.endedAt === null;
  if (step.kind === "nothing") return step;
  if (step.kind === "progress")
    return {
      kind: "progress",
      status: step.status,
      failureCode: step.failureCode,
      endsAttempt: step.isOver && isAttempt,
    };
  const reason = refusalOf(facts, step.said);
  return reason === null ? { kind: "give" } : { kind: "give_back", reason, endsAttempt: isAttempt };
}

function refusalOf(
  { charge, tip, isPaidByAnother, isShut, isPayerLeaving, isAccepted, now }: TipDecisionInput,
  said: ProviderCharge,
): TipRefundReason | null {
  if (said.amountCents !== charge.amountCents) return "amount_differs";
  if (isShut) return "not_accepted";
  if (isPayerLeaving) return "payer_leaving";
  if (isPaidByAnother) return "paid_twice";
  const isLate = tip.endedAt !== null || (charge.expiresAt !== null && charge.expiresAt < now);
  return isLate && !isAccepted ? "not_accepted" : null;
}
