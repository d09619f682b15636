import { and, asc, desc, eq, gt, gte, inArray, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import type { Vacation } from "#app/domain/plans/schema/vacations.ts";
import type { Instant } from "#app/domain/time.ts";
import { vacations } from "#drizzle/schema/plans.ts";
import { subscriptions, vacationShifts } from "#drizzle/schema/subscriptions.ts";

const MOVED: SubscriptionStatus[] = [
  "trialing",
  "active",
  "requires_action",
  "past_due",
  "canceled",
];
const isMoved = and(inArray(subscriptions.status, MOVED), isNull(subscriptions.compEndsAt));

/**
 * The subscriptions that a creator's vacation moves, ordered by fan, one for each: at most `limit`,
 * after `afterFanId`.
 */
export async function subscriptionsToShift(
  ctx: Context,
  { creatorId, afterFanId, limit }: { creatorId: string; afterFanId: string; limit: number },
): Promise<{ subscriptionId: string; fanId: string }[]> {
  return await ctx.db
    .select({ subscriptionId: subscriptions.id, fanId: subscriptions.fanId })
    .from(subscriptions)
    .where(
      and(eq(subscriptions.creatorId, creatorId), gt(subscriptions.fanId, afterFanId), isMoved),
    )
    .orderBy(asc(subscriptions.fanId))
    .limit(limit);
}

export type VacationStatus = {
  /** The last vacation, over or not. */ last: Vacation | null;
  isOver: boolean;
  /** How many subscriptions a vacation moves, and how many of them renew. */ moved: number;
  renewing: number;
};

/** Loads a creator's vacation status, in one round trip. */
export async function loadVacationStatus(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<VacationStatus> {
  const [[last], [counts]] = await ctx.db.batch([
    ctx.db
      .select({
        id: vacations.id,
        creatorId: vacations.creatorId,
        startsAt: vacations.startsAt,
        endsAt: vacations.endsAt,
        returnedAt: vacations.returnedAt,
        overAt: vacations.overAt,
      })
      .from(vacations)
      .where(eq(vacations.creatorId, creatorId))
      .orderBy(desc(vacations.startsAt))
      .limit(1),
    ctx.db
      .select({
        moved: sql<number>`COUNT(*)`.as("moved"),
        renewing: sql<number>`COALESCE(SUM(${subscriptions.status} <> 'canceled'), 0)`.as(
          "renewing",
        ),
      })
      .from(subscriptions)
      .where(and(eq(subscriptions.creatorId, creatorId), isMoved)),
  ]);
  return {
    last: last ?? null,
    isOver: last ? last.overAt !== null : true,
    moved: counts?.moved ?? 0,
    renewing: counts?.renewing ?? 0,
  };
}

/** More vacations than can start while a charge is refundable. */
const MOST_SHIFTS = 100;

/**
 * The statement of the total shift of one subscription by each vacation since `since`, oldest
 * first. It may be built once.
 */
export const vacationShiftsStatement = (
  { db }: Pick<Context, "db">,
  { subscriptionId, since }: { subscriptionId: SQL<string>; since: SQL<Instant> },
) =>
  db
    .select({ from: vacations.startsAt, by: vacationShifts.movedMs, at: vacationShifts.createdAt })
    .from(vacationShifts)
    .innerJoin(vacations, eq(vacations.id, vacationShifts.vacationId))
    .where(
      and(eq(vacationShifts.subscriptionId, subscriptionId), gte(vacationShifts.createdAt, since)),
    )
    .orderBy(asc(vacationShifts.createdAt))
    .limit(MOST_SHIFTS);
