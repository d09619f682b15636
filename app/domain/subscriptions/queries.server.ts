import { and, desc, eq, inArray, lte, ne, notInArray, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { builtOnce } from "#app/db/built-once.ts";
import type { Database } from "#app/db/client.server.ts";
import { ageCloses, blockBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import { monthlyEquivalentCents } from "#app/domain/plans/rules.ts";
import { closedProblem, nextPaymentCents } from "#app/domain/plans/rules/coupons.ts";
import type { Interval } from "#app/domain/plans/schema.ts";
import { awayUntilOf, vacationFrom, vacationOf } from "#app/domain/plans/queries/vacations.server.ts";
import { awayUntil } from "#app/domain/plans/rules/vacations.ts";
import type { CouponTerms } from "#app/domain/plans/schema/coupons.ts";
import { hasTurn } from "#app/domain/setbacks/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { coupons, couponUses, planPrices, plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { priceConsents, recurringPix, subscriptions } from "#drizzle/schema/subscriptions.ts";
import type { Authorisation } from "./schema/automatic.ts";
import { asPlanChange, standingChangeStatement } from "./queries/plan-changes.server.ts";
import type { PlanChange } from "./queries/plan-changes.server.ts";
import { asConsent, standingConsent } from "./queries/price-consents.server.ts";
import { badgeOf, RENEWING } from "./rules.ts";
import { nextTerms } from "./rules/plan-changes.ts";
import type { HeldCoupon } from "./rules/plan-changes.ts";
import { agreedFor } from "./rules/price-consents.ts";
import type { Resting } from "./rules/vacations.ts";
import type { Subscription, SubscriptionStatus } from "./schema.ts";
import type { PriceConsent } from "./schema/price-consents.ts";

/** The database refuses any other word in `status` (trigger `subscriptions_state_update`). */
const asSubscription = (row: typeof subscriptions.$inferSelect): Subscription => ({ ...row, status: row.status as SubscriptionStatus });

/** The whole row, for commands. */
export async function subscriptionRow(ctx: Context, { subscriptionId }: { subscriptionId: string }): Promise<Subscription | null> {
  const [row] = await ctx.db.select().from(subscriptions).where(eq(subscriptions.id, subscriptionId)).limit(1);
  return row ? asSubscription(row) : null;
}

export type PurchaseFacts = {
  subscription: Subscription;
  hasOtherLive: boolean;
  /** Who sells was banned or is leaving, or a block stands between the two: nothing paid for would be seen for long. */
  isShut: boolean;
  /** Who pays asked to be deleted, or was. */
  isPayerLeaving: boolean;
  /** The page is for adults, and who pays was not found to be one: they see nothing of it, and are sold nothing more by their own hand. */
  isAgeClosed: boolean;
  plan: { id: string; name: string; state: "draft" | "active" | "archived"; hasFreeSeat: boolean; welcomeMessage: string };
  fanName: string;
  creatorName: string;
  creatorUsername: string;
  /** The coupon that it began with. `isFreed`: its first charge ran out; `mayRetake`: there is still a use for it. */
  coupon: { id: string; chargeId: string; isFreed: boolean; mayRetake: boolean } | null;
  /** That coupon while it holds, with the payments that it still discounts. */
  couponNow: (CouponTerms & { cyclesLeft: number | null }) | null;
  /** The change of plan that stands. */
  change: PlanChange | null;
  /** The vacation of who creates that is not over. */
  vacation: Resting | null;
  /** By how much it moved this one already, in milliseconds. */
  vacationMs: number;
  /** Until when they are away; null when they are not. */
  awayUntil: Instant | null;
  /** The coupon that it holds, and its code. */
  heldCoupon: HeldCoupon | null;
  couponCode: string | null;
  /** What its person was asked to pay from a date on, and answered; null where nothing of that stands. */
  consent: PriceConsent | null;
  /** That consent where the next period costs what it says. */
  agreed: PriceConsent | null;
  /** What its next period costs: its price, the one agreed to, or that of the plan it changes to then, less the coupon while that lasts. */
  nextPaymentCents: Cents;
  /** What its person's bank lets be debited for it. */
  authorisation: Authorisation | null;
};

/** The days of regret hold at most two weeks. */
const MOST_CHARGES_REGRETTED = 10;

const isSellerGone = sql`EXISTS (SELECT 1 FROM people seller WHERE seller.id = ${subscriptions.creatorId} AND (seller.banned_at IS NOT NULL OR seller.leaving_at IS NOT NULL))`;
const isPayerLeaving = sql`EXISTS (SELECT 1 FROM people payer WHERE payer.id = ${subscriptions.fanId} AND payer.leaving_at IS NOT NULL)`;
const flag = (value: number): boolean => value === 1;
/** What the vacation that is not over did to a subscription. */
const shiftedBy = sql<{ until: Instant; ms: number } | null>`(SELECT json_object('until', shift.shifted_until, 'ms', shift.moved_ms) FROM vacation_shifts shift JOIN vacations rest ON rest.id = shift.vacation_id WHERE shift.subscription_id = ${subscriptions.id} AND rest.over_at IS NULL)`;

/** Everything that decides what a payment for this subscription does, in one round trip. */
export async function purchaseFacts(ctx: Context, { subscriptionId }: { subscriptionId: string }): Promise<PurchaseFacts | null> {
  return purchaseFactsOf(ctx, await ctx.db.batch(FACTS[`${ctx.settings.adultSpaces}`](ctx.db, { subscriptionId })));
}

/** The statements of `purchaseFacts`, for a batch; `purchaseFactsOf` reads what they give. They hold no value of a moment, and may be built once. */
export function purchaseFactsStatements({ db, adultSpaces }: { db: Database; adultSpaces: boolean }, { subscriptionId }: { subscriptionId: SQL<string> }) {
  return [
    db
      .select({
        subscription: subscriptions,
        plan: { id: plans.id, name: plans.name, state: plans.state, seatsLimit: plans.seatsLimit, seatsTaken: plans.seatsTaken, welcomeMessage: plans.welcomeMessage },
        creatorName: profiles.name,
        creatorUsername: profiles.username,
        isShut: sql<boolean>`(${isSellerGone} OR ${blockBetween(sql`${subscriptions.fanId}`, sql`${subscriptions.creatorId}`)})`.mapWith(flag).as("is_shut"),
        isPayerLeaving: sql<boolean>`${isPayerLeaving}`.mapWith(flag).as("is_payer_leaving"),
        isAgeClosed: sql<boolean>`${ageCloses(sql`${subscriptions.fanId}`, sql`${subscriptions.creatorId}`, adultSpaces)}`.mapWith(flag).as("is_age_closed"),
        fanName: sql<string>`(SELECT fan.name FROM profiles fan WHERE fan.person_id = ${subscriptions.fanId})`,
        coupon: coupons,
        use: couponUses,
        authorisation: recurringPix,
        vacation: vacationOf(sql`${subscriptions.creatorId}`).as("vacation"),
        shifted: shiftedBy.mapWith((text: string) => JSON.parse(text)).as("shifted"),
        consent: priceConsents,
        isCouponHeld: sql<boolean>`EXISTS (SELECT 1 FROM coupon_uses held WHERE held.coupon_id = ${couponUses.couponId} AND held.person_id = ${subscriptions.fanId} AND held.subscription_id <> ${subscriptions.id} AND held.freed_at IS NULL)`
          .mapWith(flag)
          .as("is_coupon_held"),
      })
      .from(subscriptions)
      .leftJoin(couponUses, eq(couponUses.subscriptionId, subscriptions.id))
      .leftJoin(coupons, eq(coupons.id, couponUses.couponId))
      .leftJoin(recurringPix, eq(recurringPix.id, subscriptions.recurringPixId))
      .leftJoin(priceConsents, standingConsent)
      .innerJoin(plans, eq(plans.id, subscriptions.planId))
      .innerJoin(profiles, eq(profiles.personId, subscriptions.creatorId))
      .where(eq(subscriptions.id, subscriptionId))
      .limit(1),
    otherLiveStatement({ db }, { subscriptionId }),
    standingChangeStatement({ db }, { subscriptionId }),
  ] as const;
}

const factsOf = (adultSpaces: boolean) => builtOnce((db) => purchaseFactsStatements({ db, adultSpaces }, { subscriptionId: sql<string>`${sql.placeholder("subscriptionId")}` }));
const FACTS = { true: factsOf(true), false: factsOf(false) };

type Statements = ReturnType<typeof purchaseFactsStatements>;
type FactRows = readonly [Awaited<Statements[0]>, Awaited<Statements[1]>, Awaited<Statements[2]>];

export function purchaseFactsOf(ctx: Context, [found, others, changes]: FactRows): PurchaseFacts | null {
  const row = found[0];
  if (!row) return null;
  const { seatsLimit, seatsTaken, ...plan } = row.plan;
  const { coupon, use } = row;
  const isFreed = use !== null && use.freedAt !== null;
  const couponNow = coupon && use && !isFreed ? { ...coupon, cyclesLeft: use.cyclesLeft } : null;
  const change = changes[0] ? asPlanChange(changes[0]) : null;
  const vacation = vacationFrom(row.vacation);
  const consent = asConsent(row.consent);
  const agreed = agreedFor(row.subscription, consent, row.authorisation);
  const heldCoupon = couponNow && use ? { ...couponNow, fullPriceAt: use.fullPriceAt } : null;
  return {
    subscription: asSubscription(row.subscription),
    hasOtherLive: others.length > 0,
    isShut: row.isShut,
    isPayerLeaving: row.isPayerLeaving,
    isAgeClosed: row.isAgeClosed,
    plan: { ...plan, hasFreeSeat: seatsLimit === null || seatsTaken < seatsLimit },
    fanName: row.fanName,
    creatorName: row.creatorName,
    creatorUsername: row.creatorUsername,
    coupon: coupon && use && { id: coupon.id, chargeId: use.chargeId, isFreed, mayRetake: closedProblem(coupon, ctx.now()) === null && !row.isCouponHeld },
    couponNow,
    change,
    vacation: vacation && { ...vacation, shiftedUntil: row.shifted?.until ?? null },
    vacationMs: row.shifted?.ms ?? 0,
    awayUntil: awayUntil(vacation, ctx.now()),
    heldCoupon,
    couponCode: heldCoupon && (coupon?.code ?? null),
    consent,
    agreed,
    nextPaymentCents: nextPaymentCents(nextTerms(row.subscription, change, agreed), heldCoupon),
    authorisation: row.authorisation,
  };
}

/** The statement of another live subscription of the same fan to the same creator. */
function otherLiveStatement({ db }: Pick<Context, "db">, { subscriptionId }: { subscriptionId: SQL<string> }) {
  const mine = db.select({ fanId: subscriptions.fanId, creatorId: subscriptions.creatorId }).from(subscriptions).where(eq(subscriptions.id, subscriptionId)).as("mine");
  return db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .innerJoin(mine, and(eq(mine.fanId, subscriptions.fanId), eq(mine.creatorId, subscriptions.creatorId)))
    .where(and(ne(subscriptions.id, subscriptionId), notInArray(subscriptions.status, ["incomplete", "expired"])))
    .limit(1);
}

/** The plan and interval of a price, also of one that was retired meanwhile; null when it never was. */
export async function planOfPrice(ctx: Context, { planPriceId }: { planPriceId: string }): Promise<{ planId: string; interval: Interval } | null> {
  const [row] = await ctx.db
    .select({ planId: planPrices.planId, interval: planPrices.interval })
    .from(planPrices)
    .where(eq(planPrices.id, planPriceId))
    .limit(1);
  return row ?? null;
}

/** The live subscription of a fan to a creator, or null. */
export async function liveSubscription(ctx: Context, { fanId, creatorId }: { fanId: string; creatorId: string }): Promise<Subscription | null> {
  const [row] = await ctx.db
    .select()
    .from(subscriptions)
    .where(and(eq(subscriptions.fanId, fanId), eq(subscriptions.creatorId, creatorId), notInArray(subscriptions.status, ["incomplete", "expired"])))
    .limit(1);
  return row ? asSubscription(row) : null;
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
  /** What its renewals are debited from, by Pix Automático. */
  recurringPixId: string | null;
  startedAt: Instant | null;
  currentPeriodStartsAt: Instant | null;
  currentPeriodEndsAt: Instant | null;
  accessUntil: Instant | null;
  /** Until when its free days were to run; null for what began without them. */
  trialEndsAt: Instant | null;
  canceledAt: Instant | null;
  pausedAt: Instant | null;
  resumesAt: Instant | null;
  /** Until when who creates gave it; null for what is paid. */
  compEndsAt: Instant | null;
  /** Who gave it, paid once; null for what its own fan pays. */
  giftedBy: string | null;
  createdAt: Instant;
  /** The number of the cancellation that stands. */
  protocol: string | null;
  /** What waits to be paid for the next period. */
  openChargeId: string | null;
  /** A payment of it that goes back by a Pix of ours, and waits for a key of who paid. */
  keyAwaitedChargeId: string | null;
  /** Until when who creates is away; null when they are not. */
  awayUntil: Instant | null;
  /** By how much their last vacation that counts for the period of now moved its end, in milliseconds; 0 for none. */
  vacationMs: number;
  /** The debit under way, by Pix Automático: its day (`YYYY-MM-DD`), and whether the bank refused it and is to be asked again. */
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
      awayUntil: awayUntilOf(sql`${subscriptions.creatorId}`, ctx.now()).as("away_until"),
      vacationMs: sql<number>`COALESCE((SELECT shift.moved_ms FROM vacation_shifts shift WHERE shift.subscription_id = ${subscriptions.id} AND shift.before_ends_at + shift.moved_ms = ${subscriptions.currentPeriodEndsAt}), 0)`.as("vacation_ms"),
      protocol: sql<string | null>`(SELECT stopped.protocol FROM subscription_cancellations stopped WHERE stopped.subscription_id = ${subscriptions.id} AND stopped.undone_at IS NULL)`.as("protocol"),
      openChargeId: sql<string | null>`(SELECT open.id FROM charges open WHERE open.purchase_kind = 'subscription' AND open.purchase_id = ${subscriptions.id} AND open.status IN ('awaiting_payment', 'requires_action') LIMIT 1)`.as("open_charge_id"),
      keyAwaitedChargeId: sql<string | null>`(SELECT back.charge_id FROM charges paid JOIN refund_transfers back ON back.charge_id = paid.id WHERE paid.purchase_kind IN ('subscription', 'plan_change') AND paid.purchase_id = ${subscriptions.id} AND paid.payer_id = ${subscriptions.fanId} AND back.status = 'awaiting_key' LIMIT 1)`.as("key_awaited_charge_id"),
      debit: sql<{ on: string; isRefused: boolean } | null>`(SELECT json_object('on', debited.debit_on, 'isRefused', json(iif(debited.failure_code IS NULL, 'false', 'true'))) FROM charges debited WHERE debited.purchase_kind = 'subscription' AND debited.purchase_id = ${subscriptions.id} AND debited.debit_on IS NOT NULL AND debited.status IN ('created', 'processing') LIMIT 1)`
        .mapWith((text: string) => JSON.parse(text))
        .as("debit"),
    })
    .from(subscriptions)
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .innerJoin(profiles, eq(profiles.personId, subscriptions.creatorId));
}

