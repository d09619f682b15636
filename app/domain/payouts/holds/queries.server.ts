import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { payoutProviderFor, findProvider } from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import { claimedCents } from "#app/domain/payouts/holds/rules/holds.ts";
import { transferCapabilityFor } from "#app/domain/payouts/destinations/rules/destinations.ts";
import type { DestinationKind } from "#app/domain/payouts/schema/destinations.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { ledgerAccounts } from "#drizzle/schema/ledger.ts";
import { payouts, withdrawalMethods } from "#drizzle/schema/payouts.ts";

/**
 * A waiting payout, the amount it needs (centavos) and its provider; null where that is not
 * configured.
 */
type WaitingPayout = { id: string; amountCents: Cents; provider: PaymentProvider | null };

/** Lists payouts that wait for money at their provider and are due for a check, oldest first. */
export async function payoutsWaitingForBalance(
  ctx: Context,
  { limit }: { limit: number },
): Promise<WaitingPayout[]> {
  const rows = await ctx.db
    .select({
      id: payouts.id,
      status: payouts.status,
      amountCents: payouts.amountCents,
      approvedCents: payouts.approvedCents,
      provider: payouts.provider,
      kind: sql<DestinationKind>`COALESCE(${withdrawalMethods.pixKeyKind}, ${payouts.pixKeyKind})`,
      availableCents: sql<Cents>`COALESCE(-${ledgerAccounts.balanceCents}, 0)`,
    })
    .from(payouts)
    .leftJoin(withdrawalMethods, eq(withdrawalMethods.creatorId, payouts.creatorId))
    .leftJoin(
      ledgerAccounts,
      eq(ledgerAccounts.id, sql`'creator_available:' || ${payouts.creatorId}`),
    )
    .where(
      and(
        inArray(payouts.status, ["requested", "claimed"]),
        eq(payouts.waitsFor, "balance"),
        lte(payouts.waitsUntil, ctx.now()),
        isRetryDue(ctx, payouts.id),
      ),
    )
    .orderBy(asc(payouts.requestedAt))
    .limit(limit);
  return rows.map(({ id, status, provider, kind, ...row }) =>
    status === "claimed"
      ? { id, amountCents: row.amountCents, provider: findProvider(ctx.payments, provider) }
      : {
          id,
          amountCents: claimedCents(row),
          provider: payoutProviderFor(ctx.payments, transferCapabilityFor(kind)),
        },
  );
}

/**
 * Lists at most `limit` payouts that wait for the Pix directory to name the key owner, and whether
 * each is due. Those asked about the longest ago come first.
 */
export async function payoutsWaitingForKeyOwner(
  ctx: Context,
  { limit }: { limit: number },
): Promise<{ id: string; isDue: boolean }[]> {
  const now = ctx.now();
  const rows = await ctx.db
    .select({ id: payouts.id, waitsUntil: payouts.waitsUntil })
    .from(payouts)
    // Written as in the index `payouts_waiting_for_owner`: SQLite would not use the index with a
    // parameter.
    .where(
      and(
        eq(payouts.status, "requested"),
        sql`${payouts.waitsFor} = 'key_owner'`,
        isRetryDue(ctx, payouts.id),
      ),
    )
    .orderBy(asc(payouts.waitsUntil), asc(payouts.id))
    .limit(limit);
  return rows.map(({ id, waitsUntil }) => ({ id, isDue: (waitsUntil ?? 0) <= now }));
}
