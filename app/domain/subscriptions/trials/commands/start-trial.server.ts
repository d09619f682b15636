import { linkSlugSql } from "#app/domain/profiles/queries/link-marks.server.ts";
import type { RateLimitedAction } from "#app/domain/rate-limits/schema.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { countAction, rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { TrialMessage } from "#app/domain/subscriptions/schema/outbox/trials.ts";
import { isMethodOffered } from "#app/domain/payments/providers/rules/providers.ts";
import { renewsByCode, renewsBySavedMethod } from "#app/domain/payments/methods/rules.ts";
import { holdSeatStatement } from "#app/domain/plans/commands.server.ts";
import { claimCouponStatements } from "#app/domain/plans/commands/coupons.server.ts";
import { CouponRefused } from "#app/domain/plans/errors/coupons.ts";
import { requireUnblockedStatement } from "#app/domain/profiles/commands.server.ts";
import { AlreadySubscribed, NoSeatLeft } from "#app/domain/subscriptions/errors.ts";
import {
  TooManyTrials,
  TrialChanged,
  TrialTaxIdMissing,
  TrialUsed,
} from "#app/domain/subscriptions/trials/errors.ts";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import { liveSubscription } from "#app/domain/subscriptions/queries.server.ts";
import {
  hadTrialElsewhere,
  offeredTrial,
} from "#app/domain/subscriptions/trials/queries.server.ts";
import { trialEndFrom, TRIALS_A_DAY } from "#app/domain/subscriptions/trials/rules/trial.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptions, trialUses } from "#drizzle/schema/subscriptions.ts";
import {
  priceWithCoupon,
  subscriptionOffer,
} from "#app/domain/subscriptions/checkout/commands/offer.server.ts";
import type {
  AgreedSubscription,
  SubscriptionCheckout,
} from "#app/domain/subscriptions/checkout/commands/offer.server.ts";
import {
  enforceOpenCheckoutLimit,
  enforcePayable,
} from "#app/domain/subscriptions/checkout/commands/payable.server.ts";

/** `trialDays` is what the member was shown; `method` "pix" starts a trial without a card. */
export type TrialCheckout = SubscriptionCheckout & { trialDays: number };

export type StartedTrial = { kind: "began"; subscriptionId: string; creatorUsername: string };

/** A card that the provider just saved for this trial; `also` records it in the same batch. */
export type NewTrialCard = { id: string; also: (subscriptionId: string) => BatchWrite[] };

const trialStartAction = ({ memberId }: Pick<TrialCheckout, "memberId">): RateLimitedAction => ({
  act: "trial",
  personId: memberId,
  limits: [TRIALS_A_DAY],
});

/**
 * The plan and trial offered to this member, as they were shown. A card that was already saved is
 * not checked again.
 */
export async function loadAgreedTrial(
  ctx: Context,
  checkout: TrialCheckout,
  fresh: NewTrialCard | null,
): Promise<AgreedSubscription> {
  // A trial starts at once, and never follows a gift or comp.
  const offer = await subscriptionOffer(ctx, { ...checkout, beginsAt: undefined });
  const trial = await offeredTrial(ctx, { memberId: checkout.memberId, plan: offer.plan });
  if (offer.plan.trialDays !== checkout.trialDays) throw new TrialChanged(offer.plan.trialDays);
  if (!trial) throw new TrialUsed();
  if (trial.asksTaxId) throw new TrialTaxIdMissing();
  if (
    !fresh &&
    (await hadTrialElsewhere(ctx, { memberId: checkout.memberId, creatorId: offer.plan.creatorId }))
  ) {
    // An attempt counts as much as a start. Otherwise the tax ids of others would reveal who
    // subscribes where.
    await countAction(ctx, trialStartAction(checkout), (freeAt) => new TooManyTrials(freeAt));
    throw new TrialUsed();
  }
  // A trial precedes one period, which only a card pays automatically.
  const agreed = await priceWithCoupon(ctx, { ...checkout, periods: 1, isAutomatic: false }, offer);
  if (fresh) return agreed;
  if (renewsByCode(checkout.method)) await enforceOpenCheckoutLimit(ctx, checkout);
  else await enforcePayable(ctx, checkout, agreed);
  return agreed;
}

