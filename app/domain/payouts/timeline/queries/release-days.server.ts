import { and, eq, inArray, lt, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { calendarBucketSql } from "#app/domain/ledger/statements/queries/days.server.ts";
import type { Cents } from "#app/domain/money.ts";
import {
  pendingPartCents,
  isPendingPart,
  RELEASABLE_STATUSES,
} from "#app/domain/payments/releases/queries.server.ts";
import { UNSCHEDULED_RELEASE_AT } from "#app/domain/payments/releases/rules/unscheduled-release.ts";
import { toBalances, balancesStatements } from "#app/domain/payouts/queries.server.ts";
import type { CreatorBalances } from "#app/domain/payouts/queries.server.ts";
import { releaseDays } from "#app/domain/payouts/timeline/rules/release-days.ts";
import type { ReleaseDays } from "#app/domain/payouts/timeline/rules/release-days.ts";
import type { Instant } from "#app/domain/time.ts";
import { chargeReleases, charges } from "#drizzle/schema/payments.ts";

/** Twelve prepaid periods fall on no more days than a year and its edges have. */
const MOST_DAYS = 500;

/**
 * Loads the balances of one creator (centavos), and on which days the pending money becomes
 * available. One round trip; reads every pending part.
 */
export async function balancesByDay(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<CreatorBalances & { coming: ReleaseDays }> {
  const [dated, ...money] = await ctx.db.batch([
    datedReleases(ctx, creatorId),
    ...balancesStatements(ctx, { creatorId }),
  ]);
  const balances = toBalances(money);
  return { ...balances, coming: releaseDays(dated, balances.pendingCents) };
}

/** Statement of the pending parts by São Paulo day, soonest first. */
function datedReleases(ctx: Context, creatorId: string) {
  return ctx.db
    .select({
      releaseAt: sql<Instant>`MIN(${chargeReleases.releaseAt})`.as("day_begins"),
      netCents: sql<Cents>`SUM(${pendingPartCents})`.as("day_cents"),
    })
    .from(chargeReleases)
    .innerJoin(charges, eq(charges.id, chargeReleases.chargeId))
    .where(
      and(
        isPendingPart,
        eq(chargeReleases.creatorId, creatorId),
        lt(chargeReleases.releaseAt, UNSCHEDULED_RELEASE_AT),
        inArray(charges.status, RELEASABLE_STATUSES),
      ),
    )
    .groupBy(calendarBucketSql(chargeReleases.releaseAt, "day"))
    .orderBy(sql`day_begins`)
    .limit(MOST_DAYS);
}
