import { sql } from "drizzle-orm";
import { cohortsOf } from "#app/domain/analytics/people/rules.ts";
import type { Membership } from "#app/domain/analytics/people/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { addMonths, DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { analyticsSnapshots } from "#drizzle/schema/analytics.ts";
import type { PeopleSnapshot } from "./schema.ts";

const SUPPORTERS_KEPT = 10;
/** A snapshot is made again once a day; a few hours less, so that it keeps its hour. */
const STALE_MS = DAY_MS - 4 * HOUR_MS;
/** More than a run has room for. */
const CREATORS_A_RUN = 1_000;
const MEMBERS_READ = 50_000;

/** The creators whose snapshot is missing or old, the oldest first. Only who ever sold has one. */
export async function dueSnapshots(ctx: Context): Promise<string[]> {
  const rows = await ctx.db.all<{ creatorId: string }>(sql`
    SELECT c.person_id AS creatorId FROM profiles c
    LEFT JOIN analytics_snapshots s ON s.creator_id = c.person_id AND s.kind = 'people'
    WHERE c.is_creator = 1 AND COALESCE(s.computed_at, 0) < ${ctx.now() - STALE_MS}
      AND EXISTS (SELECT 1 FROM transaction_totals t WHERE t.person_id = c.person_id AND t.face = 'received')
    ORDER BY COALESCE(s.computed_at, 0), c.person_id LIMIT ${CREATORS_A_RUN}`);
  return rows.map(({ creatorId }) => creatorId);
}

/**
 * Calculates what the page of people shows of all subscriptions and payments of a creator, and
 * stores it. Safe to repeat.
 */
export async function refreshSnapshot(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<void> {
  const now = ctx.now();
  const members = await ctx.db.all<Membership>(sql`
    SELECT MIN(s.started_at) AS startedAt,
      CASE WHEN SUM(s.status NOT IN ('expired', 'incomplete', 'upcoming')) > 0 THEN NULL ELSE MAX(COALESCE(s.access_until, s.started_at)) END AS endedAt
    FROM subscriptions s WHERE s.creator_id = ${creatorId} AND s.started_at IS NOT NULL AND s.comp_ends_at IS NULL AND s.gifted_by IS NULL
      AND NOT (s.trial_ends_at IS NOT NULL AND COALESCE(s.current_period_starts_at, 0) < s.trial_ends_at)
    GROUP BY s.fan_id ORDER BY startedAt DESC LIMIT ${MEMBERS_READ}`);
  const supporters = await ctx.db.all<PeopleSnapshot["supporters"][number]>(sql`
    SELECT c.payer_id AS personId, COUNT(*) AS chargesCount, SUM(c.amount_cents - c.refunded_cents - c.disputed_cents) AS paidCents
    FROM charges c WHERE c.creator_id = ${creatorId} AND c.succeeded_at IS NOT NULL AND c.purchase_kind <> 'debt'
    GROUP BY 1 HAVING paidCents > 0 ORDER BY paidCents DESC, 1 LIMIT ${SUPPORTERS_KEPT}`);
  const reasons = await ctx.db.all<PeopleSnapshot["reasons"][number]>(sql`
    SELECT c.reason AS reason, COUNT(*) AS count
    FROM subscriptions s JOIN subscription_cancellations c ON c.subscription_id = s.id
    WHERE s.creator_id = ${creatorId} AND c.undone_at IS NULL AND c.created_at >= ${addMonths(now, -12)}
    GROUP BY 1 ORDER BY count DESC, 1`);
  const value: PeopleSnapshot = { cohorts: cohortsOf(members, now), supporters, reasons };
  await ctx.db
    .insert(analyticsSnapshots)
    .values({ creatorId, kind: "people", value: JSON.stringify(value), computedAt: now })
    .onConflictDoUpdate({
      target: [analyticsSnapshots.creatorId, analyticsSnapshots.kind],
      set: { value: JSON.stringify(value), computedAt: now },
    });
}
