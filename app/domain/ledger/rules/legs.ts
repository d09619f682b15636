import type { Cents } from "#app/domain/money.ts";
import type {
  LedgerAccountRef,
  LedgerAccountKind,
  PostingLeg,
  Posting,
} from "#app/domain/ledger/schema.ts";

/** Names an account; `ownerId` is null for one of the platform. */
export const accountRef = (
  kind: LedgerAccountKind,
  ownerId: string | null = null,
): LedgerAccountRef => ({
  kind,
  ownerId,
});

export const debit = (account: LedgerAccountRef, cents: Cents): PostingLeg => ({
  account,
  debitCents: cents,
});

export const credit = (account: LedgerAccountRef, cents: Cents): PostingLeg => ({
  account,
  debitCents: -cents,
});

/**
 * What can be taken from a creator for a refund, in the order of the domain rules. What is missing
 * becomes owed.
 */
export type RefundRecourse = { pendingOfChargeCents: Cents; availableCents: Cents };

/** Takes `netCents` from a creator, by `recourse`. */
export function takeBack(
  creatorId: string,
  netCents: Cents,
  recourse: RefundRecourse,
): PostingLeg[] {
  const pendingCents = Math.min(netCents, recourse.pendingOfChargeCents);
  const availableCents = Math.min(netCents - pendingCents, recourse.availableCents);
  return [
    debit(accountRef("creator_pending", creatorId), pendingCents),
    debit(accountRef("creator_available", creatorId), availableCents),
    debit(accountRef("creator_owed", creatorId), netCents - pendingCents - availableCents),
  ];
}

/** Builds a posting without its zero legs. Throws when the legs do not balance. */
export function posting(
  sourceKey: string,
  kind: Posting["kind"],
  refs: { chargeId?: string | null; payoutId?: string | null },
  legs: PostingLeg[],
): Posting {
  const nonZeroLegs = legs.filter((leg) => leg.debitCents !== 0);
  const sumCents = nonZeroLegs.reduce((sum, leg) => sum + leg.debitCents, 0);
  if (sumCents !== 0) throw new Error(`unbalanced posting ${sourceKey}: ${sumCents}`);
  return {
    sourceKey,
    kind,
    chargeId: refs.chargeId ?? null,
    payoutId: refs.payoutId ?? null,
    legs: nonZeroLegs,
  };
}
