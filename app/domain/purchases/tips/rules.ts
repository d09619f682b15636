import { MAXIMUM_TIP_CENTS, MINIMUM_TIP_CENTS } from "./schema.ts";
import type { Tip, TipRefundReason } from "./schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { chargeStep } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import type { Instant } from "#app/domain/time.ts";

/** Description on the charge, the receipt and the bank's statement. */
export const tipDescription = (creatorName: string): string => `Apoio a ${creatorName}`;

export const isTipAmount = (amountCents: Cents): boolean =>
  Number.isSafeInteger(amountCents) &&
  amountCents >= MINIMUM_TIP_CENTS &&
  amountCents <= MAXIMUM_TIP_CENTS;

export type TipDecision =
  | { kind: "nothing" }
  /** `endsAttempt`: it was not paid, and another may be given. */
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
  /** The provider's charge now; null if the provider does not know it. */
  providerCharge: ProviderCharge | null;
  tip: Pick<Tip, "paidAt" | "endedAt">;
  /** Another tip between the same two was paid since this one was created; the payer meant one. */
  isPaidByAnother: boolean;
  /** The receiver was banned or is leaving, or a block is between the two. */
  isShut: boolean;
  isPayerLeaving: boolean;
  /** The receiver may sell today. */
  isAccepted: boolean;
  now: Instant;
};

/**
 * Decides the charge of a tip by the provider's answer. A late payment is still given if no other
 * payment gave it and tips are still accepted. Pure: equal inputs decide alike, and the database
 * applies one decision. Source: domain rules, "Plans" and "Charges".
 */
export function decideTip(input: TipDecisionInput): TipDecision {
  const { charge, tip, now } = input;
  const step = chargeStep(charge, input.providerCharge, now);
  const isAttempt = tip.paidAt === null && tip.endedAt === null;
  if (step.kind === "nothing") return step;
  if (step.kind === "progress")
    return {
      kind: "progress",
      status: step.status,
      failureCode: step.failureCode,
      endsAttempt: step.isOver && isAttempt,
    };
  const reason = refusalOf(input, step.providerCharge);
  return reason === null ? { kind: "give" } : { kind: "give_back", reason, endsAttempt: isAttempt };
}

function refusalOf(
  { charge, tip, isPaidByAnother, isShut, isPayerLeaving, isAccepted, now }: TipDecisionInput,
  providerCharge: ProviderCharge,
): TipRefundReason | null {
  if (providerCharge.amountCents !== charge.amountCents) return "amount_differs";
  if (isShut) return "not_accepted";
  if (isPayerLeaving) return "payer_leaving";
  if (isPaidByAnother) return "paid_twice";
  const isLate = tip.endedAt !== null || (charge.expiresAt !== null && charge.expiresAt < now);
  return isLate && !isAccepted ? "not_accepted" : null;
}
