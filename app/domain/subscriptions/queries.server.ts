import { and, desc, eq, inArray, notInArray, or, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { vacationUntilSql } from "#app/domain/plans/queries/vacations.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { planPrices, plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { subscriptionBadge } from "#app/domain/subscriptions/overview/rules.ts";
import { isLive } from "./rules.ts";
import type { Subscription, SubscriptionStatus } from "./schema.ts";
import { hasOpenDispute } from "#app/domain/subscriptions/coverage/queries.server.ts";
import {
  monthlyRenewalCents,
  renewingPricesStatement,
} from "#app/domain/subscriptions/renewal-terms/queries/renewal-totals.server.ts";

/** The columns of a `Subscription`, without those that only the calendar and lists read. */
export const subscriptionColumns = {
  id: subscriptions.id,
  fanId: subscriptions.fanId,
  creatorId: subscriptions.creatorId,
  planId: subscriptions.planId,
  planPriceId: subscriptions.planPriceId,
  interval: subscriptions.interval,
  amountCents: subscriptions.amountCents,
  method: subscriptions.method,
  status: subscriptions.status,
  startedAt: subscriptions.startedAt,
  anchorAt: subscriptions.anchorAt,
  currentPeriodStartsAt: subscriptions.currentPeriodStartsAt,
  currentPeriodEndsAt: subscriptions.currentPeriodEndsAt,
  accessUntil: subscriptions.accessUntil,
  trialEndsAt: subscriptions.trialEndsAt,
  canceledAt: subscriptions.canceledAt,
  pausedAt: subscriptions.pausedAt,
  resumesAt: subscriptions.resumesAt,
  holdsSeat: subscriptions.holdsSeat,
  savedMethodId: subscriptions.savedMethodId,
  recurringPixId: subscriptions.recurringPixId,
  compEndsAt: subscriptions.compEndsAt,
  giftedBy: subscriptions.giftedBy,
  beginsAfter: subscriptions.beginsAfter,
  createdAt: subscriptions.createdAt,
};

/**
 * Reads a row. The database refuses any other value in `status` (trigger
 * `subscriptions_state_update`).
 */
export const toSubscription = (
  row: Omit<Subscription, "status"> & { status: string },
): Subscription => ({ ...row, status: row.status as SubscriptionStatus });

/** One subscription of any member, for commands. */
export async function subscriptionRow(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<Subscription | null> {
  const [row] = await ctx.db
    .select(subscriptionColumns)
    .from(subscriptions)
    .where(eq(subscriptions.id, subscriptionId))
    .limit(1);
  return row ? toSubscription(row) : null;
}

/** More charges than the cooling-off period can hold: two weekly periods at most. */
const MOST_CHARGES_REGRETTED = 10;

/** The plan and interval of a price, retired or not; null when it never existed. */
export async function planOfPrice(
  ctx: Context,
  { planPriceId }: { planPriceId: string },
): Promise<{ planId: string; interval: Interval } | null> {
  const [row] = await ctx.db
    .select({ planId: planPrices.planId, interval: planPrices.interval })
    .from(planPrices)
    .where(eq(planPrices.id, planPriceId))
    .limit(1);
  return row ?? null;
}

/**
 * The live subscription of a fan to a creator, or null. The current one comes before an upcoming
 * one.
 */
export async function liveSubscription(
  ctx: Context,
  { fanId, creatorId }: { fanId: string; creatorId: string },
): Promise<Subscription | null> {
  return (await liveSubscriptions(ctx, { fanId, creatorId }))[0] ?? null;
}

/** The live subscriptions of a fan to a creator: a current one, and an upcoming one after it. */
export async function liveSubscriptions(
  ctx: Context,
  { fanId, creatorId }: { fanId: string; creatorId: string },
): Promise<Subscription[]> {
  const rows = await ctx.db
    .select(subscriptionColumns)
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.fanId, fanId),
        eq(subscriptions.creatorId, creatorId),
        notInArray(subscriptions.status, ["incomplete", "expired"]),
      ),
    )
    .orderBy(sql`${subscriptions.status} = 'upcoming'`)
    .limit(2);
  return rows.map(toSubscription);
}

