import { and, between, desc, eq, lt, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { DayNumber, Instant } from "#app/domain/time.ts";
import { recurringDays, recurringMoves } from "#drizzle/schema/analytics.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import type { RecurringKind, RecurringMove } from "#app/domain/analytics/recurring/rules.ts";

/** One change of a subscription that moved the recurring revenue. */
export type SubscriptionMove = {
  id: string;
  movedAt: Instant;
  /** Below zero for contraction and churn. */
  monthlyCents: Cents;
  /** The plan that the subscription has now; empty when it is gone. */
  planName: string;
  /** Who subscribes, with the name they have now; null once the account is erased. */
  fan: { name: string; username: string } | null;
};

export type SubscriptionMoves = {
  page: Page<SubscriptionMove>;
  /** All moves of these days, those without a row of their own included. */
  total: RecurringMove;
  /** The first day with rows, where earlier ones of these days have only their sum; else null. */
  listedSince: DayNumber | null;
};

const fan = alias(profiles, "fan");

type MovesRequest = { creatorId: string; kind: RecurringKind; from: DayNumber; until: DayNumber };

/**
 * The changes of one kind between two São Paulo days, both included, newest first: what a figure of
 * the recurring revenue sums. One round trip; reads one page of rows, and one row for each day.
 */
export async function subscriptionMoves(
  ctx: Context,
  { cursor, limit, ...asked }: MovesRequest & { cursor: string | null; limit: number },
): Promise<SubscriptionMoves> {
  const [rows, sums] = await ctx.db.batch([
    rowsStatement(ctx, { ...asked, cursor, limit }),
    sumsStatement(ctx, asked),
  ]);
  const { items, next } = pageOf(rows, limit, (row) => ({ at: row.day, id: String(row.id) }));
  const first = sums[0]?.firstListed ?? asked.until + 1;
  return {
    page: { next, items: items.map(asMove) },
    total: {
      count: sums.reduce((sum, { count }) => sum + count, 0),
      monthlyCents: sums.reduce((sum, { monthlyCents }) => sum + monthlyCents, 0),
    },
    listedSince: sums.some((sum) => sum.day < first) ? first : null,
  };
}

function rowsStatement(
  ctx: Context,
  {
    creatorId,
    kind,
    from,
    until,
    cursor,
    limit,
  }: MovesRequest & { cursor: string | null; limit: number },
) {
  const { day, id } = recurringMoves;
  const after = decodeCursor(cursor);
  return ctx.db
    .select({
      id,
      day,
      movedAt: recurringMoves.movedAt,
      monthlyCents: recurringMoves.monthlyCents,
      planName: sql<string>`COALESCE(${plans.name}, '')`.as("plan_name"),
      name: fan.name,
      username: fan.username,
    })
    .from(recurringMoves)
    .leftJoin(subscriptions, eq(subscriptions.id, recurringMoves.subscriptionId))
    .leftJoin(plans, eq(plans.id, subscriptions.planId))
    .leftJoin(fan, eq(fan.personId, subscriptions.fanId))
    .where(
      and(
        eq(recurringMoves.creatorId, creatorId),
        eq(recurringMoves.kind, kind),
        between(day, from, until),
        after ? or(lt(day, after.at), and(eq(day, after.at), lt(id, Number(after.id)))) : undefined,
      ),
    )
    .orderBy(desc(day), desc(id))
    .limit(limit + 1);
}

function sumsStatement(ctx: Context, { creatorId, kind, from, until }: MovesRequest) {
  const { day, count, monthlyCents } = recurringDays;
  const firstListed = sql<DayNumber | null>`(SELECT MIN(${recurringMoves.day}) FROM ${recurringMoves}
    WHERE ${recurringMoves.creatorId} = ${creatorId} AND ${recurringMoves.kind} = ${kind})`;
  return ctx.db
    .select({ day, count, monthlyCents, firstListed: firstListed.as("first_listed") })
    .from(recurringDays)
    .where(
      and(
        eq(recurringDays.creatorId, creatorId),
        eq(recurringDays.kind, kind),
        between(day, from, until),
      ),
    );
}

function asMove(row: {
  id: number;
  movedAt: Instant;
  monthlyCents: Cents;
  planName: string;
  name: string | null;
  username: string | null;
}): SubscriptionMove {
  const { movedAt, monthlyCents, planName, name, username } = row;
  return {
    id: String(row.id),
    movedAt,
    monthlyCents,
    planName,
    fan: name === null || username === null ? null : { name, username },
  };
}
