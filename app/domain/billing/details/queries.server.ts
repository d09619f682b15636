import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { BillingDetails } from "./schema.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import {
  payableCardProviders,
  acceptsSavedCards,
} from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { agreedCents } from "#app/domain/plans/queries/agreed-price.server.ts";
import { civilDate, DAY_MS, dayNumberOf } from "#app/domain/time.ts";
import { nextPaymentCents } from "#app/domain/plans/rules/coupons.ts";
import type { CouponTerms } from "#app/domain/plans/schema/coupons.ts";
import {
  nextPeriodChangeJoin,
  monthlyRenewalCents,
  renewingPricesStatement,
} from "#app/domain/subscriptions/renewal-terms/queries/renewal-totals.server.ts";
import {
  methodForPrice,
  nextTerms,
} from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { RENEWING_STATUSES } from "#app/domain/subscriptions/rules.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import {
  billingDetails,
  savedMethodAttempts,
  savedMethods,
  transactionTotals,
} from "#drizzle/schema/billing.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

/** More than is ever shown at once. The page of subscriptions shows the rest. */
export const UPCOMING_CHARGES_MAX = 50;
const CARDS_SHOWN = 20;

/** Reads the billing details that receipts show. Returns null when there are none. */
export async function billingDetailsOfPerson(
  ctx: Context,
  { personId }: { personId: string },
): Promise<BillingDetails | null> {
  const [row] = await detailsStatement(ctx, personId);
  return row ?? null;
}

/** Whether a person lets sellers see their name and tax id, to issue invoices. */
export async function wantsInvoices(
  ctx: Context,
  { personId }: { personId: string },
): Promise<boolean> {
  const [row] = await ctx.db
    .select({ since: billingDetails.forInvoicesAt })
    .from(billingDetails)
    .where(eq(billingDetails.personId, personId))
    .limit(1);
  return (row?.since ?? null) !== null;
}

function detailsStatement(ctx: Context, personId: string) {
  const { personId: of, createdAt: _, updatedAt: __, ...details } = billingDetails;
  const { taxKind, taxId, name, cep, street, number, complement, district, city, state } = details;
  return ctx.db
    .select({ taxKind, taxId, name, cep, street, number, complement, district, city, state })
    .from(billingDetails)
    .where(eq(of, personId))
    .limit(1);
}

type UpcomingCharge = {
  id: string;
  planName: string;
  creatorName: string;
  /**
   * The amount of the next payment. It includes the accepted price, the scheduled plan change and
   * the coupon in force by then.
   */
  amountCents: Cents;
  /** The same without the coupon, which ends at some time. */
  priceCents: Cents;
  /** The interval of the period that it pays for. */
  interval: (typeof subscriptions.$inferSelect)["interval"];
  method: PaymentMethod;
  /** The Pix mandate that it is debited from. */
  recurringPixId: string | null;
  status: SubscriptionStatus;
  /** When the paid period ends, and the next charge is due. */
  dueAt: Instant | null;
  accessUntil: Instant | null;
};

export type SavedCard = {
  id: string;
  isDefault: boolean;
  createdAt: Instant;
  brand: string | null;
  last4: string | null;
  /** The provider that saves it. */
  provider: string;
  /** How many subscriptions renew by it. */
  renews: number;
};

export type BillingOverview = {
  upcoming: UpcomingCharge[];
  cards: SavedCard[];
  details: BillingDetails | null;
  monthlyCents: Cents;
  paidThisMonthCents: Cents;
};

/**
 * Reads a person's billing overview in one round trip. It has the next payments, the monthly total,
 * the cards, the billing details and what they paid this month.
 */
export async function billingOverview(
  ctx: Context,
  { personId }: { personId: string },
): Promise<BillingOverview> {
  const { year, month } = civilDate(ctx.now());
  const [upcoming, cards, [details], renewing, [paid]] = await ctx.db.batch([
    upcomingStatement(ctx, personId),
    cardsStatement(ctx, personId),
    detailsStatement(ctx, personId),
    renewingPricesStatement(ctx, { fanId: personId }),
    ctx.db
      .select({
        cents:
          sql<Cents>`COALESCE(SUM(${transactionTotals.amountCents} - ${transactionTotals.refundedCents} - ${transactionTotals.disputedCents}), 0)`.as(
            "paid",
          ),
      })
      .from(transactionTotals)
      .where(
        and(
          eq(transactionTotals.personId, personId),
          eq(transactionTotals.face, "paid"),
          gte(
            transactionTotals.day,
            Math.min(dayNumberOf(ctx.now()), Date.UTC(year, month - 1, 1) / DAY_MS),
          ),
        ),
      ),
  ]);
  return {
    upcoming: upcoming.map(nextOf),
    cards,
    details: details ?? null,
    monthlyCents: monthlyRenewalCents(renewing),
    paidThisMonthCents: paid?.cents ?? 0,
  };
}

/**
 * The coupon of a row of `subscriptions`, for lists. Same rule in SQL as in
 * `loadSubscriptionSnapshot`.
 */
const heldCoupon = sql<
  (CouponTerms & { cyclesLeft: number | null }) | null
>`(SELECT json_object('percent', held.percent, 'amountCents', held.amount_cents, 'cycles', held.cycles, 'planIds', json(held.plan_ids), 'cyclesLeft', used.cycles_left) FROM coupon_uses used JOIN coupons held ON held.id = used.coupon_id WHERE used.subscription_id = ${subscriptions.id} AND used.freed_at IS NULL LIMIT 1)`;
const asRead = (text: string) => JSON.parse(text);

