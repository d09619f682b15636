import { and, eq, ne, notInArray, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { prepareReads } from "#app/db/prepared-reads.ts";
import type { Database } from "#app/db/client.server.ts";
import { isHiddenByAge, isBlockedBetween } from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { parseVacation, currentVacationSql } from "#app/domain/plans/queries/vacations.server.ts";
import { couponClosedProblem, nextPaymentCents } from "#app/domain/plans/rules/coupons.ts";
import { vacationUntil } from "#app/domain/plans/rules/vacations.ts";
import type { CouponTerms } from "#app/domain/plans/schema/coupons.ts";
import { toSubscription, subscriptionColumns } from "#app/domain/subscriptions/queries.server.ts";
import { nextTerms } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import type { HeldCoupon } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { agreedConsent } from "#app/domain/subscriptions/price-changes/rules.ts";
import type { UnfinishedVacation } from "#app/domain/subscriptions/vacations/rules.ts";
import type { Subscription, SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import type { ActivePixMandate } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import type { PriceConsent } from "#app/domain/subscriptions/price-changes/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { coupons, couponUses, plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { priceConsents, recurringPix, subscriptions } from "#drizzle/schema/subscriptions.ts";
import {
  toPlanChange,
  currentPlanChangeStatement,
} from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import type { PlanChange } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import {
  toPriceConsent,
  consentColumns,
  currentConsentJoin,
} from "#app/domain/subscriptions/price-changes/queries/consents.server.ts";

export type SubscriptionSnapshot = {
  subscription: Subscription;
  hasOtherLive: boolean;
  /** The other live subscriptions between the same two: at most two. */
  others: { id: string; status: SubscriptionStatus; accessUntil: Instant | null }[];
  /**
   * When it starts if paid now, because the one it follows runs until then. Null when it starts at
   * once or follows nothing.
   */
  beginsAt: Instant | null;
  /**
   * When the one it follows ends, or would have ended had it not ended early; null when it follows
   * nothing.
   */
  agreedAt: Instant | null;
  /**
   * The seller was banned or is leaving, or one of the two blocked the other: paid content would
   * soon be hidden.
   */
  isShut: boolean;
  /** One of the two blocked the other. */
  isBlocked: boolean;
  /** The payer's account is deleted, or its deletion was requested. */
  isPayerLeaving: boolean;
  /**
   * The page is for adults and the payer is not verified as one. They see nothing of it and cannot
   * buy more.
   */
  isAgeClosed: boolean;
  plan: {
    id: string;
    name: string;
    state: "draft" | "active" | "archived";
    hasFreeSeat: boolean;
    welcomeMessage: string;
  };
  fanName: string;
  creatorName: string;
  creatorUsername: string;
  /**
   * The coupon that it started with. `isFreed`: its first charge expired. `canTakeAgain`: a use of
   * it is still left.
   */
  coupon: { id: string; chargeId: string; isFreed: boolean; canTakeAgain: boolean } | null;
  /** That coupon while it applies, with the payments that it still discounts. */
  couponNow: (CouponTerms & { cyclesLeft: number | null }) | null;
  /** The pending plan change. */
  change: PlanChange | null;
  /** The creator's vacation that is not over. */
  vacation: UnfinishedVacation | null;
  /** By how much that vacation already moved this subscription, in milliseconds. */
  vacationMs: number;
  /** When the creator's vacation ends; null when they are not on vacation. */
  awayUntil: Instant | null;
  /** The coupon that it holds, and its code. */
  heldCoupon: HeldCoupon | null;
  couponCode: string | null;
  /** The price change that the subscriber was asked about, and their answer; null when none is open. */
  consent: PriceConsent | null;
  /** That consent, if it sets the price of the next period. */
  agreed: PriceConsent | null;
  /**
   * The price of the next period, less the coupon while it applies. It is the current, the agreed,
   * or the scheduled plan's price.
   */
  nextPaymentCents: Cents;
  /** The active Pix mandate of the subscription. */
  mandate: ActivePixMandate | null;
};

const couponColumns = {
  id: coupons.id,
  code: coupons.code,
  percent: coupons.percent,
  amountCents: coupons.amountCents,
  cycles: coupons.cycles,
  usesLimit: coupons.usesLimit,
  usesCount: coupons.usesCount,
  planIds: coupons.planIds,
  expiresAt: coupons.expiresAt,
  endedAt: coupons.endedAt,
};
const mandateColumns = {
  id: recurringPix.id,
  provider: recurringPix.provider,
  providerRecurringPixId: recurringPix.providerRecurringPixId,
  interval: recurringPix.interval,
  amountCents: recurringPix.amountCents,
  ceilingCents: recurringPix.ceilingCents,
  leastCents: recurringPix.leastCents,
  startsOn: recurringPix.startsOn,
  status: recurringPix.status,
  attachedAt: recurringPix.attachedAt,
  endingAt: recurringPix.endingAt,
  endedAt: recurringPix.endedAt,
};

const isSellerGone = sql<boolean>`EXISTS (SELECT 1 FROM people seller WHERE seller.id = ${subscriptions.creatorId} AND (seller.banned_at IS NOT NULL OR seller.leaving_at IS NOT NULL))`;
/**
 * The agreed end of the subscription that it follows. Days of a vacation cut short that were not
 * moved back do not count.
 */
const agreedAt = sql<Instant | null>`(SELECT COALESCE(given.comp_ends_at, given.current_period_ends_at) - COALESCE((SELECT SUM(shift.shifted_until - rest.returned_at) FROM vacation_shifts shift JOIN vacations rest ON rest.id = shift.vacation_id
    WHERE shift.subscription_id = given.id AND shift.moved_back_at IS NULL AND rest.returned_at < shift.shifted_until), 0)
  FROM subscriptions given WHERE given.id = ${subscriptions.beginsAfter})`;
const isPayerLeaving = sql<boolean>`EXISTS (SELECT 1 FROM people payer WHERE payer.id = ${subscriptions.fanId} AND payer.leaving_at IS NOT NULL)`;
const flag = (value: number): boolean => value === 1;
/** How the vacation that is not over moved a subscription. */
const shiftedBy = sql<{
  until: Instant;
  ms: number;
} | null>`(SELECT json_object('until', shift.shifted_until, 'ms', shift.moved_ms) FROM vacation_shifts shift JOIN vacations rest ON rest.id = shift.vacation_id WHERE shift.subscription_id = ${subscriptions.id} AND rest.over_at IS NULL)`;

/** Loads everything that decides what a payment for this subscription does, in one round trip. */
export async function loadSubscriptionSnapshot(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<SubscriptionSnapshot | null> {
  return toSubscriptionSnapshot(
    ctx,
    await ctx.db.batch(
      SNAPSHOT_STATEMENTS[`${ctx.settings.adultSpaces}`](ctx.db, { subscriptionId }),
    ),
  );
}

/**
 * The statements of `loadSubscriptionSnapshot`, for a batch; `toSubscriptionSnapshot` reads their
 * rows. They hold no time-dependent value, so they may be built once.
 */
export function subscriptionSnapshotStatements(
  { db, adultSpaces }: { db: Database; adultSpaces: boolean },
  { subscriptionId }: { subscriptionId: SQL<string> },
) {
  return [
    db
      .select({
        subscription: subscriptionColumns,
        plan: {
          id: plans.id,
          name: plans.name,
          state: plans.state,
          seatsLimit: plans.seatsLimit,
          seatsTaken: plans.seatsTaken,
          welcomeMessage: plans.welcomeMessage,
        },
        creatorName: profiles.name,
        creatorUsername: profiles.username,
        isSellerGone: isSellerGone.mapWith(flag).as("is_seller_gone"),
        isBlocked:
          sql<boolean>`${isBlockedBetween(sql`${subscriptions.fanId}`, sql`${subscriptions.creatorId}`)}`
            .mapWith(flag)
            .as("is_blocked"),
        isPayerLeaving: isPayerLeaving.mapWith(flag).as("is_payer_leaving"),
        isAgeClosed:
          sql<boolean>`${isHiddenByAge(sql`${subscriptions.fanId}`, sql`${subscriptions.creatorId}`, adultSpaces)}`
            .mapWith(flag)
            .as("is_age_closed"),
        agreedAt: agreedAt.as("agreed_at"),
        fanName: sql<string>`(SELECT fan.name FROM profiles fan WHERE fan.person_id = ${subscriptions.fanId})`,
        coupon: couponColumns,
        // Its charge comes first: drizzle takes a null first column as an absent coupon use.
        use: {
          chargeId: couponUses.chargeId,
          cyclesLeft: couponUses.cyclesLeft,
          fullPriceAt: couponUses.fullPriceAt,
          freedAt: couponUses.freedAt,
        },
        mandate: mandateColumns,
        vacation: currentVacationSql(sql`${subscriptions.creatorId}`).as("vacation"),
        shifted: shiftedBy.mapWith((text: string) => JSON.parse(text)).as("shifted"),
        consent: consentColumns,
        isCouponHeld:
          sql<boolean>`EXISTS (SELECT 1 FROM coupon_uses held WHERE held.coupon_id = ${couponUses.couponId} AND held.person_id = ${subscriptions.fanId} AND held.subscription_id <> ${subscriptions.id} AND held.freed_at IS NULL)`
            .mapWith(flag)
            .as("is_coupon_held"),
      })
      .from(subscriptions)
      .leftJoin(couponUses, eq(couponUses.subscriptionId, subscriptions.id))
      .leftJoin(coupons, eq(coupons.id, couponUses.couponId))
      .leftJoin(recurringPix, eq(recurringPix.id, subscriptions.recurringPixId))
      .leftJoin(priceConsents, currentConsentJoin)
      .innerJoin(plans, eq(plans.id, subscriptions.planId))
      .innerJoin(profiles, eq(profiles.personId, subscriptions.creatorId))
      .where(eq(subscriptions.id, subscriptionId))
      .limit(1),
    otherLiveStatement({ db }, { subscriptionId }),
    currentPlanChangeStatement({ db }, { subscriptionId }),
  ] as const;
}

const snapshotStatements = (adultSpaces: boolean) =>
  prepareReads((db) =>
    subscriptionSnapshotStatements(
      { db, adultSpaces },
      { subscriptionId: sql<string>`${sql.placeholder("subscriptionId")}` },
    ),
  );
const SNAPSHOT_STATEMENTS = { true: snapshotStatements(true), false: snapshotStatements(false) };

type SubscriptionSnapshotStatements = ReturnType<typeof subscriptionSnapshotStatements>;
type SubscriptionSnapshotRows = readonly [
  Awaited<SubscriptionSnapshotStatements[0]>,
  Awaited<SubscriptionSnapshotStatements[1]>,
  Awaited<SubscriptionSnapshotStatements[2]>,
];

export function toSubscriptionSnapshot(
  ctx: Context,
  [found, others, changes]: SubscriptionSnapshotRows,
): SubscriptionSnapshot | null {
  const row = found[0];
  if (!row) return null;
  const { seatsLimit, seatsTaken, ...plan } = row.plan;
  const { coupon, use } = row;
  const isFreed = use !== null && use.freedAt !== null;
  const couponNow = coupon && use && !isFreed ? { ...coupon, cyclesLeft: use.cyclesLeft } : null;
  const change = changes[0] ? toPlanChange(changes[0]) : null;
  const vacation = parseVacation(row.vacation);
  const consent = toPriceConsent(row.consent);
  const agreed = agreedConsent(row.subscription, consent, row.mandate);
  const heldCoupon = couponNow && use ? { ...couponNow, fullPriceAt: use.fullPriceAt } : null;
  return {
    subscription: toSubscription(row.subscription),
    hasOtherLive: others.length > 0,
    others,
    beginsAt:
      others.length === 1 && others[0]?.id === row.subscription.beginsAfter
        ? others[0].accessUntil
        : null,
    agreedAt: row.agreedAt,
    isShut: row.isSellerGone || row.isBlocked,
    isBlocked: row.isBlocked,
    isPayerLeaving: row.isPayerLeaving,
    isAgeClosed: row.isAgeClosed,
    plan: { ...plan, hasFreeSeat: seatsLimit === null || seatsTaken < seatsLimit },
    fanName: row.fanName,
    creatorName: row.creatorName,
    creatorUsername: row.creatorUsername,
    coupon: coupon &&
      use && {
        id: coupon.id,
        chargeId: use.chargeId,
        isFreed,
        canTakeAgain: couponClosedProblem(coupon, ctx.now()) === null && !row.isCouponHeld,
      },
    couponNow,
    change,
    vacation: vacation && { ...vacation, shiftedUntil: row.shifted?.until ?? null },
    vacationMs: row.shifted?.ms ?? 0,
    awayUntil: vacationUntil(vacation, ctx.now()),
    heldCoupon,
    couponCode: heldCoupon && (coupon?.code ?? null),
    consent,
    agreed,
    nextPaymentCents: nextPaymentCents(nextTerms(row.subscription, change, agreed), heldCoupon),
    mandate: row.mandate,
  };
}

/** The statement of the other live subscriptions of the same fan to the same creator. */
function otherLiveStatement(
  { db }: Pick<Context, "db">,
  { subscriptionId }: { subscriptionId: SQL<string> },
) {
  const ofSubscription = db
    .select({ fanId: subscriptions.fanId, creatorId: subscriptions.creatorId })
    .from(subscriptions)
    .where(eq(subscriptions.id, subscriptionId))
    .as("mine");
  return db
    .select({
      id: subscriptions.id,
      status: sql<SubscriptionStatus>`${subscriptions.status}`.as("other_status"),
      accessUntil: subscriptions.accessUntil,
    })
    .from(subscriptions)
    .innerJoin(
      ofSubscription,
      and(
        eq(ofSubscription.fanId, subscriptions.fanId),
        eq(ofSubscription.creatorId, subscriptions.creatorId),
      ),
    )
    .where(
      and(
        ne(subscriptions.id, subscriptionId),
        notInArray(subscriptions.status, ["incomplete", "expired"]),
      ),
    )
    .limit(2);
}
