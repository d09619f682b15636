import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import {
  DAY_MS,
  dayNumberOf,
  lowestIdAt,
  MINUTE_MS,
  HOUR_MS,
  startOfDay,
} from "#app/domain/time.ts";
import type { DayNumber, Instant } from "#app/domain/time.ts";
import { analyticsSnapshots } from "#drizzle/schema/analytics.ts";
import { FUNNEL_KIND, PLATFORM, platformDayKind } from "./queries.server.ts";
import { EMPTY_DAY } from "./schema.ts";
import type { CheckoutSums, CreatorFunnel, PlatformDay } from "./schema.ts";

/** A checkout may still be paid some days after it began. */
const DAYS_AGAIN = 4;
const FUNNEL_DAYS = 90;
const LONGEST_PAYOUT_DAYS = 365;

type SumContext = Pick<Context, "db" | "now">;

/** Sums today and the days before it in which something may still change. Safe to repeat. */
export async function sumRecentPlatformDays(ctx: Context): Promise<void> {
  const today = dayNumberOf(ctx.now());
  for (let day = today - DAYS_AGAIN; day <= today; day += 1) await sumPlatformDay(ctx, { day });
  await store(ctx, FUNNEL_KIND, await creatorFunnel(ctx));
}

/** Sums one São Paulo day of the whole platform from charges, payouts and the ledger. */
export async function sumPlatformDay(ctx: SumContext, { day }: { day: DayNumber }): Promise<void> {
  const [from, until] = [startOfDay(day), startOfDay(day + 1)];
  const [money, checkouts, failures, others] = await Promise.all([
    moneyOf(ctx, from, until),
    checkoutsOf(ctx, from, until),
    failuresOf(ctx, from, until),
    othersOf(ctx, from, until),
  ]);
  await store(ctx, platformDayKind(day), {
    ...EMPTY_DAY,
    ...money,
    checkouts,
    failures,
    ...others,
  });
}

async function moneyOf(
  { db }: SumContext,
  from: Instant,
  until: Instant,
): Promise<Pick<PlatformDay, "grossCents" | "feeCents" | "returnedCents">> {
  const [row] = await db.all<Pick<PlatformDay, "grossCents" | "feeCents" | "returnedCents">>(sql`
    SELECT COALESCE(SUM(CASE WHEN t.kind = 'charge.succeeded' AND a.kind = 'provider_clearing' THEN e.amount_cents END), 0) AS grossCents,
      COALESCE(-SUM(CASE WHEN a.kind IN ('platform_fees', 'fees_reserved') THEN e.amount_cents END), 0) AS feeCents,
      COALESCE(-SUM(CASE WHEN (t.kind = 'charge.refunded' AND a.kind IN ('provider_clearing', 'refund_in_transit')) OR (t.kind = 'dispute.lost' AND a.kind = 'provider_clearing') THEN e.amount_cents END), 0) AS returnedCents
    FROM ledger_transactions t JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts a ON a.id = e.account_id
    WHERE t.posted_at >= ${from} AND t.posted_at < ${until}`);
  return row ?? { grossCents: 0, feeCents: 0, returnedCents: 0 };
}

/** Ids are ordered by time: the charges of a day are a part of their primary key. */
const madeWithin = (from: Instant, until: Instant) =>
  sql`c.id >= ${lowestIdAt(from)} AND c.id < ${lowestIdAt(until)}`;

const checkoutsOf = ({ db }: SumContext, from: Instant, until: Instant): Promise<CheckoutSums[]> =>
  db.all<CheckoutSums>(sql`
    SELECT c.method, COUNT(*) AS started, COUNT(c.succeeded_at) AS paid,
      SUM(COALESCE(c.succeeded_at - c.created_at <= ${5 * MINUTE_MS}, 0)) AS paidInFiveMinutes,
      SUM(COALESCE(c.succeeded_at - c.created_at <= ${HOUR_MS}, 0)) AS paidInHour
    FROM charges c WHERE ${madeWithin(from, until)} AND c.period_starts_at IS NULL AND c.purchase_kind <> 'debt'
    GROUP BY c.method ORDER BY c.method`);

const failuresOf = (
  { db }: SumContext,
  from: Instant,
  until: Instant,
): Promise<PlatformDay["failures"]> =>
  db.all<PlatformDay["failures"][number]>(sql`
    SELECT COALESCE(c.failure_code, c.status) AS code, COUNT(*) AS count FROM charges c
    WHERE ${madeWithin(from, until)} AND c.status IN ('failed', 'expired') GROUP BY 1 ORDER BY 2 DESC, 1`);

async function othersOf({ db }: SumContext, from: Instant, until: Instant) {
  // By the day of arrival, of those that were requested up to a year before.
  const arrived = sql`${madeWithin(from - LONGEST_PAYOUT_DAYS * DAY_MS, until)} AND c.settled_at >= ${from} AND c.settled_at < ${until} AND c.status = 'paid'`;
  const [row] = await db.all<{
    disputes: number;
    settled: number;
    waitMs: number;
    activeCreators: number;
    activeFans: number;
  }>(sql`
    SELECT (SELECT COUNT(*) FROM disputes c WHERE ${madeWithin(from, until)}) AS disputes,
      (SELECT COUNT(*) FROM payouts c WHERE ${arrived}) AS settled,
      (SELECT COALESCE(SUM(c.settled_at - c.requested_at), 0) FROM payouts c WHERE ${arrived}) AS waitMs,
      (SELECT COUNT(DISTINCT c.creator_id) FROM charges c WHERE ${madeWithin(from, until)} AND c.succeeded_at IS NOT NULL) AS activeCreators,
      (SELECT COUNT(DISTINCT c.payer_id) FROM charges c WHERE ${madeWithin(from, until)} AND c.succeeded_at IS NOT NULL) AS activeFans`);
  const { disputes = 0, settled = 0, waitMs = 0, activeCreators = 0, activeFans = 0 } = row ?? {};
  return { disputes, payouts: { settled, waitMs }, activeCreators, activeFans };
}

async function creatorFunnel(ctx: SumContext): Promise<CreatorFunnel> {
  const since = lowestIdAt(ctx.now() - FUNNEL_DAYS * DAY_MS);
  const [row] = await ctx.db.all<CreatorFunnel>(sql`
    SELECT COUNT(*) AS registered, COALESCE(SUM(c.is_creator), 0) AS opened,
      COALESCE(SUM(c.is_creator AND c.posts_count > 0), 0) AS published,
      COALESCE(SUM(EXISTS (SELECT 1 FROM plans p WHERE p.creator_id = c.person_id AND p.state = 'active')), 0) AS planned,
      COALESCE(SUM(EXISTS (SELECT 1 FROM transaction_totals t WHERE t.person_id = c.person_id AND t.face = 'received')), 0) AS sold
    FROM profiles c WHERE c.person_id >= ${since}`);
  return row ?? { registered: 0, opened: 0, published: 0, planned: 0, sold: 0 };
}

async function store(
  { db, now }: SumContext,
  kind: string,
  content: PlatformDay | CreatorFunnel,
): Promise<void> {
  const [value, computedAt] = [JSON.stringify(content), now()];
  await db
    .insert(analyticsSnapshots)
    .values({ creatorId: PLATFORM, kind, value, computedAt })
    .onConflictDoUpdate({
      target: [analyticsSnapshots.creatorId, analyticsSnapshots.kind],
      set: { value, computedAt },
    });
}
