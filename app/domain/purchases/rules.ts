import { chargeStep, isRefundable } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { coolingOffEndsAt } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import type { PurchaseRefundReason, Purchase, SingleKind } from "./schema.ts";

/** Where what was bought is seen. */
export const purchasedContentPath = (kind: SingleKind, targetId: string): string =>
  `/${kind}/${targetId}`;

/** Providers refuse longer descriptions. */
const TITLE_SHOWN = 90;

/**
 * "Publicação “Como afino a rabeca”, de Ana Lira": on the charge, the receipt and the bank's
 * statement. Quotes of the title are single inside these.
 */
export function singleDescription({
  kind,
  title,
  creatorName,
}: {
  kind: SingleKind;
  title: string;
  creatorName: string;
}): string {
  const letters = Array.from(title);
  const shown =
    letters.length > TITLE_SHOWN ? `${letters.slice(0, TITLE_SHOWN).join("").trimEnd()}…` : title;
  return `${kind === "post" ? "Publicação" : "Coleção"} “${shown.replaceAll("“", "‘").replaceAll("”", "’")}”, de ${creatorName}`;
}

export type PurchaseDecision =
  | { kind: "nothing" }
  /** `endsAttempt`: nobody paid, and something else may be tried. */
  | {
      kind: "progress";
      status: ProviderCharge["status"];
      failureCode: string | null;
      endsAttempt: boolean;
    }
  | { kind: "buy" }
  | { kind: "give_back"; reason: PurchaseRefundReason; endsAttempt: boolean };

export type PurchaseDecisionInput = {
  charge: { status: ChargeStatus; amountCents: Cents; expiresAt: Instant | null };
  /** What the provider says now; null when it never heard of the charge. */
  said: ProviderCharge | null;
  purchase: Pick<Purchase, "boughtAt" | "endedAt">;
  /** The person holds it already: by another purchase of it, or by a collection that they bought. */
  isHeldAlready: boolean;
  /** Who sells was banned or is leaving, or a block stands between the two. */
  isShut: boolean;
  isPayerLeaving: boolean;
  /** Deleted, taken off the air, or held by the moderation. */
  isGone: boolean;
  /** Its price, whatever it is now, is still asked. */
  isSold: boolean;
  now: Instant;
};

/**
 * What happens to a charge and to what is bought by it, now that the provider was asked. An offer
 * stands for as long as its charge lives: a price that was changed or withdrawn meanwhile still
 * buys; paid later, only what is still sold. Pure: equal facts decide alike, and the database lets
 * one through. Source: domain rules, "Access to a post" and "Charges"; CDC art. 30.
 */
export function decidePurchase(facts: PurchaseDecisionInput): PurchaseDecision {
  const { charge, purchase, now } = facts;
  const step = chargeStep(charge, facts.said, now);
  const isAttempt = purchase.boughtAt === null && purchase.endedAt === null;
  if (step.kind === "nothing") return step;
  if (step.kind === "progress")
    return {
      kind: "progress",
      status: step.status,
      failureCode: step.failureCode,
      endsAttempt: step.isOver && isAttempt,
    };
  const reason = refusalOf(facts, step.said);
  return reason === null ? { kind: "buy" } : { kind: "give_back", reason, endsAttempt: isAttempt };
}

function refusalOf(
  {
    charge,
    purchase,
    isHeldAlready,
    isShut,
    isPayerLeaving,
    isGone,
    isSold,
    now,
  }: PurchaseDecisionInput,
  said: ProviderCharge,
): PurchaseRefundReason | null {
  if (said.amountCents !== charge.amountCents) return "amount_differs";
  if (isShut || isGone) return "not_sold";
  if (isPayerLeaving) return "payer_leaving";
  if (isHeldAlready) return "already_bought";
  const isLate = purchase.endedAt !== null || (charge.expiresAt !== null && charge.expiresAt < now);
  return isLate && !isSold ? "not_sold" : null;
}

/**
 * Until when everything is given back to who regrets (the midnight that ends the last day); null
 * for what was never paid.
 */
export function coolingOffUntil({ boughtAt }: Pick<Purchase, "boughtAt">): Instant | null {
  return boughtAt === null ? null : coolingOffEndsAt(boughtAt);
}

export type CoolingOffRefundProblem = "over" | "too_late" | "disputed";

/** Why a purchase cannot be regretted at `now`, or null when it can. */
export function coolingOffRefundProblem(
  purchase: Pick<Purchase, "boughtAt" | "endedAt">,
  charge: { status: ChargeStatus },
  now: Instant,
): CoolingOffRefundProblem | null {
  const until = coolingOffUntil(purchase);
  if (until === null || purchase.endedAt !== null) return "over";
  if (now >= until) return "too_late";
  return isRefundable(charge.status) ? null : "disputed";
}
