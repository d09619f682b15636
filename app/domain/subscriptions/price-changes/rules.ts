import type { Cents } from "#app/domain/money.ts";
import { methodsForPrice } from "#app/domain/plans/rules.ts";
import type { Interval } from "#app/domain/plans/schema.ts";
import { mandateCovers } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { RENEWING_STATUSES } from "#app/domain/subscriptions/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { PixMandate } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import type { PriceConsent } from "./schema.ts";
import { addDays, civilDate, instantOf } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Whole days between asking for a price and the first period that costs it. */
export const PRICE_NOTICE_DAYS = 30;
/** Who did not answer is reminded once, this many days before. */
const REMIND_DAYS = 7;
/** Days after its date that the link of a letter still answers. */
const LINK_DAYS = 7;

/** From when a price that is asked for at `now` holds: the midnight after the days of notice. */
export const takesEffectAt = (now: Instant): Instant =>
  instantOf(civilDate(addDays(now, PRICE_NOTICE_DAYS + 1)));

export const priceReminderAt = (effectAt: Instant): Instant => addDays(effectAt, -REMIND_DAYS);

/** Until when the link of a letter serves. */
export const priceLinkExpiresAt = (effectAt: Instant): Instant => addDays(effectAt, LINK_DAYS);

type ConsentTerms = Pick<PixMandate, "amountCents" | "ceilingCents" | "leastCents">;
type PricedSubscription = Pick<Subscription, "amountCents" | "method">;

/**
 * What a new price means to somebody who pays `amountCents`: `lower` needs nobody's consent and is
 * theirs at once, `ask` does, and `same` is nothing. Less is asked for too where it would change
 * how it is paid: under R$ 10,00 by Pix only, and a debit of Pix Automático is for what was
 * authorised.
 */
export function priceChangeEffect(
  { amountCents, method }: PricedSubscription,
  toCents: Cents,
  authorisation: ConsentTerms | null,
): "same" | "lower" | "ask" {
  if (toCents === amountCents) return "same";
  const staysAsPaid =
    methodsForPrice(toCents).includes(method) &&
    (authorisation === null || mandateCovers(authorisation, toCents));
  return toCents < amountCents && staysAsPaid ? "lower" : "ask";
}

/**
 * Whether a price needs a new authorisation of Pix Automático before it holds; until it is given
 * the old price stays.
 */
export const needsNewMandate = (toCents: Cents, authorisation: ConsentTerms | null): boolean =>
  authorisation !== null && !mandateCovers(authorisation, toCents);

type NextPaymentTerms = { /** Of the next period. */ nextCents: Cents; interval: Interval };

/**
 * Whether a new authorisation may take the place of one that stands: it does not allow the price
 * that its person accepted, or does not bring the next payment (centavos), as when that became less
 * while the bank had not answered.
 */
export const isMandateOutgrown = (
  authorisation: ConsentTerms & { interval: Interval },
  consent: Pick<PriceConsent, "state" | "toAmountCents"> | null,
  { nextCents, interval }: NextPaymentTerms,
): boolean =>
  !mandateCovers(authorisation, nextCents) ||
  authorisation.interval !== interval ||
  (consent?.state === "accepted" && needsNewMandate(consent.toAmountCents, authorisation));

type RenewingSubscription = Pick<Subscription, "planPriceId" | "currentPeriodEndsAt">;

/**
 * The consent by which the next period of a subscription costs another price; null where it costs
 * what it did. INVARIANT: no charge of a subscription is above the price that its person agreed to.
 * So: only what was accepted, of the price that is paid now, for a period that begins on or after
 * its date, and within what a Pix Automático allows. Source: domain rules, "Plans" (a new price)
 * and "Subscriptions" (a new authorisation).
 */
export function agreedConsent<Consent extends PriceConsent>(
  subscription: RenewingSubscription,
  consent: Consent | null,
  authorisation: ConsentTerms | null,
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
  return needsNewMandate(consent.toAmountCents, authorisation) ? null : consent;
}

/** Whether an answer may still be given, or be another: until a charge was made at the new price. */
export const canAnswerPriceChange = (
  consent: Pick<PriceConsent, "appliedAt">,
  { status }: Pick<Subscription, "status">,
): boolean => consent.appliedAt === null && RENEWING_STATUSES.includes(status);

/**
 * What a new authorisation of Pix Automático is for (centavos; see `mandateTerms`): the price, or
 * any amount between what is paid now and the price that was accepted.
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

/** A consent that is in force, as what puts it back reads it. */
type AppliedConsent = Pick<
  PriceConsent,
  "askId" | "fromPlanPriceId" | "fromAmountCents" | "toPlanPriceId" | "takesEffectAt"
>;

/**
 * The price (centavos) that a subscription had before those it was not to pay yet, when what is
 * paid ends at `endsAt` again, and the asks that do not hold any more; null when it may keep its
 * price. INVARIANT: nobody pays a price that they accepted for a period that begins before its
 * date. Only what is more is put back: less needs no date. `applied` are the consents that are in
 * force, in any order.
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
