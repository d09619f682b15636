import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { mustChangeOne, guardStatement } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { PixMandateMessage } from "#app/domain/subscriptions/schema/outbox/pix-mandates.ts";
import type { ProviderPixMandate } from "#app/domain/payments/schema.ts";
import { nextPaymentCents } from "#app/domain/plans/rules/coupons.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { ChargeDecision } from "#app/domain/subscriptions/settlement/rules.ts";
import {
  mandateTransition,
  scheduledDebitDay,
} from "#app/domain/subscriptions/pix-mandates/rules.ts";
import type { MandateTransition } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { nextTerms } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { agreedConsent } from "#app/domain/subscriptions/price-changes/rules.ts";
import type { PixMandate } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import { recurringPix, subscriptions } from "#drizzle/schema/subscriptions.ts";

/** `writes` move a mandate to what `step` says; `outboxId` is the message that they announce. */
export type MandateTransitionWrites = {
  step: MandateTransition;
  outboxId: string | null;
  writes: BatchWrite[];
};

/**
 * What the bank reports of the mandate whose code a charge pays. It is fetched with the charge, so
 * that one batch applies both. `decided` is what that batch does to the mandate. It is null when
 * the batch does nothing and the mandate is settled separately. `extraWrites` are written with it.
 */
export type ChargeMandateUpdate = {
  mandate: PixMandate;
  providerMandate: ProviderPixMandate | null;
  extraWrites: BatchWrite[];
  decided: MandateTransitionWrites | null;
};

type MandateSnapshotInput = {
  mandate: PixMandate;
  subscriptionSnapshot: SubscriptionSnapshot;
  /** The charge that the mandate's code carries. */
  first: Pick<Charge, "id" | "status">;
  /**
   * The subscription ends earlier in the same batch, so the mandate ends too (trigger
   * `subscriptions_end_recurring_pix`).
   */
  isEnding?: boolean;
};

/**
 * The statements that move a mandate to what its provider reports. INVARIANT: no subscription
 * renews by a mandate that is not active. Throws StaleWrite if the mandate, its first payment or
 * its subscription changed since it was read.
 */
export function mandateTransitionStatements(
  ctx: Context,
  { mandate: read, subscriptionSnapshot, first, isEnding = false }: MandateSnapshotInput,
  providerMandate: ProviderPixMandate | null,
): MandateTransitionWrites {
  const now = ctx.now();
  const mandate = isEnding ? { ...read, endingAt: read.endingAt ?? now } : read;
  const step = mandateTransition({
    mandate,
    providerStatus: providerMandate?.status ?? null,
    subscription: subscriptionSnapshot.subscription.status,
    firstCharge: first.status,
    now,
  });
  const isOver = step.status !== "created" && step.status !== "active";
  const outboxId = step.notifies === null ? null : `authorisation:${mandate.id}:${step.notifies}`;
  const writes = [
    // These may change while the provider is asked: an expired code can still be paid.
    guardStatement(
      ctx.db,
      sql`(SELECT paying.status FROM charges paying WHERE paying.id = ${first.id}) IS ${first.status} AND (SELECT renewed.status FROM subscriptions renewed WHERE renewed.id = ${subscriptionSnapshot.subscription.id}) IS ${subscriptionSnapshot.subscription.status}`,
    ),
    mustChangeOne(
      ctx.db
        .update(recurringPix)
        .set({
          status: step.status,
          providerRecurringPixId: providerMandate?.id ?? mandate.providerRecurringPixId,
          attachedAt: step.attaches ? now : mandate.attachedAt,
          ...(isEnding ? {} : { endingAt: step.ends ? now : mandate.endingAt }),
          endedAt: isOver ? now : null,
          askedAt: now,
        })
        .where(
          and(
            eq(recurringPix.id, mandate.id),
            eq(recurringPix.status, mandate.status),
            same("attached_at", mandate.attachedAt),
            isEnding ? isNotNull(recurringPix.endingAt) : same("ending_at", mandate.endingAt),
          ),
        ),
    ),
    ...(step.attaches ? [attachedStatement(ctx, subscriptionSnapshot, mandate)] : []),
    ...(outboxId === null || step.notifies === null
      ? []
      : [
          announce<PixMandateMessage>(
            ctx,
            outboxId,
            mandateMessage(ctx, subscriptionSnapshot, mandate, step.notifies),
          ),
        ]),
  ];
  return { step, outboxId, writes };
}

/**
 * `mandateTransitionStatements` for the batch that applies `decision` to the payment in the
 * mandate's code. Null when the payment's outcome is unknown before it is written. Also null when
 * the provider has to end the mandate first.
 */