type Listed = { fanId: string; cursor: string | null; limit: number };

function listStatement(ctx: Context, { fanId, cursor, limit }: Listed) {
  const after = decodeCursor(cursor);
  return subscriptionViews(ctx)
    .where(
      and(
        eq(subscriptions.fanId, fanId),
        or(eq(subscriptions.status, "incomplete"), sql`${subscriptions.startedAt} IS NOT NULL`),
        after ? sql`(${subscriptions.createdAt}, ${subscriptions.id}) < (${after.at}, ${after.id})` : undefined,
      ),
    )
    .orderBy(desc(subscriptions.createdAt), desc(subscriptions.id))
    .limit(limit + 1);
}

/** What a person subscribes or subscribed to, newest first; checkouts that were never paid are not shown. */
export async function subscriptionsOf(ctx: Context, { limit, ...listed }: Listed): Promise<Page<SubscriptionView>> {
  const rows = await listStatement(ctx, { limit, ...listed });
  return pageOf(rows.map(viewOf), limit, (row) => ({ at: row.createdAt, id: row.id }));
}

/** Prices that one person may pay at once, of different intervals and amounts; a limit on everything. */
const MOST_PRICES = 1_000;

/** The same list, and how much everything that renews weighs per month (centavos), free days left out, in one round trip. */
export async function supportOf(ctx: Context, { limit, ...listed }: Listed): Promise<Page<SubscriptionView> & { monthlyCents: Cents }> {
  const [rows, renewing] = await ctx.db.batch([
    listStatement(ctx, { limit, ...listed }),
    ctx.db
      .select({ interval: subscriptions.interval, amountCents: subscriptions.amountCents, count: sql<number>`COUNT(*)`.as("count") })
      .from(subscriptions)
      .where(and(eq(subscriptions.fanId, listed.fanId), inArray(subscriptions.status, RENEWING.filter((status) => status !== "trialing"))))
      .groupBy(subscriptions.interval, subscriptions.amountCents)
      .limit(MOST_PRICES),
  ]);
  const page = pageOf(rows.map(viewOf), limit, (row) => ({ at: row.createdAt, id: row.id }));
  return { ...page, monthlyCents: renewing.reduce((sum, { interval, amountCents, count }) => sum + count * monthlyEquivalentCents(amountCents, interval), 0) };
}