export type SubscriptionView = {
  id: string;
  status: SubscriptionStatus;
  badge: string;
  planId: string;
  planName: string;
  creatorName: string;
  creatorUsername: string;
  creatorAvatarMediaId: string | null;
  interval: Interval;
  amountCents: Cents;
  method: PaymentMethod;
  savedMethodId: string | null;
  /** The Pix mandate that its renewals are debited from. */
  recurringPixId: string | null;
  startedAt: Instant | null;
  currentPeriodStartsAt: Instant | null;
  currentPeriodEndsAt: Instant | null;
  accessUntil: Instant | null;
  /** When its trial was to end; null when it started without one. */
  trialEndsAt: Instant | null;
  canceledAt: Instant | null;
  pausedAt: Instant | null;
  resumesAt: Instant | null;
  /** When its comp ends; null when it is paid. */
  compEndsAt: Instant | null;
  /** Who paid for it once, as a gift; null when its own fan pays. */
  giftedBy: string | null;
  createdAt: Instant;
  /** The paid upcoming subscription between the same two. */
  upcomingId: string | null;
  hasUpcoming: boolean;
  /** One of its payments is disputed. */
  isDisputed: boolean;
  /** The number of the current cancellation. */
  protocol: string | null;
  /** The open charge of the next period. */
  openChargeId: string | null;
  /** The open charge is by a card that its bank asks the payer to confirm. */
  isToConfirm: boolean;
  /** One of its payments with a refund transfer that waits for the payer's refund key. */
  keyAwaitedChargeId: string | null;
  /** When the creator's vacation ends; null when they are not on vacation. */
  awayUntil: Instant | null;
  /**
   * By how much the last vacation that counts in the current period moved its end, in milliseconds;
   * 0 for none.
   */
  vacationMs: number;
  /**
   * The Pix mandate debit in progress: its day (`YYYY-MM-DD`), and whether the bank refused it and
   * will retry.
   */
  debit: { on: string; isRefused: boolean } | null;
};

function subscriptionViews(ctx: Context) {
  return ctx.db
    .select({
      id: subscriptions.id,
      status: sql<SubscriptionStatus>`${subscriptions.status}`,
      planId: plans.id,
      planName: plans.name,
      creatorName: profiles.name,
      creatorUsername: profiles.username,
      creatorAvatarMediaId: profiles.avatarMediaId,
      interval: subscriptions.interval,
      amountCents: subscriptions.amountCents,
      method: subscriptions.method,
      savedMethodId: subscriptions.savedMethodId,
      recurringPixId: subscriptions.recurringPixId,
      startedAt: subscriptions.startedAt,
      currentPeriodStartsAt: subscriptions.currentPeriodStartsAt,
      currentPeriodEndsAt: subscriptions.currentPeriodEndsAt,
      accessUntil: subscriptions.accessUntil,
      trialEndsAt: subscriptions.trialEndsAt,
      canceledAt: subscriptions.canceledAt,
      pausedAt: subscriptions.pausedAt,
      resumesAt: subscriptions.resumesAt,
      compEndsAt: subscriptions.compEndsAt,
      giftedBy: subscriptions.giftedBy,
      createdAt: subscriptions.createdAt,
      upcomingId: sql<
        string | null
      >`(SELECT after.id FROM subscriptions after WHERE after.fan_id = ${subscriptions.fanId} AND after.creator_id = ${subscriptions.creatorId} AND after.status = 'upcoming' AND after.id <> ${subscriptions.id})`.as(
        "upcoming_id",
      ),
      isDisputed: hasOpenDispute.mapWith((value: number) => value === 1).as("is_disputed"),
      awayUntil: vacationUntilSql(sql`${subscriptions.creatorId}`, ctx.now()).as("away_until"),
      vacationMs:
        sql<number>`COALESCE((SELECT shift.moved_ms FROM vacation_shifts shift WHERE shift.subscription_id = ${subscriptions.id} AND shift.before_ends_at + shift.moved_ms = ${subscriptions.currentPeriodEndsAt}), 0)`.as(
          "vacation_ms",
        ),
      protocol: sql<
        string | null
      >`(SELECT stopped.protocol FROM subscription_cancellations stopped WHERE stopped.subscription_id = ${subscriptions.id} AND stopped.undone_at IS NULL)`.as(
        "protocol",
      ),
      openChargeId: sql<
        string | null
      >`(SELECT open.id FROM charges open WHERE open.purchase_kind = 'subscription' AND open.purchase_id = ${subscriptions.id} AND open.status IN ('awaiting_payment', 'requires_action') LIMIT 1)`.as(
        "open_charge_id",
      ),
      isToConfirm:
        sql<boolean>`EXISTS (SELECT 1 FROM charges asking WHERE asking.purchase_kind = 'subscription' AND asking.purchase_id = ${subscriptions.id} AND asking.status = 'requires_action')`
          .mapWith((value: number) => value === 1)
          .as("is_to_confirm"),
      keyAwaitedChargeId: sql<
        string | null
      >`(SELECT back.charge_id FROM charges paid JOIN refund_transfers back ON back.charge_id = paid.id WHERE paid.purchase_kind IN ('subscription', 'plan_change') AND paid.purchase_id = ${subscriptions.id} AND paid.payer_id = ${subscriptions.fanId} AND back.status = 'awaiting_key' LIMIT 1)`.as(
        "key_awaited_charge_id",
      ),
      debit: sql<{
        on: string;
        isRefused: boolean;
      } | null>`(SELECT json_object('on', debited.debit_on, 'isRefused', json(iif(debited.failure_code IS NULL, 'false', 'true'))) FROM charges debited WHERE debited.purchase_kind = 'subscription' AND debited.purchase_id = ${subscriptions.id} AND debited.debit_on IS NOT NULL AND debited.status IN ('created', 'processing') LIMIT 1)`
        .mapWith((text: string) => JSON.parse(text))
        .as("debit"),
    })
    .from(subscriptions)
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .innerJoin(profiles, eq(profiles.personId, subscriptions.creatorId));
}

