import { and, eq } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { RenewalMessage } from "#app/domain/subscriptions/schema/outbox/renewals.ts";
import { isHardDecline } from "#app/domain/payments/charges/rules/declines.ts";
import { renewsBySavedMethod } from "#app/domain/payments/methods/rules.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { PlanChange } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import { subscriptionLinkUrl } from "#app/domain/subscriptions/email-links/queries.server.ts";
import { GRACE_DAYS, nextCardRetryAt } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import { canPause } from "#app/domain/subscriptions/pauses/rules.ts";
import type { Subscription, SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { addDays } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

/** The statuses in which renewals are charged. */
const ASKED: readonly SubscriptionStatus[] = ["trialing", "active", "requires_action", "past_due"];

type RenewalFailure = { status: ProviderCharge["status"]; failureCode: string | null };

/** `announced` is the outbox message in `writes`. */
type DunningWrites = { writes: BatchWrite[]; announced: string | null };
const NOTHING: DunningWrites = { writes: [], announced: null };

/**
 * The statements that record an unpaid renewal on its subscription and notify its subscriber once.
 * The cases are a Pix code to pay, a card to confirm (3DS) and a declined card. The notification
 * says what to do and until when access lasts. Access lasts through the grace period. Nothing is
 * written for a renewal that was stopped. Source: domain rules, "Subscriptions".
 */
export async function dunningStatements(
  ctx: Context,
  renewal: UnpaidRenewal,
  failure: RenewalFailure,
): Promise<DunningWrites> {
  const { charge, providerCharge, subscriptionSnapshot, change } = renewal;
  const startsAt = nextPeriodStart(charge, subscriptionSnapshot);
  if (startsAt === null) return NOTHING;
  const planName = change?.toPlanName ?? subscriptionSnapshot.plan.name;
  if (failure.status === "awaiting_payment")
    return charge.status === "created" &&
      charge.recurringPixId === null &&
      charge.periodsCents === null &&
      providerCharge?.pixCode
      ? await renewalDue(ctx, charge, subscriptionSnapshot, {
          planName,
          startsAt,
          pixCode: providerCharge.pixCode,
        })
      : NOTHING;
  return renewsBySavedMethod(charge.method) && failure.status !== "processing"
    ? cardDunning(ctx, renewal, { planName, startsAt, failure })
    : NOTHING;
}

type UnpaidRenewal = {
  charge: Charge;
  providerCharge: ProviderCharge | null;
  subscriptionSnapshot: SubscriptionSnapshot;
  /** The plan change of the charge's period, if any. */
  change: PlanChange | null;
};

/** The start of the period that the charge renews; null when the renewal was stopped. */
function nextPeriodStart(
  { periodStartsAt }: Charge,
  { subscription, isShut, isPayerLeaving, awayUntil }: SubscriptionSnapshot,
): Instant | null {
  const isStopped =
    isShut || isPayerLeaving || awayUntil !== null || !ASKED.includes(subscription.status);
  return isStopped || periodStartsAt !== subscription.currentPeriodEndsAt ? null : periodStartsAt;
}

/** A card to confirm, or one that was declined. */
function cardDunning(
  ctx: Context,
  { charge, subscriptionSnapshot: { subscription, creatorName } }: UnpaidRenewal,
  { planName, startsAt, failure }: { planName: string; startsAt: Instant; failure: RenewalFailure },
): DunningWrites {
  const accessUntil = addDays(startsAt, GRACE_DAYS);
  const about = {
    subscriptionId: subscription.id,
    chargeId: charge.id,
    fanId: subscription.fanId,
    creatorName,
    planName,
    amountCents: charge.amountCents,
    accessUntil,
    appOrigin: ctx.settings.appOrigin,
  };
  if (failure.status === "requires_action") {
    const announced = `charge:${charge.id}:renewal_to_confirm`;
    return {
      writes: [
        ...movedStatements(ctx, subscription, "requires_action", accessUntil),
        announce<RenewalMessage>(ctx, announced, {
          type: "subscription.renewal_to_confirm",
          ...about,
        }),
      ],
      announced,
    };
  }
  const arrears = movedStatements(ctx, subscription, "past_due", accessUntil);
  // After the last attempt the subscription ends at once, with its own email.
  if (failure.status !== "failed" || accessUntil <= ctx.now())
    return { writes: arrears, announced: null };
  const retryAt = nextCardRetryAt(startsAt, failure.failureCode, ctx.now());
  const announced = `charge:${charge.id}:renewal_failed`;
  return {
    writes: [
      ...arrears,
      announce<RenewalMessage>(ctx, announced, {
        type: "subscription.renewal_failed",
        ...about,
        failureCode: failure.failureCode,
        isForGood: isHardDecline(failure.failureCode),
        retryAt,
      }),
    ],
    announced,
  };
}

/** Announces the Pix code in the batch that first saves it. */
async function renewalDue(
  ctx: Context,
  charge: Charge,
  { subscription, creatorName }: SubscriptionSnapshot,
  { planName, startsAt, pixCode }: { planName: string; startsAt: Instant; pixCode: string },
): Promise<DunningWrites> {
  const about = { subscriptionId: subscription.id, endsAt: startsAt };
  const message = {
    type: "subscription.renewal_due" as const,
    subscriptionId: subscription.id,
    chargeId: charge.id,
    fanId: subscription.fanId,
    creatorName,
    planName,
    amountCents: charge.amountCents,
    dueAt: startsAt,
    payUntil: charge.expiresAt ?? addDays(startsAt, GRACE_DAYS),
    pixCode,
    isTrial: subscription.status === "trialing",
    appOrigin: ctx.settings.appOrigin,
    pauseUrl: canPause(subscription, ctx.now())
      ? await subscriptionLinkUrl(ctx, "pause", about)
      : null,
    cancelUrl: await subscriptionLinkUrl(ctx, "cancel", about),
  };
  const announced = `charge:${charge.id}:renewal_due`;
  return { writes: [announce<RenewalMessage>(ctx, announced, message)], announced };
}

function movedStatements(
  ctx: Context,
  { id, status: savedStatus, currentPeriodEndsAt }: Subscription,
  status: SubscriptionStatus,
  accessUntil: Instant,
): BatchWrite[] {
  if (savedStatus === status) return [];
  return [
    mustChangeOne(
      ctx.db
        .update(subscriptions)
        .set({ status, accessUntil, updatedAt: ctx.now() })
        .where(
          and(
            eq(subscriptions.id, id),
            eq(subscriptions.status, savedStatus),
            eq(subscriptions.currentPeriodEndsAt, currentPeriodEndsAt ?? 0),
          ),
        ),
    ),
  ];
}