/**
 * Starts a trial in one batch: the subscription, the use of the member's CPF, the seat, the coupon
 * and the announcement. With a fresh card everything is decided again, because saving it took time.
 * Refuses what `startTrial` refuses.
 */
export async function writeTrialStart(
  ctx: Context,
  checkout: TrialCheckout,
  {
    agreed: existing = null,
    fresh = null,
  }: { agreed?: AgreedSubscription | null; fresh?: NewTrialCard | null },
): Promise<StartedTrial> {
  const agreed = existing ?? (await loadAgreedTrial(ctx, checkout, fresh));
  const { plan, creator } = agreed.offer;
  const [subscriptionId, now] = [ctx.newId(), ctx.now()];
  const savedMethodId =
    fresh?.id ?? (renewsBySavedMethod(checkout.method) ? (checkout.savedMethodId ?? null) : null);
  const start = {
    subscriptionId,
    now,
    endsAt: trialEndFrom(now, plan.trialDays),
    savedMethodId,
    isPixOffered: isMethodOffered("pix", ctx),
  };
  const key = `subscription:${subscriptionId}:trial`;
  const { memberId } = checkout;
  try {
    await commit(ctx.db, [
      requireUnblockedStatement(ctx, { personId: memberId, otherId: plan.creatorId }),
      ...(fresh?.also(subscriptionId) ?? []),
      trialSubscriptionStatement(ctx, checkout, agreed, start),
      usedStatement(ctx, { subscriptionId, memberId, creatorId: plan.creatorId }),
      ...(savedMethodId
        ? [
            paidByStatement(ctx, {
              subscriptionId,
              memberId,
              savedMethodId,
              isFresh: fresh !== null,
            }),
          ]
        : []),
      holdSeatStatement(ctx, { planId: plan.id }),
      ...trialCouponStatements(ctx, agreed, { subscriptionId, memberId }),
      ...rateLimitStatements(ctx, trialStartAction(checkout)),
      announce<TrialMessage>(ctx, key, trialStartedMessage(ctx, checkout, agreed, start)),
    ]);
  } catch (error) {
    throw await notStartedReason(ctx, checkout, agreed, error);
  }
  await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: key });
  return { kind: "began", subscriptionId, creatorUsername: creator.username };
}

/** What is decided when a trial starts. `savedMethodId` is the card that pays after it. */
type TrialStart = {
  subscriptionId: string;
  now: Instant;
  endsAt: Instant;
  savedMethodId: string | null;
  isPixOffered: boolean;
};

const trialSubscriptionStatement = (
  ctx: Context,
  checkout: TrialCheckout,
  { offer: { plan, price } }: AgreedSubscription,
  { subscriptionId, now, endsAt, isPixOffered }: TrialStart,
): BatchWrite =>
  ctx.db.insert(subscriptions).values({
    id: subscriptionId,
    fanId: checkout.memberId,
    creatorId: plan.creatorId,
    planId: plan.id,
    planPriceId: price.id,
    interval: price.interval,
    amountCents: price.amountCents,
    // Without a card, a Pix code may pay it. Where Pix is not offered nothing can, so it ends.
    method: renewsByCode(checkout.method) && !isPixOffered ? "card" : checkout.method,
    status: "trialing",
    startedAt: now,
    anchorAt: endsAt,
    currentPeriodStartsAt: now,
    currentPeriodEndsAt: endsAt,
    accessUntil: endsAt,
    trialEndsAt: endsAt,
    holdsSeat: true,
    linkSlug: linkSlugSql(plan.creatorId, checkout.link),
    createdAt: now,
    updatedAt: now,
  });

