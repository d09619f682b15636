import type { Cents } from "#app/domain/money.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { KeyVerdict } from "#app/domain/payouts/key-owners/rules/key-owners.ts";
import type { HeldReason } from "#app/domain/payouts/schema.ts";

export type HoldInput = {
  isHeldByStaff: boolean;
  documentsApproved: boolean;
  /** When the wait after a change of key ends. */
  methodHoldUntil: Instant | null;
  availableCents: Cents;
  /** The amount that a moderator approved, or null. */
  approvedCents: Cents | null;
  /** Above it a moderator must approve. */
  approvalLimitCents: Cents;
  /** Whether the key belongs to the creator, as far as it is known. */
  keyVerdict: KeyVerdict;
  now: Instant;
};

/**
 * Decides why a requested payout may not be claimed now, or null. `until` is set where the reason
 * ends by itself.
 *
 * Decisions of people come before what time or documents resolve, so that the creator reads the
 * reason to act on. Source: domain rules, "Payouts";
 * docs/decisions/money/claim-a-payout-only-when-nothing-holds-it.md.
 */
export function payoutHold(input: HoldInput): { reason: HeldReason; until: Instant | null } | null {
  if (input.isHeldByStaff) return { reason: "moderation", until: null };
  if (!input.documentsApproved) return { reason: "documents", until: null };
  if (input.keyVerdict === "other" || input.keyVerdict === "not_found")
    return { reason: "owner_differs", until: null };
  if (input.methodHoldUntil !== null && input.methodHoldUntil > input.now)
    return { reason: "changed_method", until: input.methodHoldUntil };
  return input.approvedCents === null && needsApproval(input)
    ? { reason: "approval", until: null }
    : null;
}

const needsApproval = ({
  availableCents,
  approvalLimitCents,
}: Pick<HoldInput, "availableCents" | "approvalLimitCents">): boolean =>
  availableCents > approvalLimitCents;

/**
 * What a payout requested now is expected to wait for: a moderator's approval or the ledger checks.
 * Null where nothing delays it.
 */
export type ExpectedWait = "approval" | "books" | null;

/** Returns the expected wait, so that nobody is promised minutes when it takes longer. */
export const expectedWait = ({
  isHeldByBooks,
  ...input
}: Pick<HoldInput, "availableCents" | "approvalLimitCents"> & {
  isHeldByBooks: boolean;
}): ExpectedWait => (needsApproval(input) ? "approval" : isHeldByBooks ? "books" : null);

/** How long a payout waits for new documents after a rejection. */
export const DOCUMENTS_RESUBMIT_MS = 30 * DAY_MS;

export type PayoutEndInput = {
  isBanned: boolean;
  /** Their documents show an age below 18. */
  isUnderage: boolean;
  /** When their documents were rejected, if no others came; null otherwise. */
  documentsRejectedAt: Instant | null;
  hasMethod: boolean;
  availableCents: Cents;
  /** The minimum payout now (`minimumPayoutCents`). */
  leastCents: Cents;
  now: Instant;
};
export type PayoutEndReason =
  | "account_suspended"
  | "underage"
  | "documents_rejected"
  | "below_minimum"
  | "nothing_available";

/**
 * Decides why a requested payout ends before anything left, or null.
 *
 * INVARIANT: no payout is held for what cannot come. The unpaid money of a seller under 18 is
 * refunded to the payers. Rejected documents that nobody replaces in thirty days end the payout,
 * and the money stays in the balance. So does a balance that refunds left below the minimum.
 * Source: domain rules, "Documents";
 * docs/decisions/money/claim-a-payout-only-when-nothing-holds-it.md.
 */
export function payoutEnd(input: PayoutEndInput): PayoutEndReason | null {
  if (input.isBanned) return "account_suspended";
  if (input.isUnderage) return "underage";
  if (
    input.documentsRejectedAt !== null &&
    input.now - input.documentsRejectedAt >= DOCUMENTS_RESUBMIT_MS
  )
    return "documents_rejected";
  if (input.availableCents <= 0 || !input.hasMethod) return "nothing_available";
  return input.availableCents < input.leastCents ? "below_minimum" : null;
}

