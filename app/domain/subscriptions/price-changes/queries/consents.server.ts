import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { methodsForPrice } from "#app/domain/plans/rules.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import {
  canAnswerPriceChange,
  needsNewMandate,
} from "#app/domain/subscriptions/price-changes/rules.ts";
import type { PriceConsent, PriceLink } from "#app/domain/subscriptions/price-changes/schema.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { priceConsents, recurringPix, subscriptions } from "#drizzle/schema/subscriptions.ts";

const PURPOSE = "coreto price link 1";

/**
 * The join from a subscription to its one current consent: of a price change not withdrawn, from
 * the current price, and not yet in force.
 */
export const currentConsentJoin = and(
  eq(priceConsents.subscriptionId, subscriptions.id),
  eq(priceConsents.fromPlanPriceId, subscriptions.planPriceId),
  isNull(priceConsents.appliedAt),
  sql`EXISTS (SELECT 1 FROM price_asks open_ask WHERE open_ask.id = ${priceConsents.askId} AND open_ask.withdrawn_at IS NULL)`,
);

/** The columns of a `PriceConsent`. */
export const consentColumns = {
  askId: priceConsents.askId,
  fromPlanPriceId: priceConsents.fromPlanPriceId,
  fromAmountCents: priceConsents.fromAmountCents,
  toPlanPriceId: priceConsents.toPlanPriceId,
  toAmountCents: priceConsents.toAmountCents,
  takesEffectAt: priceConsents.takesEffectAt,
  state: priceConsents.state,
  answeredAt: priceConsents.answeredAt,
  appliedAt: priceConsents.appliedAt,
};

/** Reads a row. The database refuses any other value in `state` (trigger `price_consents_update`). */
export const toPriceConsent = (
  row: (Omit<PriceConsent, "state"> & { state: string }) | null,
): PriceConsent | null => row && { ...row, state: row.state as PriceConsent["state"] };

/** The condition, on an updated subscription, that the consent is unchanged since it was read. */
export const consentsUnchanged = (
  { id, planPriceId }: { id: string; planPriceId: string },
  consent: PriceConsent | null,
) =>
  sql`(SELECT answered.ask_id || answered.state FROM price_consents answered JOIN price_asks open_ask ON open_ask.id = answered.ask_id AND open_ask.withdrawn_at IS NULL
    WHERE answered.subscription_id = ${id} AND answered.from_plan_price_id = ${planPriceId} AND answered.applied_at IS NULL) IS ${consent && `${consent.askId}${consent.state}`}`;

/** More prices than anybody ever agreed to. */
const MOST_APPLIED = 100;

/**
 * The statement of a subscription's consents that are in force; `toAppliedConsents` reads its rows.
 * It may be built once.
 */
export const appliedConsentsStatement = (
  { db }: Pick<Context, "db">,
  { subscriptionId }: { subscriptionId: SQL<string> },
) =>
  db
    .select(consentColumns)
    .from(priceConsents)
    .where(
      and(eq(priceConsents.subscriptionId, subscriptionId), isNotNull(priceConsents.appliedAt)),
    )
    .limit(MOST_APPLIED);

export const toAppliedConsents = (
  rows: Awaited<ReturnType<typeof appliedConsentsStatement>>,
): PriceConsent[] => rows.flatMap((row) => toPriceConsent(row) ?? []);

/** What a page shows of a price change. */
export type PriceChangeView = PriceConsent & {
  subscriptionId: string;
  fanId: string;
  status: SubscriptionStatus;
  planName: string;
  creatorName: string;
  interval: Interval;
  currentPeriodEndsAt: Instant | null;
  /** Accepting it requires a new Pix mandate. */
  needsMandate: boolean;
  /** It is paid by card, and the new price by Pix only. */
  movesToPix: boolean;
  /** A charge of the next period is open, at the price that it was made with. */
  isChargeOpen: boolean;
  mayAnswer: boolean;
};

/**
 * The statement of a subscription's current price change, one at most; `toPriceChangeView` reads
 * its row.
 */
export function priceChangeStatement(ctx: Context, { subscriptionId }: { subscriptionId: string }) {
  return ctx.db
    .select({
      consent: consentColumns,
      subscriptionId: subscriptions.id,
      fanId: subscriptions.fanId,
      status: sql<SubscriptionStatus>`${subscriptions.status}`.as("subscription_status"),
      method: subscriptions.method,
      planName: sql<string>`${plans.name}`.as("plan_name"),
      creatorName: sql<string>`${profiles.name}`.as("creator_name"),
      interval: subscriptions.interval,
      currentPeriodEndsAt: subscriptions.currentPeriodEndsAt,
      mandate: recurringPix,
      isChargeOpen:
        sql<boolean>`EXISTS (SELECT 1 FROM charges open WHERE open.purchase_kind = 'subscription' AND open.purchase_id = ${subscriptions.id} AND open.period_starts_at IS NOT NULL AND open.status IN ('created', 'awaiting_payment', 'requires_action', 'processing'))`
          .mapWith((value: number) => value === 1)
          .as("is_charge_open"),
    })
    .from(subscriptions)
    .innerJoin(priceConsents, currentConsentJoin)
    .innerJoin(plans, eq(plans.id, subscriptions.planId))
    .innerJoin(profiles, eq(profiles.personId, subscriptions.creatorId))
    .leftJoin(recurringPix, eq(recurringPix.id, subscriptions.recurringPixId))
    .where(eq(subscriptions.id, subscriptionId))
    .limit(1);
}

export function toPriceChangeView(
  row: Awaited<ReturnType<typeof priceChangeStatement>>[number] | undefined,
): PriceChangeView | null {
  if (!row) return null;
  const { consent, mandate, method, ...view } = row;
  const asked = { ...consent, state: consent.state as PriceConsent["state"] };
  return {
    ...asked,
    ...view,
    needsMandate: needsNewMandate(consent.toAmountCents, mandate),
    movesToPix: !methodsForPrice(consent.toAmountCents).includes(method),
    mayAnswer: canAnswerPriceChange(asked, view),
  };
}

/**
 * The current price change of a member's own subscription; null when there is none, and for anyone
 * else's.
 */
export async function fanPriceChange(
  ctx: Context,
  { fanId, subscriptionId }: { fanId: string; subscriptionId: string },
): Promise<PriceChangeView | null> {
  const view = toPriceChangeView((await priceChangeStatement(ctx, { subscriptionId }))[0]);
  return view?.fanId === fanId ? view : null;
}

const signedText = ({ askId, subscriptionId, until }: Omit<PriceLink, "signature">): string =>
  [askId, subscriptionId, until].join("\n");

/**
 * The absolute URL of the signed link that answers one price change of one subscription, for an
 * email.
 */
export async function priceLinkUrl(
  ctx: Context,
  link: Omit<PriceLink, "signature">,
): Promise<string> {
  return `${ctx.settings.appOrigin}/renewal/price/${link.askId}/${link.subscriptionId}/${link.until}/${await ctx.signer.sign(PURPOSE, signedText(link))}`;
}

/**
 * The price change that a link answers, with a null view once it is over. Null for a link that we
 * did not sign or that expired.
 */
export async function openedPriceLink(
  ctx: Context,
  { signature, ...link }: PriceLink,
): Promise<{ view: PriceChangeView | null } | null> {
  if (
    link.until <= ctx.now() ||
    !(await ctx.signer.isGenuine(PURPOSE, signedText(link), signature))
  )
    return null;
  const view = toPriceChangeView((await priceChangeStatement(ctx, link))[0]);
  return { view: view?.askId === link.askId ? view : null };
}
