import { and, desc, eq, isNotNull, lte, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import type { ChargeStatus, OpenCheckoutCharge } from "#app/domain/payments/rules.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import type { PlanChangeState } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import type { Instant } from "#app/domain/time.ts";
import { chargePeriods, charges } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { planChanges, subscriptions } from "#drizzle/schema/subscriptions.ts";

export const fromPlan = alias(plans, "from_plan");
export const toPlan = alias(plans, "to_plan");

/** A plan change with its plans' names, and the state and seats of the new plan. */
export type PlanChange = Omit<typeof planChanges.$inferSelect, "state"> & {
  state: PlanChangeState;
  fromPlanName: string;
  toPlanName: string;
  toPlanState: "draft" | "active" | "archived";
  toHasFreeSeat: boolean;
};

export const changeColumns = {
  change: planChanges,
  fromPlanName: sql<string>`${fromPlan.name}`.as("from_plan_name"),
  toPlanName: sql<string>`${toPlan.name}`.as("to_plan_name"),
  toPlanState: toPlan.state,
  seatsLimit: toPlan.seatsLimit,
  seatsTaken: toPlan.seatsTaken,
};

function planChangesStatement({ db }: Pick<Context, "db">) {
  return db
    .select(changeColumns)
    .from(planChanges)
    .innerJoin(fromPlan, eq(fromPlan.id, planChanges.fromPlanId))
    .innerJoin(toPlan, eq(toPlan.id, planChanges.toPlanId));
}

type PlanChangeRow = Awaited<ReturnType<typeof planChangesStatement>>[number];

/** Reads a row. The database refuses any other value in `state` (trigger `plan_changes_update`). */
export function toPlanChange({
  change,
  seatsLimit,
  seatsTaken,
  ...names
}: PlanChangeRow): PlanChange {
  return {
    ...change,
    state: change.state as PlanChangeState,
    ...names,
    toHasFreeSeat: seatsLimit === null || seatsTaken < seatsLimit,
  };
}

const isPending = sql`${planChanges.state} IN ('open', 'scheduled', 'paid')`;

/** The statement of a subscription's pending change, one at most; `toPlanChange` reads its row. */
export const currentPlanChangeStatement = (
  ctx: Pick<Context, "db">,
  { subscriptionId }: { subscriptionId: SQL<string> },
) =>
  planChangesStatement(ctx)
    .where(and(eq(planChanges.subscriptionId, subscriptionId), isPending))
    .limit(1);

export async function planChangeRow(
  ctx: Context,
  { planChangeId }: { planChangeId: string },
): Promise<PlanChange | null> {
  const [row] = await planChangeStatement(ctx, { planChangeId: sql`${planChangeId}` });
  return row ? toPlanChange(row) : null;
}

/** The statement of one change; `toPlanChange` reads its row. It may be built once. */
export const planChangeStatement = (
  ctx: Pick<Context, "db">,
  { planChangeId }: { planChangeId: SQL<string> },
) => planChangesStatement(ctx).where(eq(planChanges.id, planChangeId)).limit(1);

/** A change whose difference is unpaid, with its charge. */
export type OpenChange = OpenCheckoutCharge & { planChangeId: string; toPlanPriceId: string };

/** The change of a subscription whose difference is unpaid, or null. */
export async function openChange(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<OpenChange | null> {
  const [row] = await ctx.db
    .select({
      planChangeId: planChanges.id,
      toPlanPriceId: planChanges.toPlanPriceId,
      chargeId: sql<string>`${charges.id}`.as("charge_id"),
      status: sql<ChargeStatus>`${charges.status}`.as("charge_status"),
      method: charges.method,
      amountCents: charges.amountCents,
      expiresAt: charges.expiresAt,
      nextActionUrl: charges.nextActionUrl,
    })
    .from(planChanges)
    .innerJoin(charges, eq(charges.planChangeId, planChanges.id))
    .where(and(eq(planChanges.subscriptionId, subscriptionId), eq(planChanges.state, "open")))
    .limit(1);
  return row ?? null;
}

/** Paid changes whose period has started, earliest start first; those of paused subscriptions wait. */
export async function duePlanChanges(
  ctx: Context,
  { now, limit }: { now: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: sql<string>`${planChanges.id}`.as("change_id") })
    .from(planChanges)
    .innerJoin(subscriptions, eq(subscriptions.id, planChanges.subscriptionId))
    .innerJoin(
      charges,
      and(eq(charges.planChangeId, planChanges.id), isNotNull(charges.succeededAt)),
    )
    .innerJoin(chargePeriods, eq(chargePeriods.chargeId, charges.id))
    .where(
      and(
        sql`${planChanges.state} = 'paid'`,
        sql`${subscriptions.status} <> 'paused'`,
        lte(chargePeriods.startsAt, now),
        isRetryDue(ctx, planChanges.id),
      ),
    )
    .groupBy(planChanges.id)
    .limit(limit);
  return rows.map(({ id }) => id);
}

export type PlanChangeLine = {
  id: string;
  happens: "now" | "next_period";
  state: PlanChangeState;
  fromPlanName: string;
  toPlanName: string;
  toInterval: Interval;
  toAmountCents: Cents;
  dueCents: Cents;
  chargeId: string | null;
  createdAt: Instant;
  settledAt: Instant | null;
};

const LINES = 10;

/**
 * The pending, applied and reversed changes of a subscription, newest first, without those that
 * nobody paid.
 */
export async function planChangeLines(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<PlanChangeLine[]> {
  return await ctx.db
    .select({
      id: planChanges.id,
      happens: planChanges.happens,
      state: sql<PlanChangeState>`${planChanges.state}`.as("change_state"),
      fromPlanName: sql<string>`${fromPlan.name}`.as("from_plan_name"),
      toPlanName: sql<string>`${toPlan.name}`.as("to_plan_name"),
      toInterval: planChanges.toInterval,
      toAmountCents: planChanges.toAmountCents,
      dueCents: planChanges.dueCents,
      chargeId: sql<
        string | null
      >`(SELECT c.id FROM charges c WHERE c.plan_change_id = ${planChanges.id} ORDER BY c.succeeded_at IS NULL, c.created_at DESC LIMIT 1)`.as(
        "charge_id",
      ),
      createdAt: planChanges.createdAt,
      settledAt: planChanges.settledAt,
    })
    .from(planChanges)
    .innerJoin(fromPlan, eq(fromPlan.id, planChanges.fromPlanId))
    .innerJoin(toPlan, eq(toPlan.id, planChanges.toPlanId))
    .where(and(eq(planChanges.subscriptionId, subscriptionId), sql`${planChanges.state} <> 'over'`))
    .orderBy(desc(planChanges.createdAt), desc(planChanges.id))
    .limit(LINES);
}