function nextOf({
  planId,
  planPriceId,
  coupon,
  change,
  interval,
  method,
  agreedCents: amountCents,
  ...shown
}: Awaited<ReturnType<typeof upcomingStatement>>[number]): UpcomingCharge {
  const next = nextTerms(
    { planId, planPriceId, interval, amountCents, method: methodForPrice(method, amountCents) },
    change,
    null,
  );
  return {
    ...shown,
    interval: next.interval,
    method: next.method,
    priceCents: next.amountCents,
    amountCents: nextPaymentCents(next, coupon),
  };
}

function upcomingStatement(ctx: Context, personId: string) {
  return ctx.db
    .select({
      id: subscriptions.id,
      planName: sql<string>`${plans.name}`.as("plan_name"),
      creatorName: sql<string>`${profiles.name}`.as("creator_name"),
      planId: sql<string>`${subscriptions.planId}`.as("on_plan_id"),
      planPriceId: subscriptions.planPriceId,
      coupon: heldCoupon.mapWith(asRead).as("held_coupon"),
      change: nextPeriodChangeJoin.as("coming_change"),
      agreedCents,
      interval: subscriptions.interval,
      method: subscriptions.method,
      recurringPixId: subscriptions.recurringPixId,
      status: sql<SubscriptionStatus>`${subscriptions.status}`.as("state"),
      dueAt: subscriptions.currentPeriodEndsAt,
      accessUntil: subscriptions.accessUntil,
    })
    .from(subscriptions)
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .innerJoin(profiles, eq(profiles.personId, subscriptions.creatorId))
    .where(
      and(
        eq(subscriptions.fanId, personId),
        inArray(subscriptions.status, [...RENEWING_STATUSES]),
        isNotNull(subscriptions.currentPeriodEndsAt),
      ),
    )
    .orderBy(asc(subscriptions.currentPeriodEndsAt), asc(subscriptions.id))
    .limit(UPCOMING_CHARGES_MAX);
}

function cardsStatement(ctx: Context, personId: string) {
  return ctx.db
    .select({
      id: savedMethods.id,
      isDefault: savedMethods.isDefault,
      createdAt: savedMethods.createdAt,
      brand: savedMethods.brand,
      last4: savedMethods.last4,
      provider: savedMethods.provider,
      renews:
        sql<number>`(SELECT COUNT(*) FROM subscriptions paying WHERE paying.fan_id = saved_methods.person_id AND paying.saved_method_id = saved_methods.id AND paying.status IN (SELECT value FROM json_each(${JSON.stringify(RENEWING_STATUSES)})))`.as(
          "renews",
        ),
    })
    .from(savedMethods)
    .where(and(eq(savedMethods.personId, personId), isNull(savedMethods.removedAt)))
    .orderBy(desc(savedMethods.isDefault), desc(savedMethods.createdAt), desc(savedMethods.id))
    .limit(CARDS_SHOWN);
}

/** Returns the saved cards of a person, the default one first. */
export async function savedCards(
  ctx: Context,
  { personId }: { personId: string },
): Promise<SavedCard[]> {
  return await cardsStatement(ctx, personId);
}

/**
 * Returns the saved cards of a person that can pay now, the default one first. A card of a provider
 * that takes no new cards can only be removed.
 */
export async function payableSavedCards(
  ctx: Context,
  { personId }: { personId: string },
): Promise<SavedCard[]> {
  if (!acceptsSavedCards(ctx.payments)) return [];
  return (await savedCards(ctx, { personId })).filter((card) => isCardPayable(ctx, card));
}

/** Whether a saved card can pay now. */
export const isCardPayable = (ctx: Context, { provider }: Pick<SavedCard, "provider">): boolean =>
  acceptsSavedCards(ctx.payments) && payableCardProviders(ctx.payments).includes(provider);

/**
 * Reads a card that is being saved and that the provider has not answered yet. Returns null when
 * there is none.
 */
export async function cardSetup(
  ctx: Context,
  { attemptId }: { attemptId: string },
): Promise<{ id: string; personId: string; methodId: string | null; provider: string } | null> {
  const { id, personId, methodId, provider } = savedMethodAttempts;
  const [row] = await ctx.db
    .select({ id, personId, methodId, provider })
    .from(savedMethodAttempts)
    .where(eq(id, attemptId))
    .limit(1);
  return row ?? null;
}

/** Returns the provider of a card, also of a removed one. Returns null when there is no such card. */
export async function savedMethodProvider(
  ctx: Context,
  { methodId }: { methodId: string },
): Promise<string | null> {
  const [row] = await ctx.db
    .select({ provider: savedMethods.provider })
    .from(savedMethods)
    .where(eq(savedMethods.id, methodId))
    .limit(1);
  return row?.provider ?? null;
}

/** Returns card setups that their owners left, oldest first. */
export async function abandonedCardSetups(
  ctx: Context,
  { before, limit }: { before: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: savedMethodAttempts.id })
    .from(savedMethodAttempts)
    .where(and(lte(savedMethodAttempts.createdAt, before), isRetryDue(ctx, savedMethodAttempts.id)))
    .orderBy(asc(savedMethodAttempts.createdAt))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Returns cards whose details the provider has not given yet, oldest first. */
export async function methodsWithoutDetails(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: savedMethods.id })
    .from(savedMethods)
    .where(
      and(
        isNull(savedMethods.describedAt),
        isNull(savedMethods.removedAt),
        isRetryDue(ctx, savedMethods.id),
      ),
    )
    .orderBy(asc(savedMethods.createdAt))
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Returns removed cards that the provider still has, oldest first. */
export async function methodsToDetach(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: savedMethods.id })
    .from(savedMethods)
    .where(
      and(
        isNotNull(savedMethods.removedAt),
        isNull(savedMethods.forgottenAt),
        isRetryDue(ctx, savedMethods.id),
      ),
    )
    .orderBy(asc(savedMethods.removedAt))
    .limit(limit);
  return rows.map((row) => row.id);
}
