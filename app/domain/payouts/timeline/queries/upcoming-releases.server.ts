import { and, asc, eq, gte, inArray, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import {
  pendingPartCents,
  isPendingPart,
  RELEASABLE_STATUSES,
} from "#app/domain/payments/releases/queries.server.ts";
import { UNSCHEDULED_RELEASE_AT } from "#app/domain/payments/releases/rules/unscheduled-release.ts";
import { civilDate, DAY_MS, instantOf } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { chargeReleases, charges } from "#drizzle/schema/payments.ts";

/**
 * Which upcoming releases: those of one day, those after a day (both by its first instant), or
 * those without a date.
 */
export type UpcomingReleasesFilter = { on: Instant } | { after: Instant } | "undated";

export type UpcomingRelease = {
  id: string;
  at: Instant | null;
  chargeId: string;
  description: string;
  cents: Cents;
};

/**
 * Lists the sale parts behind one line of the upcoming releases (`releaseDays`), soonest first,
 * with the sum of all (centavos). One round trip.
 */
export async function upcomingReleases(
  ctx: Context,
  {
    creatorId,
    which,
    cursor,
    limit,
  }: { creatorId: string; which: UpcomingReleasesFilter; cursor: string | null; limit: number },
): Promise<Page<UpcomingRelease> & { sumCents: Cents }> {
  const after = decodeCursor(cursor);
  const those = and(isPendingPart, eq(chargeReleases.creatorId, creatorId), partsIn(which));
  const [rows, [sum]] = await ctx.db.batch([
    ctx.db
      .select({
        id: chargeReleases.id,
        at: chargeReleases.releaseAt,
        chargeId: chargeReleases.chargeId,
        description: charges.description,
        cents: sql<Cents>`${pendingPartCents}`.as("part_cents"),
      })
      .from(chargeReleases)
      .innerJoin(charges, eq(charges.id, chargeReleases.chargeId))
      .where(
        and(
          those,
          after
            ? sql`(${chargeReleases.releaseAt}, ${chargeReleases.id}) > (${after.at}, ${after.id})`
            : undefined,
        ),
      )
      .orderBy(asc(chargeReleases.releaseAt), asc(chargeReleases.id))
      .limit(limit + 1),
    ctx.db
      .select({ cents: sql<Cents>`COALESCE(SUM(${pendingPartCents}), 0)`.as("all_cents") })
      .from(chargeReleases)
      .innerJoin(charges, eq(charges.id, chargeReleases.chargeId))
      .where(those),
  ]);
  const page = pageOf(rows, limit, ({ at, id }) => ({ at, id }));
  return {
    ...page,
    items: page.items.map((row) => ({
      ...row,
      at: row.at < UNSCHEDULED_RELEASE_AT ? row.at : null,
    })),
    sumCents: sum?.cents ?? 0,
  };
}

const isDated = and(
  lt(chargeReleases.releaseAt, UNSCHEDULED_RELEASE_AT),
  inArray(charges.status, RELEASABLE_STATUSES),
);

function partsIn(which: UpcomingReleasesFilter): SQL | undefined {
  if (which === "undated") return sql`NOT (${isDated})`;
  const nextDay = (at: Instant): Instant => instantOf(civilDate(instantOf(civilDate(at)) + DAY_MS));
  return "on" in which
    ? and(
        isDated,
        gte(chargeReleases.releaseAt, instantOf(civilDate(which.on))),
        lt(chargeReleases.releaseAt, nextDay(which.on)),
      )
    : and(isDated, gte(chargeReleases.releaseAt, nextDay(which.after)));
}
