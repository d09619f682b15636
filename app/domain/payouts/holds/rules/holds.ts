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
  /** What a moderator consented to send, or null. */
  approvedCents: Cents | null;
  /** Above it a moderator has to consent. */
  approvalLimitCents: Cents;
  /** Whose the key is, as far as it is known. */
  keyVerdict: KeyVerdict;
  now: Instant;
};

/**
 * Why a payout that was asked for may not be claimed now, or null; `until` where the reason ends by
 * itself. What people decided comes before what only time or papers miss, so that the reason that
 * is told is the one to act on. Source: domain rules, "Payouts";
 * docs/decisions/money/claim-a-payout-only-when-nothing-holds-it.md.
 */
export function payoutHold(facts: HoldInput): { reason: HeldReason; until: Instant | null } | null {
  if (facts.isHeldByStaff) return { reason: "moderation", until: null };
  if (!facts.documentsApproved) return { reason: "documents", until: null };
  if (facts.keyVerdict === "other" || facts.keyVerdict === "not_found")
    return { reason: "owner_differs", until: null };
  if (facts.methodHoldUntil !== null && facts.methodHoldUntil > facts.now)
    return { reason: "changed_method", until: facts.methodHoldUntil };
  return facts.approvedCents === null && needsApproval(facts)
    ? { reason: "approval", until: null }
    : null;
}

const needsApproval = ({
  availableCents,
  approvalLimitCents,
}: Pick<HoldInput, "availableCents" | "approvalLimitCents">): boolean =>
  availableCents > approvalLimitCents;

/**
 * What a payout that is asked for now will wait for, as far as it is known beforehand: a
 * moderator's consent, or the books; null where nothing keeps it back.
 */
export type ExpectedWait = "approval" | "books" | null;

/** Whoever asks is not told of minutes that are not. */
export const expectedWait = ({
  isHeldByBooks,
  ...facts
}: Pick<HoldInput, "availableCents" | "approvalLimitCents"> & {
  isHeldByBooks: boolean;
}): ExpectedWait => (needsApproval(facts) ? "approval" : isHeldByBooks ? "books" : null);

/** How long a payout waits for other papers in place of those that were rejected. */
export const DOCUMENTS_RESUBMIT_MS = 30 * DAY_MS;

export type PayoutEndInput = {
  isBanned: boolean;
  /** Their papers showed less than 18 years. */
  isUnderage: boolean;
  /** When their papers were rejected, where no others came; null while they are not. */
  papersRejectedAt: Instant | null;
  hasMethod: boolean;
  availableCents: Cents;
  /** The least that is paid out now (`minimumPayoutCents`). */
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
 * Why a payout that was asked for is over before anything left, or null. INVARIANT: no payout is
 * held for what cannot come: of who is under 18 what was not paid out goes back to who paid,
 * rejected papers that nobody replaces in thirty days leave the money in the balance, for another
 * payout, and so does what refunds left below the least that is paid out. Source: domain rules,
 * "Documents"; docs/decisions/money/claim-a-payout-only-when-nothing-holds-it.md.
 */
export function payoutEnd(facts: PayoutEndInput): PayoutEndReason | null {
  if (facts.isBanned) return "account_suspended";
  if (facts.isUnderage) return "underage";
  if (
    facts.papersRejectedAt !== null &&
    facts.now - facts.papersRejectedAt >= DOCUMENTS_RESUBMIT_MS
  )
    return "documents_rejected";
  if (facts.availableCents <= 0 || !facts.hasMethod) return "nothing_available";
  return facts.availableCents < facts.leastCents ? "below_minimum" : null;
}

/** What its creator reads of an end that they are told of, as sentences. */
export const PAYOUT_END_TEXTS: Partial<Record<PayoutEndReason, string>> = {
  underage:
    "Os documentos mostram menos de 18 anos, e para vender é preciso ter. O que ainda não tinha saído volta para quem pagou.",
  documents_rejected:
    "Os documentos foram recusados há 30 dias e não vieram outros. O dinheiro continua no saldo: mande os documentos de novo e, quando forem aprovados, saque outra vez.",
  below_minimum:
    "Uma devolução deixou menos de R$ 10,00 disponíveis antes de o saque sair. O dinheiro continua no saldo: dá para sacar quando passar disso, ou depois de 30 dias.",
};

/**
 * Why a claimed payout ended before anything of it left: somebody holds it, or its papers are not
 * approved any more.
 */
export const HELD_BEFORE_SENDING_CODE = "held_before_sending";

/**
 * Whether nothing more of what was claimed may be asked of a provider. Source: domain rules,
 * "Payouts"; docs/decisions/money/claim-a-payout-only-when-nothing-holds-it.md.
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
 * How long a provider that says that it has nothing may yet come to have what it was asked for: far
 * longer than a call of ours lasts.
 */
export const PROVIDER_ACCEPTANCE_MS = 15 * MINUTE_MS;

/**
 * Whether a claimed payout of which the provider has nothing may be given back. INVARIANT: its
 * money ends in one place: nothing is given back while a call that asked for it may still arrive.
 */
export const canReverseClaim = (
  { sendAskedAt }: { sendAskedAt: Instant | null },
  now: Instant,
): boolean => sendAskedAt === null || now - sendAskedAt >= PROVIDER_ACCEPTANCE_MS;

/**
 * The first and the last call for a claimed payout whose outcome is not known; null where its
 * provider cannot have it. Source: docs/decisions/money/never-send-the-same-money-twice.md.
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
 * Whether what a moderator consented to still stands after a hold for `reason`: not where other
 * papers or another key come, which nobody looked at. Source:
 * docs/decisions/money/claim-a-payout-only-when-nothing-holds-it.md.
 */
export const approvalSurvivesHold = (reason: HeldReason): boolean =>
  reason !== "documents" && reason !== "changed_method" && reason !== "owner_differs";

/**
 * What a claim takes, in centavos: everything that is available, and never more than what was
 * approved.
 */
export const claimedCents = ({
  availableCents,
  approvedCents,
}: {
  availableCents: Cents;
  approvedCents: Cents | null;
}): Cents => (approvedCents === null ? availableCents : Math.min(availableCents, approvedCents));

/**
 * Whether a moderator may consent: never to their own money, nor to what they asked for. Source:
 * issue 6, "by a second moderator";
 * docs/decisions/money/claim-a-payout-only-when-nothing-holds-it.md.
 */
export const canApprovePayout = (
  moderatorId: string,
  payout: { creatorId: string; actedBy: string | null },
): boolean => moderatorId !== payout.creatorId && moderatorId !== payout.actedBy;

/** As the creator reads it. */
export const PAID_AFTER_REVERSAL_TEXT =
  "O banco disse que um saque seu não chegou e depois que ele foi pago. Estamos conferindo antes do próximo.";
