import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { foldedName } from "#app/db/folded-name.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { byMethod } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { subscriptionBadge } from "#app/domain/subscriptions/overview/rules.ts";
import { monthlyValueCents } from "./rules.ts";
import type { AudienceFilter, AudienceMethod, AudienceState } from "./rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { audienceTotals, subscriptions } from "#drizzle/schema/subscriptions.ts";

/**
 * A subscriber as the seller may see them: a name and what they pay here, never contact or legal
 * data.
 */
export type Subscriber = {
  id: string;
  name: string;
  username: string;
  avatarMediaId: string | null;
  planName: string;
  interval: Interval;
  amountCents: Cents;
  method: AudienceMethod;
  /** Whether a Pix mandate pays it. */
  isAutomatic: boolean;
  status: AudienceState;
  badge: string;
  startedAt: Instant;
  currentPeriodEndsAt: Instant | null;
  accessUntil: Instant | null;
  resumesAt: Instant | null;
  compEndsAt: Instant | null;
  monthlyCents: Cents;
  /** What was paid for this subscription and not refunded. */
  paidCents: Cents;
};

type AudienceCounts = {
  count: number;
  monthlyCents: Cents;
  byStatus: Partial<Record<AudienceState, number>>;
};
export type Audience = {
  page: Page<Subscriber>;
  counts: AudienceCounts;
  plans: { id: string; name: string }[];
};

type AudienceRequest = { creatorId: string; filter: AudienceFilter };

const MOST_PLANS = 100;
const fan = alias(profiles, "fan");

/**
 * One page of a creator's current and former subscribers, newest first. Also gives the count per
 * state and the monthly value, both without the filter, and the creator's plans. One round trip. A
 * search by name reads this creator's subscribers only, and stops at a full page.
 */
export async function audiencePageOf(
  ctx: Context,
  asked: AudienceRequest & { cursor: string | null; limit: number },
): Promise<Audience> {
  const [rows, totals, sold] = await ctx.db.batch([
    rowsStatement(ctx, asked),
    ctx.db
      .select({
        status: sql<AudienceState>`${audienceTotals.status}`.as("state"),
        count: sql<number>`SUM(${audienceTotals.count})`.as("people"),
        monthlyCents: sql<Cents>`SUM(${audienceTotals.monthlyCents})`.as("monthly"),
      })
      .from(audienceTotals)
      .where(eq(audienceTotals.creatorId, asked.creatorId))
      .groupBy(audienceTotals.status),
    ctx.db
      .select({ id: plans.id, name: plans.name })
      .from(plans)
      .where(eq(plans.creatorId, asked.creatorId))
      .orderBy(asc(plans.state), asc(plans.createdAt))
      .limit(MOST_PLANS),
  ]);
  return {
    page: pageOf(rows.map(asSubscriber), asked.limit, ({ id, createdAt }) => ({
      at: createdAt,
      id,
    })),
    counts: countsOf(totals),
    plans: sold,
  };
}

/** The method under which each kind of subscriber is counted. */
const COUNTED_WITH: Record<AudienceMethod, PaymentMethod> = {
  ...byMethod((method) => method),
  comp: "pix",
  gift: "pix",
};

/**
 * How many subscribers a filter matches, without its search text, from the counts alone. Comps are
 * counted under Pix, and gifts under their payment method.
 */
export async function audienceCount(
  ctx: Context,
  { creatorId, filter: { status, planId, method } }: AudienceRequest,
): Promise<number> {
  const { count, ...total } = audienceTotals;
  const [row] = await ctx.db
    .select({ people: sql<number>`COALESCE(SUM(${count}), 0)`.as("people") })
    .from(audienceTotals)
    .where(
      and(
        eq(total.creatorId, creatorId),
        status === null ? undefined : eq(total.status, status),
        planId === null ? undefined : eq(total.planId, planId),
        method === null ? undefined : eq(total.method, COUNTED_WITH[method]),
      ),
    );
  return row?.people ?? 0;
}

/** Everyone that the filter matches, newest first, a page at a time; at most `most` people. */
export async function* wholeAudience(
  ctx: Context,
  asked: AudienceRequest & { pageRows: number; most: number },
): AsyncGenerator<Subscriber[]> {
  let cursor: string | null = null;
  for (let left = asked.most; left > 0; left -= asked.pageRows) {
    const limit = Math.min(asked.pageRows, left);
    const rows = await rowsStatement(ctx, { ...asked, cursor, limit });
    const page: Page<Subscriber> = pageOf(rows.map(asSubscriber), limit, ({ id, createdAt }) => ({
      at: createdAt,
      id,
    }));
    yield page.items;
    if (page.next === null) return;
    cursor = page.next;
  }
}

