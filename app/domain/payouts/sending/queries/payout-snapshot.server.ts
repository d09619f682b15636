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

/** Where a creator's money goes, or null before it was said. */
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
  /** They showed less than 18 years: what was not paid out goes back to who paid. */
  isUnderage: boolean;
  /** When their papers were rejected; null where they are not. */
  papersRejectedAt: Instant | null;
  /** Whose the money is, by the documents that are approved; null while none are. */
  owner: TaxId | null;
  ownerName: string | null;
  /**
   * The same by the documents that were sent last, approved or not: what a place that is typed
   * before the approval is compared with.
   */
  sent: DocumentOwner;
  /**
   * What the directory of Pix said of the method's key; null while it was not asked, or of a place
   * that says so itself.
   */
  keyAnswer: KeyLookupResult | null;
  hasOpenPayout: boolean;
  openPayout: OpenPayout | null;
  /** When a payout was last asked for, by whomever. */
  lastRequestedAt: Instant | null;
  availableCents: Cents;
  /** When the oldest part of it arrived. */
  availableSince: Instant | null;
  isBanned: boolean;
  isLeaving: boolean;
  /**
   * An invariant of money that is broken, or that nobody could look at for hours, holds every
   * payout back.
   */
  isHeldByBooks: boolean;
  /** A moderator holds theirs, and says why in `heldTextForStaff`. */
  isHeldByStaff: boolean;
  heldWords: string | null;
  /** Whether a provider can send it there. */
  canPayOut: boolean;
};

/** Everything that decides whether a creator may be paid out now, in one round trip. */
export async function loadPayoutSnapshot(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<PayoutSnapshot> {
  const [methods, papers, open, [last], balances, [person], broken, [hold], [since], [answered]] =
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
    owner: papers[0] ? { taxKind: papers[0].taxKind, taxId: papers[0].taxId } : null,
    ownerName: papers[0]?.sellerName ?? null,
  };
  return {
    method: methods[0] ?? null,
    ...(papers[0]?.status === "approved" ? sent : { owner: null, ownerName: null }),
    sent,
    keyAnswer: answered ?? null,
    documentsApproved: papers[0]?.status === "approved",
    isUnderage: papers[0]?.rejectionCode === "underage",
    papersRejectedAt: papers[0]?.status === "rejected" ? papers[0].decidedAt : null,
    hasOpenPayout: open.length > 0,
    openPayout: open[0] ? toPayout(open[0]) : null,
    lastRequestedAt: last?.at ?? null,
    availableCents: balanceOfKind(balances, "creator_available"),
    availableSince: since?.at ?? null,
    isBanned: person !== undefined && person.bannedAt !== null,
    isLeaving: person !== undefined && person.leavingAt !== null,
    isHeldByBooks: broken.length > 0,
    isHeldByStaff: hold !== undefined,
    heldWords: hold?.reason ?? null,
    canPayOut:
      payoutProviderFor(ctx.payments, transferCapabilityFor(methods[0]?.pixKeyKind ?? "evp")) !==
      null,
  };
}
