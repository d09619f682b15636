import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { documentsStatement } from "#app/domain/documents/queries.server.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { balanceOfKind, creatorBalanceRows } from "#app/domain/ledger/queries.server.ts";
import { payoutBlockingChecksStatement } from "#app/domain/audit/queries/checks.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { payoutProviderFor } from "#app/domain/payments/providers/rules/providers.ts";
import { transferCapabilityFor } from "#app/domain/payouts/destinations/rules/destinations.ts";
import type {
  KeyLookupResult,
  DocumentOwner,
} from "#app/domain/payouts/key-owners/rules/key-owners.ts";
import { toPayout } from "#app/domain/payouts/queries.server.ts";
import type { OpenPayout } from "#app/domain/payouts/timeline/rules/timeline.ts";
import type { WithdrawalMethod } from "#app/domain/payouts/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { payoutHolds, payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";
import { availableSinceStatement } from "#app/domain/payouts/batches/queries/available.server.ts";
import { keyAnswerStatement } from "#app/domain/payouts/key-owners/queries/key-owners.server.ts";

/** Loads the destination of a creator's payouts; null before they gave one. */
export async function withdrawalMethodOfCreator(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<WithdrawalMethod | null> {
  const [row] = await withdrawalMethodStatement(ctx, { creatorId });
  return row ?? null;
}

function withdrawalMethodStatement(ctx: Context, { creatorId }: { creatorId: string }) {
  return ctx.db
    .select({
      pixKeyKind: withdrawalMethods.pixKeyKind,
      pixKey: withdrawalMethods.pixKey,
      schedule: withdrawalMethods.schedule,
      holdUntil: withdrawalMethods.holdUntil,
      updatedAt: withdrawalMethods.updatedAt,
    })
    .from(withdrawalMethods)
    .where(eq(withdrawalMethods.creatorId, creatorId))
    .limit(1);
}

export type PayoutSnapshot = {
  method: WithdrawalMethod | null;
  documentsApproved: boolean;
  /** Their documents show an age below 18: what was not paid out is refunded to the payers. */
  isUnderage: boolean;
  /** When their documents were rejected; null if they are not. */
  documentsRejectedAt: Instant | null;
  /** The owner of the money by the approved documents; null while none are approved. */
  owner: TaxId | null;
  ownerName: string | null;
  /**
   * The owner by the documents sent last, approved or not. A destination typed before the approval
   * is compared with it.
   */
  sent: DocumentOwner;
  /**
   * What the Pix directory said of the method's key; null before the lookup, or where none is
   * needed.
   */
  keyAnswer: KeyLookupResult | null;
  hasOpenPayout: boolean;
  openPayout: OpenPayout | null;
  /** When a payout was last requested, by anybody. */
  lastRequestedAt: Instant | null;
  availableCents: Cents;
  /** When the oldest part of it arrived. */
  availableSince: Instant | null;
  isBanned: boolean;
  isLeaving: boolean;
  /** A money invariant is broken, or was not checked for hours. It holds every payout. */
  isHeldByBooks: boolean;
  /** A moderator holds the creator's payouts, for the reason in `holdReason`. */
  isHeldByStaff: boolean;
  holdReason: string | null;
  /** Whether a provider can send money to the destination. */
  canPayOut: boolean;
};

/** Loads everything that decides whether a creator may be paid out now, in one round trip. */
export async function loadPayoutSnapshot(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<PayoutSnapshot> {
  const [methods, docs, open, [last], balances, [person], broken, [hold], [since], [answered]] =
    await ctx.db.batch([
      withdrawalMethodStatement(ctx, { creatorId }),
      documentsStatement(ctx, { personId: creatorId }),
      ctx.db
        .select()
        .from(payouts)
        .where(
          and(
            eq(payouts.creatorId, creatorId),
            inArray(payouts.status, ["requested", "held", "claimed", "sent"]),
          ),
        )
        .limit(1),
      ctx.db
        .select({ at: payouts.requestedAt })
        .from(payouts)
        .where(eq(payouts.creatorId, creatorId))
        .orderBy(desc(payouts.requestedAt))
        .limit(1),
      creatorBalanceRows(ctx, { creatorId }),
      ctx.db
        .select({ bannedAt: people.bannedAt, leavingAt: people.leavingAt })
        .from(people)
        .where(eq(people.id, creatorId))
        .limit(1),
      payoutBlockingChecksStatement(ctx),
      ctx.db
        .select({ reason: payoutHolds.reason })
        .from(payoutHolds)
        .where(and(eq(payoutHolds.creatorId, creatorId), isNull(payoutHolds.endedAt)))
        .limit(1),
      availableSinceStatement(ctx, { creatorId }),
      keyAnswerStatement(ctx, { creatorId }),
    ]);
  const sent = {
    owner: docs[0] ? { taxKind: docs[0].taxKind, taxId: docs[0].taxId } : null,
    ownerName: docs[0]?.sellerName ?? null,
  };
  return {
    method: methods[0] ?? null,
    ...(docs[0]?.status === "approved" ? sent : { owner: null, ownerName: null }),
    sent,
    keyAnswer: answered ?? null,
    documentsApproved: docs[0]?.status === "approved",
    isUnderage: docs[0]?.rejectionCode === "underage",
    documentsRejectedAt: docs[0]?.status === "rejected" ? docs[0].decidedAt : null,
    hasOpenPayout: open.length > 0,
    openPayout: open[0] ? toPayout(open[0]) : null,
    lastRequestedAt: last?.at ?? null,
    availableCents: balanceOfKind(balances, "creator_available"),
    availableSince: since?.at ?? null,
    isBanned: person !== undefined && person.bannedAt !== null,
    isLeaving: person !== undefined && person.leavingAt !== null,
    isHeldByBooks: broken.length > 0,
    isHeldByStaff: hold !== undefined,
    holdReason: hold?.reason ?? null,
    canPayOut:
      payoutProviderFor(ctx.payments, transferCapabilityFor(methods[0]?.pixKeyKind ?? "evp")) !==
      null,
  };
}
