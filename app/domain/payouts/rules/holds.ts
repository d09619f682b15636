import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import type { HeldReason } from "#app/domain/payouts/schema.ts";

export type HoldFacts = {
  isHeldByStaff: boolean;
  documentsApproved: boolean;
  /** When the wait after a change of key ends. */
  methodHoldUntil: Instant | null;
  availableCents: Cents;
  /** What a moderator consented to send, or null. */
  approvedCents: Cents | null;
  /** Above it a moderator has to consent. */
  approvalLimitCents: Cents;
  now: Instant;
};

/**
 * Why a payout that was asked for may not be claimed now, or null; `until` where the reason ends by itself. What people decided comes before what only
 * time or papers miss, so that the reason that is told is the one to act on. Source: domain rules, "Payouts"; decision 0204.
 */
export function holdOf(facts: HoldFacts): { reason: HeldReason; until: Instant | null } | null {
  if (facts.isHeldByStaff) return { reason: "moderation", until: null };
  if (!facts.documentsApproved) return { reason: "documents", until: null };
  if (facts.methodHoldUntil !== null && facts.methodHoldUntil > facts.now) return { reason: "changed_method", until: facts.methodHoldUntil };
  return facts.approvedCents === null && facts.availableCents > facts.approvalLimitCents ? { reason: "approval", until: null } : null;
}

/** What a claim takes, in centavos: everything that is available, and never more than what was approved. */
export const claimedCents = ({ availableCents, approvedCents }: { availableCents: Cents; approvedCents: Cents | null }): Cents => (approvedCents === null ? availableCents : Math.min(availableCents, approvedCents));

/** Whether a moderator may consent: never to their own money, nor to what they asked for. Source: issue 6, "by a second moderator"; decision 0204. */
export const mayApprove = (moderatorId: string, payout: { creatorId: string; actedBy: string | null }): boolean => moderatorId !== payout.creatorId && moderatorId !== payout.actedBy;