/** Portuguese text that the creator reads, for the ends that they are notified of. */
export const PAYOUT_END_TEXTS: Partial<Record<PayoutEndReason, string>> = {
  underage:
    "Os documentos mostram menos de 18 anos, e para vender é preciso ter. O que ainda não tinha saído volta para quem pagou.",
  documents_rejected:
    "Os documentos foram recusados há 30 dias e não vieram outros. O dinheiro continua no saldo: mande os documentos de novo e, quando forem aprovados, saque outra vez.",
  below_minimum:
    "Uma devolução deixou menos de R$ 10,00 disponíveis antes de o saque sair. O dinheiro continua no saldo: dá para sacar quando passar disso, ou depois de 30 dias.",
};

/**
 * Failure code of a claimed payout that ended before it was sent: somebody holds it, or its
 * documents are no longer approved.
 */
export const HELD_BEFORE_SENDING_CODE = "held_before_sending";

/**
 * Whether a claimed payout may no longer be sent to a provider. Source: domain rules, "Payouts";
 * docs/decisions/money/claim-a-payout-only-when-nothing-holds-it.md.
 */
export const isSendingBlocked = ({
  isHeldByStaff,
  isBanned,
  documentsApproved,
}: {
  isHeldByStaff: boolean;
  isBanned: boolean;
  documentsApproved: boolean;
}): boolean => isHeldByStaff || isBanned || !documentsApproved;

/**
 * How long a provider without our transfer may still receive it. It is far longer than one of our
 * calls lasts.
 */
export const PROVIDER_ACCEPTANCE_MS = 15 * MINUTE_MS;

/**
 * Whether a claimed payout that its provider does not have may be reversed.
 *
 * INVARIANT: its money ends in one place. Nothing is reversed while a call that asked for it may
 * still arrive.
 */
export const canReverseClaim = (
  { sendAskedAt }: { sendAskedAt: Instant | null },
  now: Instant,
): boolean => sendAskedAt === null || now - sendAskedAt >= PROVIDER_ACCEPTANCE_MS;

/**
 * Returns the first and the last call with an unconfirmed outcome for a claimed payout; null where
 * its provider cannot have it. Source: docs/decisions/money/never-send-the-same-money-twice.md.
 */
export const unconfirmedSendWindow = ({
  unsureSince,
  sendAskedAt,
}: {
  unsureSince: Instant | null;
  sendAskedAt: Instant | null;
}): { from: Instant; until: Instant } | null =>
  unsureSince === null
    ? null
    : { from: unsureSince, until: Math.max(unsureSince, sendAskedAt ?? 0) };

/**
 * Whether a moderator's approval survives a hold for `reason`. It does not after new documents or a
 * new key, which nobody has checked. Source:
 * docs/decisions/money/claim-a-payout-only-when-nothing-holds-it.md.
 */
export const approvalSurvivesHold = (reason: HeldReason): boolean =>
  reason !== "documents" && reason !== "changed_method" && reason !== "owner_differs";

/** Returns the amount of a claim (centavos): all that is available, at most what was approved. */
export const claimedCents = ({
  availableCents,
  approvedCents,
}: {
  availableCents: Cents;
  approvedCents: Cents | null;
}): Cents => (approvedCents === null ? availableCents : Math.min(availableCents, approvedCents));

/**
 * Whether a moderator may approve a payout: never of their own money, nor one that they requested.
 * Source: issue 6, "by a second moderator";
 * docs/decisions/money/claim-a-payout-only-when-nothing-holds-it.md.
 */
export const canApprovePayout = (
  moderatorId: string,
  payout: { creatorId: string; actedBy: string | null },
): boolean => moderatorId !== payout.creatorId && moderatorId !== payout.actedBy;

/** Portuguese text that the creator reads. */
export const PAID_AFTER_REVERSAL_TEXT =
  "O banco disse que um saque seu não chegou e depois que ele foi pago. Estamos conferindo antes do próximo.";