export function agreementStep(
  ctx: Context,
  {
    charge,
    subscriptionSnapshot,
    mandateUpdate,
  }: {
    charge: Charge;
    subscriptionSnapshot: SubscriptionSnapshot;
    mandateUpdate: ChargeMandateUpdate;
  },
  decision: ChargeDecision,
): MandateTransitionWrites | null {
  const left = leftBy(subscriptionSnapshot, charge, decision);
  const { mandate, providerMandate } = mandateUpdate;
  const isEnding =
    left !== null &&
    left.subscriptionSnapshot.subscription.status === "expired" &&
    subscriptionSnapshot.subscription.status !== "expired";
  if (
    !left ||
    (isEnding &&
      (!providerMandate ||
        providerMandate.status === "created" ||
        providerMandate.status === "active"))
  )
    return null;
  return mandateTransitionStatements(
    ctx,
    {
      mandate,
      subscriptionSnapshot: left.subscriptionSnapshot,
      first: { id: charge.id, status: left.status },
      isEnding,
    },
    providerMandate,
  );
}

/** The charge and its subscription as `decision` leaves them. */
function leftBy(
  subscriptionSnapshot: SubscriptionSnapshot,
  charge: Charge,
  decision: ChargeDecision,
): { subscriptionSnapshot: SubscriptionSnapshot; status: Charge["status"] } | null {
  const { subscription } = subscriptionSnapshot;
  switch (decision.kind) {
    case "nothing":
      return { subscriptionSnapshot, status: charge.status };
    case "activate":
      return decision.retakesCoupon
        ? null
        : {
            subscriptionSnapshot: paidFor(
              subscriptionSnapshot,
              decision.periods,
              decision.beginsAt === undefined ? "active" : "upcoming",
            ),
            status: "succeeded",
          };
    case "renew":
      return charge.planChangeId === null
        ? {
            subscriptionSnapshot: paidFor(
              subscriptionSnapshot,
              decision.periods,
              subscription.status === "canceled" ? "canceled" : "active",
            ),
            status: "succeeded",
          }
        : null;
    case "give_back":
      return {
        subscriptionSnapshot: decision.endsPurchase
          ? ended(subscriptionSnapshot)
          : subscriptionSnapshot,
        status: "succeeded",
      };
    // Nothing else changes for a Pix: the calendar notifies of its renewals.
    case "progress":
      return {
        subscriptionSnapshot: decision.endsPurchase
          ? ended(subscriptionSnapshot)
          : subscriptionSnapshot,
        status: decision.status,
      };
  }
}

const ended = (subscriptionSnapshot: SubscriptionSnapshot): SubscriptionSnapshot => ({
  ...subscriptionSnapshot,
  subscription: { ...subscriptionSnapshot.subscription, status: "expired" },
});

/** Each paid period counts for the coupon; a price agreed for later may be due next. */
function paidFor(
  subscriptionSnapshot: SubscriptionSnapshot,
  periods: readonly { endsAt: number }[],
  status: SubscriptionSnapshot["subscription"]["status"],
): SubscriptionSnapshot {
  const { consent, mandate, change, heldCoupon: held } = subscriptionSnapshot;
  const subscription = {
    ...subscriptionSnapshot.subscription,
    status,
    currentPeriodEndsAt:
      periods.at(-1)?.endsAt ?? subscriptionSnapshot.subscription.currentPeriodEndsAt,
  };
  const agreed = agreedConsent(subscription, consent, mandate);
  const heldCoupon = held && {
    ...held,
    cyclesLeft: held.cyclesLeft === null ? null : Math.max(0, held.cyclesLeft - periods.length),
  };
  return {
    ...subscriptionSnapshot,
    subscription,
    agreed,
    heldCoupon,
    nextPaymentCents: nextPaymentCents(nextTerms(subscription, change, agreed), heldCoupon),
  };
}

const same = (column: "attached_at" | "ending_at", at: number | null) =>
  sql`${sql.identifier(column)} IS ${at}`;

/** A subscription that renewed by card renews by debits from now on. */
function attachedStatement(
  ctx: Context,
  { subscription }: SubscriptionSnapshot,
  { id }: PixMandate,
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(subscriptions)
      .set({ recurringPixId: id, method: "pix", savedMethodId: null, updatedAt: ctx.now() })
      .where(
        and(
          eq(subscriptions.id, subscription.id),
          eq(subscriptions.status, subscription.status),
          subscription.recurringPixId === null
            ? isNull(subscriptions.recurringPixId)
            : eq(subscriptions.recurringPixId, subscription.recurringPixId),
        ),
      ),
  );
}

function mandateMessage(
  ctx: Context,
  { subscription, creatorName, plan, nextPaymentCents }: SubscriptionSnapshot,
  { ceilingCents }: PixMandate,
  what: "authorised" | "refused" | "ended",
) {
  return {
    type: "subscription.automatic" as const,
    what,
    subscriptionId: subscription.id,
    fanId: subscription.fanId,
    creatorName,
    planName: plan.name,
    amountCents: nextPaymentCents,
    ceilingCents,
    nextDebitOn: scheduledDebitDay(subscription.currentPeriodEndsAt ?? ctx.now()),
    method: subscription.method,
    appOrigin: ctx.settings.appOrigin,
  };
}