function countsOf(
  totals: { status: AudienceState; count: number; monthlyCents: Cents }[],
): AudienceCounts {
  return {
    count: totals.reduce((sum, { count }) => sum + count, 0),
    monthlyCents: totals.reduce((sum, { monthlyCents }) => sum + monthlyCents, 0),
    byStatus: Object.fromEntries(totals.map(({ status, count }) => [status, count])),
  };
}

type AudienceRow = Omit<Subscriber, "badge" | "monthlyCents" | "isAutomatic"> & {
  giftedBy: string | null;
  recurringPixId: string | null;
  createdAt: Instant;
};
const asSubscriber = ({
  giftedBy,
  recurringPixId,
  ...row
}: AudienceRow): Subscriber & { createdAt: Instant } => ({
  ...row,
  isAutomatic: recurringPixId !== null,
  badge: subscriptionBadge({ ...row, giftedBy }),
  monthlyCents: monthlyValueCents(row),
});

function rowsStatement(
  ctx: Context,
  { creatorId, filter, cursor, limit }: AudienceRequest & { cursor: string | null; limit: number },
) {
  const after = decodeCursor(cursor);
  return ctx.db
    .select({
      id: subscriptions.id,
      name: fan.name,
      username: fan.username,
      avatarMediaId: fan.avatarMediaId,
      planName: sql<string>`${plans.name}`.as("plan_name"),
      interval: subscriptions.interval,
      amountCents: subscriptions.amountCents,
      method:
        sql<AudienceMethod>`CASE WHEN ${subscriptions.compEndsAt} IS NOT NULL THEN 'comp' WHEN ${subscriptions.giftedBy} IS NOT NULL THEN 'gift' ELSE ${subscriptions.method} END`.as(
          "paid_how",
        ),
      recurringPixId: subscriptions.recurringPixId,
      status: sql<AudienceState>`${subscriptions.status}`.as("state"),
      startedAt: sql<Instant>`${subscriptions.startedAt}`.as("since"),
      currentPeriodEndsAt: subscriptions.currentPeriodEndsAt,
      accessUntil: subscriptions.accessUntil,
      resumesAt: subscriptions.resumesAt,
      compEndsAt: subscriptions.compEndsAt,
      giftedBy: subscriptions.giftedBy,
      createdAt: subscriptions.createdAt,
      paidCents:
        sql<Cents>`(SELECT COALESCE(SUM(c.amount_cents - c.refunded_cents - c.disputed_cents), 0) FROM charges c
        WHERE c.purchase_kind IN ('subscription', 'plan_change', 'gift') AND c.purchase_id = ${subscriptions.id} AND c.succeeded_at IS NOT NULL)`.as(
          "paid",
        ),
    })
    .from(subscriptions)
    .innerJoin(fan, eq(fan.personId, subscriptions.fanId))
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .where(
      and(
        eq(subscriptions.creatorId, creatorId),
        isNotNull(subscriptions.startedAt),
        ...narrowed(filter),
        ...filter.terms.map((word) => sql`instr(${searchedName}, ${word}) > 0`),
        after
          ? sql`(${subscriptions.createdAt}, ${subscriptions.id}) < (${after.at}, ${after.id})`
          : undefined,
      ),
    )
    .orderBy(sql`${subscriptions.createdAt} DESC`, sql`${subscriptions.id} DESC`)
    .limit(limit + 1);
}

const GIVEN = { comp: sql`comp_ends_at IS NOT NULL`, gift: sql`gifted_by IS NOT NULL` };

/**
 * Lets the most selective filter use its index, which is in the list's order. The `+` keeps other
 * indexes from being used.
 */
function narrowed({ status, planId, method }: AudienceFilter): SQL[] {
  const isGiven = method === "comp" || method === "gift";
  const asked = [
    { column: sql`${subscriptions.status}`, value: status, isWide: status === "active" },
    { column: sql`${subscriptions.planId}`, value: planId, isWide: false },
    { column: sql`${subscriptions.method}`, value: isGiven ? null : method, isWide: true },
  ].filter(({ value }) => value !== null);
  // Comps and gifts are few: no other index is needed to find them.
  const first = isGiven ? null : (asked.find(({ isWide }) => !isWide) ?? asked[0]);
  return [
    ...asked.map((one) =>
      one === first ? sql`${one.column} = ${one.value}` : sql`+${one.column} = ${one.value}`,
    ),
    ...(method === null
      ? []
      : [isGiven ? GIVEN[method] : sql`comp_ends_at IS NULL AND gifted_by IS NULL`]),
  ];
}

const searchedName = foldedName(sql`(${fan.name} || ' ' || ${fan.username})`);