const trialCouponStatements = (
  ctx: Context,
  { coupon }: AgreedSubscription,
  { subscriptionId, memberId }: { subscriptionId: string; memberId: string },
): BatchWrite[] =>
  coupon
    ? claimCouponStatements(ctx, {
        couponId: coupon.id,
        cycles: coupon.cycles,
        subscriptionId,
        personId: memberId,
        chargeId: subscriptionId,
      })
    : [];

const trialStartedMessage = (
  ctx: Context,
  checkout: TrialCheckout,
  { offer: { plan, price, creator }, amountCents }: AgreedSubscription,
  { subscriptionId, endsAt, savedMethodId, isPixOffered }: TrialStart,
): TrialMessage => ({
  type: "trial.started",
  subscriptionId,
  fanId: checkout.memberId,
  fanName: checkout.memberName,
  creatorId: creator.id,
  creatorName: creator.name,
  planName: plan.name,
  welcomeMessage: plan.welcomeMessage,
  days: plan.trialDays,
  endsAt,
  amountCents,
  intervalWords: intervalLabel(price.interval),
  isByCard: savedMethodId !== null,
  isByPix: savedMethodId === null && isPixOffered,
  appOrigin: ctx.settings.appOrigin,
});

/**
 * INVARIANT: one CPF or CNPJ has one trial per page, in any account, also at the same instant. The
 * key of `trial_uses` refuses a second one. Throws StaleWrite for a member without a tax id.
 */
const usedStatement = (
  ctx: Context,
  {
    subscriptionId,
    memberId,
    creatorId,
  }: { subscriptionId: string; memberId: string; creatorId: string },
): BatchWrite =>
  mustChangeOne(
    ctx.db
      .insert(trialUses)
      .select(
        sql`SELECT ${creatorId}, own_details.tax_id, own_details.person_id, ${subscriptionId} FROM billing_details own_details WHERE own_details.person_id = ${memberId}`,
      ),
  );

/**
 * Sets the card that pays after the trial. Throws StaleWrite unless the member has it saved, or it
 * was just saved for this.
 */
function paidByStatement(
  ctx: Context,
  {
    subscriptionId,
    memberId,
    savedMethodId,
    isFresh,
  }: { subscriptionId: string; memberId: string; savedMethodId: string; isFresh: boolean },
): BatchWrite {
  const isSaved = sql`EXISTS (SELECT 1 FROM saved_methods stored WHERE stored.id = ${savedMethodId} AND stored.person_id = ${memberId} AND stored.removed_at IS NULL)`;
  return mustChangeOne(
    ctx.db
      .update(subscriptions)
      .set({ savedMethodId })
      .where(and(eq(subscriptions.id, subscriptionId), isFresh ? undefined : isSaved)),
  );
}

/** Turns a write conflict with another tab or another member into a refusal. */
async function notStartedReason(
  ctx: Context,
  checkout: TrialCheckout,
  { offer, coupon }: AgreedSubscription,
  error: unknown,
): Promise<unknown> {
  const isCouponHeld = error instanceof UniqueViolation && error.columns.startsWith("coupon_uses.");
  const isUsed =
    (error instanceof RuleViolation && error.rule === "immutable_trial_used") ||
    (error instanceof UniqueViolation && !isCouponHeld);
  const isAway = error instanceof RuleViolation && error.rule === "immutable_vacation";
  if (!isCouponHeld && !isUsed && !isAway && !(error instanceof StaleWrite)) return error;
  if (await liveSubscription(ctx, { fanId: checkout.memberId, creatorId: offer.plan.creatorId }))
    return new AlreadySubscribed();
  if (isUsed) return new TrialUsed();
  // Any other change is read again, which throws the reason.
  const { availability } = (await loadAgreedTrial(ctx, checkout, null)).offer;
  if (coupon && isCouponHeld) return new CouponRefused("open");
  return availability === "full"
    ? new NoSeatLeft()
    : new TooManyTrials(await rateLimitResetAt(ctx, trialStartAction(checkout)));
}
