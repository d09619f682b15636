import type { Cents } from "#app/domain/money.ts";
import { methodsForPrice } from "#app/domain/plans/rules.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { mandateCovers } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { RENEWING_STATUSES } from "#app/domain/subscriptions/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { PixMandate } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import type { PriceConsent } from "./schema.ts";
import { addDays, civilDate, instantOf } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Whole days between a price change's proposal and the first period that costs the new price. */
export const PRICE_NOTICE_DAYS = 30;
/** A subscriber who did not answer gets one reminder, this many days before. */
const REMIND_DAYS = 7;
/** Days after its date that the link of an email still works. */
const LINK_DAYS = 7;

/** When a price proposed at `now` takes effect: the midnight after the days of notice. */
export const takesEffectAt = (now: Instant): Instant =>
  instantOf(civilDate(addDays(now, PRICE_NOTICE_DAYS + 1)));

export const priceReminderAt = (effectAt: Instant): Instant => addDays(effectAt, -REMIND_DAYS);

/** When the link of an email expires. */
export const priceLinkExpiresAt = (effectAt: Instant): Instant => addDays(effectAt, LINK_DAYS);

type ConsentTerms = Pick<PixMandate, "amountCents" | "ceilingCents" | "leastCents">;
type PricedSubscription = Pick<Subscription, "amountCents" | "method">;

/**
 * The effect of a new price on a subscriber who pays `amountCents`. `lower` applies at once without
 * consent, `ask` needs consent, `same` is nothing. A lower price needs consent too if it changes
 * how it is paid: under R$ 10,00 is by Pix only, and a mandate's debit is for the authorised
 * amount.
 */
export function priceChangeEffect(
  { amountCents, method }: PricedSubscription,
  toCents: Cents,
  mandate: ConsentTerms | null,
): "same" | "lower" | "ask" {
  if (toCents === amountCents) return "same";
  const staysAsPaid =
    methodsForPrice(toCents).includes(method) &&
    (mandate === null || mandateCovers(mandate, toCents));
  return toCents < amountCents && staysAsPaid ? "lower" : "ask";
}

/**
 * Whether a price needs a new Pix mandate before it applies. Until it is given, the old price
 * stays.
 */
export const needsNewMandate = (toCents: Cents, mandate: ConsentTerms | null): boolean =>
  mandate !== null && !mandateCovers(mandate, toCents);

type NextPaymentTerms = { /** Of the next period. */ nextCents: Cents; interval: Interval };

/**
 * Whether a new mandate may replace an active one. The active one does not allow the accepted price
 * or the next payment (centavos). The next payment may have become lower before the bank answered.
 */
export const isMandateOutgrown = (
  mandate: ConsentTerms & { interval: Interval },
  consent: Pick<PriceConsent, "state" | "toAmountCents"> | null,
  { nextCents, interval }: NextPaymentTerms,
): boolean =>
  !mandateCovers(mandate, nextCents) ||
  mandate.interval !== interval ||
  (consent?.state === "accepted" && needsNewMandate(consent.toAmountCents, mandate));

type RenewingSubscription = Pick<Subscription, "planPriceId" | "currentPeriodEndsAt">;

/**
 * The consent that sets the price of a subscription's next period; null when the price stays.
 * INVARIANT: no charge of a subscription is above the price that its subscriber agreed to. So the
 * consent must be accepted and be from the current price. The period must start on or after its
 * date, and a Pix mandate must allow it. Source: domain rules, "Plans" (a new price) and
 * "Subscriptions" (a new authorisation).
 */
export function agreedConsent<Consent extends PriceConsent>(
  subscription: RenewingSubscription,
  consent: Consent | null,
  mandate: ConsentTerms | null,
): Consent | null {
  if (
    consent?.state !== "accepted" ||
    consent.appliedAt !== null ||
    consent.fromPlanPriceId !== subscription.planPriceId
  )
    return null;
  if (
    subscription.currentPeriodEndsAt === null ||
    subscription.currentPeriodEndsAt < consent.takesEffectAt
  )
    return null;
  return needsNewMandate(consent.toAmountCents, mandate) ? null : consent;
}

/** Whether an answer may still be given or changed: until a charge is made at the new price. */
export const canAnswerPriceChange = (
  consent: Pick<PriceConsent, "appliedAt">,
  { status }: Pick<Subscription, "status">,
): boolean => consent.appliedAt === null && RENEWING_STATUSES.includes(status);

/**
 * The prices of a new Pix mandate (centavos; see `mandateTerms`): the price, or any amount between
 * the current and the accepted one.
 */
export function mandatePrices(
  nextCents: Cents,
  priceCents: Cents,
  consent: Pick<PriceConsent, "state" | "toAmountCents"> | null,
): { priceCents: Cents; firstCents: Cents } {
  if (consent?.state !== "accepted") return { priceCents, firstCents: nextCents };
  return {
    priceCents: Math.max(consent.toAmountCents, nextCents),
    firstCents: Math.min(consent.toAmountCents, nextCents),
  };
}

/** A consent in force, with the fields that revert it. */
type AppliedConsent = Pick<
  PriceConsent,
  "askId" | "fromPlanPriceId" | "fromAmountCents" | "toPlanPriceId" | "takesEffectAt"
>;

/**
 * The price (centavos) to return to when the paid periods end at `endsAt` again, before the dates
 * of some consents. Also gives the price changes that no longer apply; null when the price stays.
 * INVARIANT: nobody pays a price that they accepted for a period that starts before its date. Only
 * higher prices are reverted: a lower one needs no date. `applied` are the consents in force, in
 * any order.
 */
export function priceBeforeConsents(
  { planPriceId, amountCents }: Pick<Subscription, "planPriceId" | "amountCents">,
  applied: readonly AppliedConsent[],
  endsAt: Instant,
): { planPriceId: string; amountCents: Cents; askIds: string[] } | null {
  const [consent] = applied.filter(({ toPlanPriceId }) => toPlanPriceId === planPriceId);
  if (!consent) return null;
  const before = { planPriceId: consent.fromPlanPriceId, amountCents: consent.fromAmountCents };
  const earlier = priceBeforeConsents(
    before,
    applied.filter((one) => one !== consent),
    endsAt,
  );
  if (earlier && earlier.amountCents < amountCents)
    return { ...earlier, askIds: [consent.askId, ...earlier.askIds] };
  return consent.takesEffectAt > endsAt && before.amountCents < amountCents
    ? { ...before, askIds: [consent.askId] }
    : null;
}
