import { sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import { cohortsOf } from "./rules.ts";
import type { Membership } from "./rules.ts";
import type { Context } from "#app/domain/context.ts";
import { addMonths, DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { analyticsSnapshots } from "#drizzle/schema/analytics.ts";
import type { PeopleSnapshot } from "./schema.ts";

const SUPPORTERS_MAX = 10;
/** A snapshot is made again once a day; a few hours less, so that it keeps its hour. */
const STALE_MS = DAY_MS - 4 * HOUR_MS;
/** More than a run has room for. */
const CREATORS_A_RUN = 3_000;
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
export const refreshSnapshot = (
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<void> => refreshSnapshots(ctx, { creatorIds: [creatorId] });

/** `refreshSnapshot` of some creators in two calls to D1, all or none. */
export async function refreshSnapshots(
  ctx: Context,
  { creatorIds }: { creatorIds: readonly string[] },
): Promise<void> {
  const now = ctx.now();
  const [first, ...rest] = creatorIds.flatMap((creatorId) => snapshotReads(ctx, creatorId, now));
  if (!first) return;
  const answers: unknown[] = await ctx.db.batch([first, ...rest]);
  await commit(
    ctx.db,
    creatorIds.map((creatorId, index) => {
      const [members, supporters, reasons] = answers.slice(
        index * READS_A_CREATOR,
        (index + 1) * READS_A_CREATOR,
      ) as [Membership[], PeopleSnapshot["supporters"], PeopleSnapshot["reasons"]];
      const snapshot: PeopleSnapshot = { cohorts: cohortsOf(members, now), supporters, reasons };
      const value = JSON.stringify(snapshot);
      return ctx.db
        .insert(analyticsSnapshots)
        .values({ creatorId, kind: "people", value, computedAt: now })
        .onConflictDoUpdate({
          target: [analyticsSnapshots.creatorId, analyticsSnapshots.kind],
          set: { value, computedAt: now },
        });
    }),
  );
}

const READS_A_CREATOR = 3;

const snapshotReads = (ctx: Context, creatorId: string, now: Instant) => [
  ctx.db.all(sql`
    SELECT MIN(s.started_at) AS startedAt,
      CASE WHEN SUM(s.status NOT IN ('expired', 'incomplete', 'upcoming')) > 0 THEN NULL ELSE MAX(COALESCE(s.access_until, s.started_at)) END AS endedAt
    FROM subscriptions s WHERE s.creator_id = ${creatorId} AND s.started_at IS NOT NULL AND s.comp_ends_at IS NULL AND s.gifted_by IS NULL
      AND NOT (s.trial_ends_at IS NOT NULL AND COALESCE(s.current_period_starts_at, 0) < s.trial_ends_at)
    GROUP BY s.fan_id ORDER BY startedAt DESC LIMIT ${MEMBERS_READ}`),
  ctx.db.all(sql`
    SELECT c.payer_id AS personId, COUNT(*) AS chargesCount, SUM(c.amount_cents - c.refunded_cents - c.disputed_cents) AS paidCents
    FROM charges c WHERE c.creator_id = ${creatorId} AND c.succeeded_at IS NOT NULL AND c.purchase_kind <> 'debt'
    GROUP BY 1 HAVING paidCents > 0 ORDER BY paidCents DESC, 1 LIMIT ${SUPPORTERS_MAX}`),
  ctx.db.all(sql`
    SELECT c.reason AS reason, COUNT(*) AS count
    FROM subscriptions s JOIN subscription_cancellations c ON c.subscription_id = s.id
    WHERE s.creator_id = ${creatorId} AND c.undone_at IS NULL AND c.created_at >= ${addMonths(now, -12)}
    GROUP BY 1 ORDER BY count DESC, 1`),
];
