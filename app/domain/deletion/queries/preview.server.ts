import { and, eq, isNull, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { DeletionPreview } from "#app/domain/deletion/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { feeShareOfRefund } from "#app/domain/payments/rules.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { boughtSums } from "#app/domain/purchases/single-purchases/queries/closing.server.ts";
import {
  closingCents,
  chargesCoveringAfter,
  payingSubscriptions,
  subscribersCount,
} from "#app/domain/subscriptions/coverage/queries.server.ts";
import type { ChargeCoverage } from "#app/domain/subscriptions/coverage/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { apiKeys } from "#drizzle/schema/identity.ts";
import { posts } from "#drizzle/schema/posts.ts";

const SUBSCRIPTIONS_SHOWN = 100;
const CHARGES_PER_PAGE = 500;
const PAGES_PER_SUM = 40;

/**
 * Computes what a person's deletion would do at `dueAt`, to the centavo, by the rules of the
 * deletion itself. Nothing renews until then: only another payment, refund or payout changes it.
 */
export async function deletionPreview(
  ctx: Context,
  { personId, dueAt }: { personId: string; dueAt: Instant },
): Promise<DeletionPreview> {
  const [paying, paid, sold, count, balances, bought, [things]] = await Promise.all([
    payingSubscriptions(ctx, { fanId: personId, limit: SUBSCRIPTIONS_SHOWN }),
    unusedAt(ctx, { of: { fanId: personId }, dueAt }),
    unusedAt(ctx, { of: { creatorId: personId }, dueAt }),
    subscribersCount(ctx, { creatorId: personId }),
    creatorBalances(ctx, { creatorId: personId }),
    boughtSums(ctx, { personId, dueAt }),
    ctx.db
      .select({
        posts:
          sql<number>`(SELECT COUNT(*) FROM ${posts} WHERE ${and(eq(posts.authorId, personId), isNull(posts.deletedAt))})`.as(
            "posts_count",
          ),
        keys: sql<number>`(SELECT COUNT(*) FROM ${apiKeys} WHERE ${and(eq(apiKeys.personId, personId), isNull(apiKeys.revokedAt))})`.as(
          "keys_count",
        ),
        seats:
          sql<number>`(SELECT COUNT(*) FROM event_seats s JOIN events e ON e.id = s.event_id WHERE s.person_id = ${personId} AND s.status = 'taken' AND e.status = 'published' AND e.ends_at > ${dueAt})`.as(
            "seats_count",
          ),
        events:
          sql<number>`(SELECT COUNT(*) FROM events e WHERE e.creator_id = ${personId} AND e.status = 'published' AND e.ends_at > ${dueAt})`.as(
            "events_count",
          ),
      })
      .from(sql`(SELECT 1)`),
  ]);
  return {
    subscriptions: paying.map(({ id, planName, creatorName, accessUntil }) => ({
      id,
      planName,
      creatorName,
      accessUntil,
      refundCents: paid.bySubscription.get(id) ?? 0,
    })),
    refundToThemCents: paid.refundCents,
    purchasesCount: bought.held,
    seatsCount: things?.seats ?? 0,
    eventsCount: things?.events ?? 0,
    subscribersCount: count,
    refundToSubscribersCents: sold.refundCents,
    buyersCount: bought.buyers,
    refundToBuyersCents: bought.refundCents,
    giftsCount: bought.gifts,
    refundToGiversCents: bought.giftsCents,
    refundFromBalanceCents: sold.netCents + bought.netCents + bought.giftsNetCents,
    availableCents: balances.availableCents,
    pendingCents: balances.pendingCents,
    reservedCents: balances.reservedCents,
    inTransitCents: balances.inTransitCents,
    owedCents: balances.owedCents,
    postsCount: things?.posts ?? 0,
    keysCount: things?.keys ?? 0,
  };
}

type UnusedTotals = { refundCents: Cents; netCents: Cents; bySubscription: Map<string, Cents> };

async function unusedAt(
  ctx: Context,
  { of, dueAt }: { of: { fanId: string } | { creatorId: string }; dueAt: Instant },
): Promise<UnusedTotals> {
  const sum: UnusedTotals = { refundCents: 0, netCents: 0, bySubscription: new Map() };
  let afterChargeId = "";
  for (let page = 0; page < PAGES_PER_SUM; page += 1) {
    const rows = await chargesCoveringAfter(ctx, {
      of,
      at: dueAt,
      afterChargeId,
      limit: CHARGES_PER_PAGE,
    });
    for (const row of rows) add(sum, row, dueAt);
    const last = rows.at(-1);
    if (!last || rows.length < CHARGES_PER_PAGE) return sum;
    afterChargeId = last.chargeId;
  }
  return sum;
}

function add(sum: UnusedTotals, row: ChargeCoverage, dueAt: Instant): void {
  const cents = closingCents(row, dueAt);
  if (cents === 0) return;
  sum.refundCents += cents;
  sum.netCents += cents - feeShareOfRefund(row, cents);
  sum.bySubscription.set(
    row.subscriptionId,
    (sum.bySubscription.get(row.subscriptionId) ?? 0) + cents,
  );
}