const viewOf = <Row extends Omit<SubscriptionView, "badge">>(row: Row): Row & { badge: string } => ({ ...row, badge: badgeOf(row) });

/** One subscription of its fan; null for anyone else's. */
export async function subscriptionOf(
  ctx: Context,
  { fanId, subscriptionId }: { fanId: string; subscriptionId: string },
): Promise<SubscriptionView | null> {
  const [row] = await subscriptionViews(ctx)
    .where(and(eq(subscriptions.id, subscriptionId), eq(subscriptions.fanId, fanId)))
    .limit(1);
  return row ? viewOf(row) : null;
}

/** One subscription and whose it is, for what proves by itself that it may be shown. */
export async function subscriptionWithOwner(ctx: Context, { subscriptionId }: { subscriptionId: string }): Promise<{ fanId: string; subscription: SubscriptionView } | null> {
  const [[owner], [row]] = await ctx.db.batch([
    ctx.db.select({ fanId: subscriptions.fanId }).from(subscriptions).where(eq(subscriptions.id, subscriptionId)).limit(1),
    subscriptionViews(ctx).where(eq(subscriptions.id, subscriptionId)).limit(1),
  ]);
  return owner && row ? { ...owner, subscription: viewOf(row) } : null;
}

/** Live subscriptions that the calendar looks at by `now`, soonest first, but those that failed and wait: at most `limit`, and no row is read but theirs. */
export async function subscriptionsDue(ctx: Context, { now, limit }: { now: Instant; limit: number }): Promise<string[]> {
  const rows = await ctx.db.select({ id: subscriptions.id }).from(subscriptions).where(and(lte(subscriptions.calendarAt, now), hasTurn(ctx, subscriptions.id))).orderBy(subscriptions.calendarAt, subscriptions.id).limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * What was paid for a subscription since it began, or began again, and is still held, for giving it back; more than one when a short period was
 * renewed. What was paid before is of another contract, and used.
 */
export async function paidCharges(ctx: Context, { subscriptionId }: { subscriptionId: string }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: charges.id })
    .from(charges)
    .where(and(inArray(charges.purchaseKind, ["subscription", "plan_change"]), eq(charges.purchaseId, subscriptionId), inArray(charges.status, ["succeeded", "partially_refunded", "dispute_won"]), sql`EXISTS (SELECT 1 FROM charge_periods covered JOIN subscriptions begun ON begun.id = covered.subscription_id WHERE covered.charge_id = ${charges.id} AND covered.ends_at > begun.started_at)`))
    .orderBy(desc(charges.createdAt))
    .limit(MOST_CHARGES_REGRETTED);
  return rows.map((row) => row.id);
}