type SubscriptionListRequest = { fanId: string; cursor: string | null; limit: number };

/** Later than any instant: what each step of the rank adds. */
const RANK_STEP_MS = 100_000_000_000_000;
/** What goes on comes first, then what ends or stands still, then what is over or never began. */
const rankOf = (status: SubscriptionStatus): number =>
  !isLive(status) ? 0 : status === "canceled" || status === "paused" ? 1 : 2;
const listRank = sql<number>`(${subscriptions.createdAt} + CASE WHEN ${subscriptions.status} IN ('incomplete', 'expired') THEN 0 WHEN ${subscriptions.status} IN ('canceled', 'paused') THEN 1 ELSE 2 END * ${sql.raw(String(RANK_STEP_MS))})`;

function listStatement(ctx: Context, { fanId, cursor, limit }: SubscriptionListRequest) {
  const after = decodeCursor(cursor);
  return subscriptionViews(ctx)
    .where(
      and(
        eq(subscriptions.fanId, fanId),
        or(eq(subscriptions.status, "incomplete"), sql`${subscriptions.startedAt} IS NOT NULL`),
        after ? sql`(${listRank}, ${subscriptions.id}) < (${after.at}, ${after.id})` : undefined,
      ),
    )
    .orderBy(desc(listRank), desc(subscriptions.id))
    .limit(limit + 1);
}

/**
 * Lists a member's subscriptions: those that go on, those canceled or paused, those that are over;
 * each newest first, without checkouts that were never paid. Also gives their monthly total
 * (`monthlyRenewalCents`). One round trip.
 */
export async function memberSubscriptions(
  ctx: Context,
  { limit, ...listed }: SubscriptionListRequest,
): Promise<Page<SubscriptionView> & { monthlyCents: Cents }> {
  const [rows, renewing] = await ctx.db.batch([
    listStatement(ctx, { limit, ...listed }),
    renewingPricesStatement(ctx, listed),
  ]);
  return {
    ...pageOf(rows.map(toSubscriptionView), limit, (row) => ({
      at: row.createdAt + rankOf(row.status) * RANK_STEP_MS,
      id: row.id,
    })),
    monthlyCents: monthlyRenewalCents(renewing),
  };
}

export const toSubscriptionView = <Row extends Omit<SubscriptionView, "badge" | "hasUpcoming">>(
  row: Row,
): Row & { badge: string; hasUpcoming: boolean } => ({
  ...row,
  badge: subscriptionBadge(row),
  hasUpcoming: row.upcomingId !== null,
});

/** One subscription of its fan; null for anyone else's. */
export async function fanSubscription(
  ctx: Context,
  { fanId, subscriptionId }: { fanId: string; subscriptionId: string },
): Promise<SubscriptionView | null> {
  const [row] = await fanSubscriptionStatement(ctx, { fanId, subscriptionId });
  return row ? toSubscriptionView(row) : null;
}

/** The statement of one subscription of its fan; `toSubscriptionView` reads its rows. */
export const fanSubscriptionStatement = (
  ctx: Context,
  { fanId, subscriptionId }: { fanId: string; subscriptionId: string },
) =>
  subscriptionViews(ctx)
    .where(and(eq(subscriptions.id, subscriptionId), eq(subscriptions.fanId, fanId)))
    .limit(1);

/** One subscription and its fan, for callers that prove by other means that it may be shown. */
export async function subscriptionWithOwner(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<{ fanId: string; subscription: SubscriptionView } | null> {
  const [[owner], [row]] = await ctx.db.batch([
    ctx.db
      .select({ fanId: subscriptions.fanId })
      .from(subscriptions)
      .where(eq(subscriptions.id, subscriptionId))
      .limit(1),
    subscriptionViews(ctx).where(eq(subscriptions.id, subscriptionId)).limit(1),
  ]);
  return owner && row ? { ...owner, subscription: toSubscriptionView(row) } : null;
}

/**
 * The charges of a subscription, since it last started, whose money is still held, for refunds.
 * More than one when a short period was renewed. Earlier charges belong to another contract and are
 * used.
 */
export async function paidCharges(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: charges.id })
    .from(charges)
    .where(
      and(
        inArray(charges.purchaseKind, ["subscription", "plan_change"]),
        eq(charges.purchaseId, subscriptionId),
        inArray(charges.status, ["succeeded", "partially_refunded", "dispute_won"]),
        sql`EXISTS (SELECT 1 FROM charge_periods covered JOIN subscriptions started ON started.id = covered.subscription_id WHERE covered.charge_id = ${charges.id} AND covered.ends_at > started.started_at)`,
      ),
    )
    .orderBy(desc(charges.createdAt))
    .limit(MOST_CHARGES_REGRETTED);
  return rows.map((row) => row.id);
}
