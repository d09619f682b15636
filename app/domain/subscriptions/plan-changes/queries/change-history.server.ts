import { and, desc, eq, isNotNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { guardStatement } from "#app/db/client.server.ts";
import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { toChargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { unconfirmedRefundsSql } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import { hasFreeSeat } from "#app/domain/plans/rules.ts";
import type { PeriodSlice } from "#app/domain/subscriptions/pauses/rules.ts";
import type {
  AppliedPlanChange,
  VacationShift,
} from "#app/domain/subscriptions/plan-changes/rules/plan-change-reversal.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { planChanges } from "#drizzle/schema/subscriptions.ts";
import {
  toPlanChange,
  changeColumns,
  fromPlan,
  toPlan,
} from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import {
  coveredAfterStatement,
  openRenewalsStatement,
} from "#app/domain/subscriptions/renewals/queries/renewals.server.ts";
import { vacationShiftsStatement } from "#app/domain/subscriptions/vacations/queries.server.ts";

/**
 * An applied plan change and the charge of its difference, with the refunds decided of it
 * (centavos). `beforeHasSeat`: the former plan has a seat on sale.
 */
export type PaidChange = AppliedPlanChange & {
  state: string;
  paid: { charge: Charge; waitingCents: Cents } | null;
  beforeHasSeat: boolean;
};

/** What decides, with the subscription, the reversal of a plan change whose difference is refunded. */
export type ChangeHistory = {
  /** The change and those after it, newest first; empty when it is not done. */
  changes: PaidChange[];
  /** By how much vacations moved the subscription since, oldest first. */
  shifts: VacationShift[];
  /** The paid slices from where the first change split a period; empty when none did. */
  covered: PeriodSlice[];
  isRenewing: boolean;
  /**
   * The open renewals and the vacations in one text, by which a write checks that they are
   * unchanged.
   */
  asRead: string | null;
};

/** More changes than anybody makes within the cooling-off period. */
const MOST_CHANGES = 50;

const historyState = (
  subscriptionId: SQL,
) => sql<string>`json_array((SELECT json_group_array(o.id) FROM (SELECT r.id FROM charges r WHERE r.purchase_kind = 'subscription' AND r.purchase_id = ${subscriptionId} AND r.period_starts_at IS NOT NULL
    AND r.status IN ('created', 'awaiting_payment', 'requires_action', 'processing') ORDER BY r.id) o),
  (SELECT json_group_array(json_array(v.vacation_id, v.moved_ms)) FROM (SELECT shift.vacation_id, shift.moved_ms FROM vacation_shifts shift WHERE shift.subscription_id = ${subscriptionId} ORDER BY shift.vacation_id) v))`;

/**
 * The statement that refuses a batch (StaleWrite) if a renewal was opened or ended, or a vacation
 * moved the subscription. `endSnapshotUnchangedStatement` guards the rest.
 */
export const changeHistoryUnchangedStatement = (
  { db }: Pick<Context, "db">,
  { asRead }: ChangeHistory,
  { subscriptionId }: { subscriptionId: string },
): DbStatement => guardStatement(db, sql`${historyState(sql`${subscriptionId}`)} IS ${asRead}`);

/**
 * The statements of `loadChangeHistory`, for a batch; `toChangeHistory` reads their rows. They may
 * be built once.
 */
export function changeHistoryStatements(
  { db }: Pick<Context, "db">,
  { planChangeId }: { planChangeId: SQL<string> },
) {
  const first = (column: string) =>
    sql<string>`(SELECT ${sql.raw(`began.${column}`)} FROM plan_changes began WHERE began.id = ${planChangeId} AND began.state = 'done')`;
  const subscriptionId = first("subscription_id");
  const since = sql<Instant>`${first("settled_at")}`;
  const doneSince = sql`done.subscription_id = ${subscriptionId} AND done.state = 'done' AND done.settled_at >= ${since}`;
  return [
    db
      .select({
        ...changeColumns,
        beforeState: sql<string>`${fromPlan.state}`.as("before_state"),
        beforeLimit: sql<number | null>`${fromPlan.seatsLimit}`.as("before_limit"),
        beforeTaken: sql<number>`${fromPlan.seatsTaken}`.as("before_taken"),
      })
      .from(planChanges)
      .innerJoin(fromPlan, eq(fromPlan.id, planChanges.fromPlanId))
      .innerJoin(toPlan, eq(toPlan.id, planChanges.toPlanId))
      .where(
        and(
          eq(planChanges.subscriptionId, subscriptionId),
          eq(planChanges.state, "done"),
          sql`${planChanges.settledAt} >= ${since}`,
        ),
      )
      .orderBy(desc(planChanges.settledAt), desc(planChanges.id))
      .limit(MOST_CHANGES),
    db
      .select({
        charge: charges,
        waitingCents: unconfirmedRefundsSql(sql.raw('"charges"."id"')).as("waiting_cents"),
        coveredUntil:
          sql<Instant | null>`(SELECT MAX(p.ends_at) FROM charge_periods p WHERE p.charge_id = "charges"."id")`.as(
            "covered_until",
          ),
      })
      .from(charges)
      .where(
        and(
          isNotNull(charges.planChangeId),
          isNotNull(charges.succeededAt),
          sql`${charges.planChangeId} IN (SELECT done.id FROM plan_changes done WHERE ${doneSince})`,
        ),
      ),
    vacationShiftsStatement({ db }, { subscriptionId, since }),
    openRenewalsStatement({ db }, { subscriptionId }),
    // The slices that a split ended lie right before the start of the new ones.
    coveredAfterStatement(
      { db },
      {
        subscriptionId,
        at: sql<Instant>`(SELECT MIN(done.covers_from) - 1 FROM plan_changes done WHERE done.recut IS NOT NULL AND ${doneSince})`,
      },
    ),
    db.select({ asRead: historyState(subscriptionId).as("as_read") }).from(sql`(SELECT 1)`),
  ] as const;
}

type ChangeHistoryRows<Statements> = {
  readonly [Index in keyof Statements]: Awaited<Statements[Index]>;
};

export function toChangeHistory([
  changes,
  paid,
  shifts,
  renewals,
  covered,
  [subscription],
]: ChangeHistoryRows<ReturnType<typeof changeHistoryStatements>>): ChangeHistory {
  return {
    changes: changes.map(({ beforeState, beforeLimit, beforeTaken, ...row }) => {
      const {
        charge,
        waitingCents = 0,
        coveredUntil = null,
      } = paid.find((one) => one.charge.planChangeId === row.change.id) ?? {};
      return {
        ...toPlanChange(row),
        chargeId: charge?.id ?? "",
        coveredUntil,
        paid: charge ? { charge: toChargeRow(charge), waitingCents } : null,
        beforeHasSeat:
          beforeState === "active" &&
          hasFreeSeat({ seatsLimit: beforeLimit, seatsTaken: beforeTaken }),
      };
    }),
    shifts,
    covered,
    isRenewing: renewals.length > 0,
    asRead: subscription?.asRead ?? null,
  };
}

/** Loads the change history in one round trip. */
export async function loadChangeHistory(
  ctx: Context,
  { planChangeId }: { planChangeId: string },
): Promise<ChangeHistory> {
  return toChangeHistory(
    await ctx.db.batch(changeHistoryStatements(ctx, { planChangeId: sql`${planChangeId}` })),
  );
}
