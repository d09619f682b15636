import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { mustChangeOne, guardStatement } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { PixMandateMessage } from "#app/domain/subscriptions/schema/outbox/pix-mandates.ts";
import type { ProviderPixMandate } from "#app/domain/payments/schema.ts";
import { nextPaymentCents } from "#app/domain/plans/rules/coupons.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/settlement/queries.server.ts";
import type { ChargeDecision } from "#app/domain/subscriptions/rules.ts";
import {
  mandateTransition,
  scheduledDebitDay,
} from "#app/domain/subscriptions/pix-mandates/rules.ts";
import type { MandateTransition } from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { nextTerms } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { agreedConsent } from "#app/domain/subscriptions/price-changes/rules.ts";
import type { PixMandate } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import { recurringPix, subscriptions } from "#drizzle/schema/subscriptions.ts";

/** `writes` bring an authorisation to where `step` says; `outboxId` is what they announce. */
export type MandateTransitionWrites = {
  step: MandateTransition;
  outboxId: string | null;
  writes: BatchWrite[];
};

/**
 * What its bank says of the authorisation whose code a charge pays, asked beside the charge, so
 * that both are applied in one batch. `decided` is what that batch does of it; null where it does
 * nothing, and the authorisation is to be settled by itself. `extraWrites` are written with it.
 */
export type ChargeMandateUpdate = {
  authorisation: PixMandate;
  said: ProviderPixMandate | null;
  extraWrites: BatchWrite[];
  decided: MandateTransitionWrites | null;
};

type MandateSnapshotInput = {
  authorisation: PixMandate;
  facts: SubscriptionSnapshot;
  /** The charge that its code carries. */
  first: Pick<Charge, "id" | "status">;
  /**
   * What it was to renew ends in the same batch, before, which has it end too (trigger
   * `subscriptions_end_recurring_pix`).
   */
  isEnding?: boolean;
};

/**
 * What an authorisation becomes by what its provider says of it. INVARIANT: no subscription renews
 * by an authorisation that is not active; so the statements are stale where the authorisation, its
 * first payment or its subscription is not as it was read.
 */
export function mandateTransitionStatements(
  ctx: Context,
  { authorisation: read, facts, first, isEnding = false }: MandateSnapshotInput,
  said: ProviderPixMandate | null,
): MandateTransitionWrites {
  const now = ctx.now();
  const authorisation = isEnding ? { ...read, endingAt: read.endingAt ?? now } : read;
  const step = mandateTransition({
    authorisation,
    said: said?.status ?? null,
    subscription: facts.subscription.status,
    firstCharge: first.status,
    now,
  });
  const isOver = step.status !== "created" && step.status !== "active";
  const outboxId = step.tells === null ? null : `authorisation:${authorisation.id}:${step.tells}`;
  const writes = [
    // What it is decided by may have moved while the provider was asked: a code that ran out is
    // paid after all.
    guardStatement(
      ctx.db,
      sql`(SELECT paying.status FROM charges paying WHERE paying.id = ${first.id}) IS ${first.status} AND (SELECT renewed.status FROM subscriptions renewed WHERE renewed.id = ${facts.subscription.id}) IS ${facts.subscription.status}`,
    ),
    mustChangeOne(
      ctx.db
        .update(recurringPix)
        .set({
          status: step.status,
          providerRecurringPixId: said?.id ?? authorisation.providerRecurringPixId,
          attachedAt: step.attaches ? now : authorisation.attachedAt,
          ...(isEnding ? {} : { endingAt: step.ends ? now : authorisation.endingAt }),
          endedAt: isOver ? now : null,
          askedAt: now,
        })
        .where(
          and(
            eq(recurringPix.id, authorisation.id),
            eq(recurringPix.status, authorisation.status),
            same("attached_at", authorisation.attachedAt),
            isEnding ? isNotNull(recurringPix.endingAt) : same("ending_at", authorisation.endingAt),
          ),
        ),
    ),
    ...(step.attaches ? [attachedStatement(ctx, facts, authorisation)] : []),
    ...(outboxId === null || step.tells === null
      ? []
      : [
          announce<PixMandateMessage>(ctx, outboxId, toldOf(ctx, facts, authorisation, step.tells)),
        ]),
  ];
  return { step, outboxId, writes };
}

/**
 * `mandateTransitionStatements` for the batch of what `decision` does to the payment in its code,
 * after that. Null where the payment leaves what is not known before it is written, and where the
 * provider is to end the authorisation first.
 */
export function agreementStep(
  ctx: Context,
  {
    charge,
    facts,
    agreement,
  }: { charge: Charge; facts: SubscriptionSnapshot; agreement: ChargeMandateUpdate },
  decision: ChargeDecision,
): MandateTransitionWrites | null {
  const left = leftBy(facts, charge, decision);
  const { authorisation, said } = agreement;
  const isEnding =
    left !== null &&
    left.facts.subscription.status === "expired" &&
    facts.subscription.status !== "expired";
  if (!left || (isEnding && (!said || said.status === "created" || said.status === "active")))
    return null;
  return mandateTransitionStatements(
    ctx,
    { authorisation, facts: left.facts, first: { id: charge.id, status: left.status }, isEnding },
    said,
  );
}

/** The charge and what it pays for as `decision` leaves them. */
function leftBy(
  facts: SubscriptionSnapshot,
  charge: Charge,
  decision: ChargeDecision,
): { facts: SubscriptionSnapshot; status: Charge["status"] } | null {
  const { subscription } = facts;
  switch (decision.kind) {
    case "nothing":
      return { facts, status: charge.status };
    case "activate":
      return decision.retakesCoupon
        ? null
        : {
            facts: paidFor(
              facts,
              decision.periods,
              decision.beginsAt === undefined ? "active" : "upcoming",
            ),
            status: "succeeded",
          };
    case "renew":
      return charge.planChangeId === null
        ? {
            facts: paidFor(
              facts,
              decision.periods,
              subscription.status === "canceled" ? "canceled" : "active",
            ),
            status: "succeeded",
          }
        : null;
    case "give_back":
      return { facts: decision.endsPurchase ? ended(facts) : facts, status: "succeeded" };
    // Of a Pix nothing else moves: its renewals are told by the calendar.
    case "progress":
      return { facts: decision.endsPurchase ? ended(facts) : facts, status: decision.status };
  }
}

const ended = (facts: SubscriptionSnapshot): SubscriptionSnapshot => ({
  ...facts,
  subscription: { ...facts.subscription, status: "expired" },
});

/**
 * Each period that is paid is one that a coupon counts; what was agreed to for later may be due
 * next.
 */
function paidFor(
  facts: SubscriptionSnapshot,
  periods: readonly { endsAt: number }[],
  status: SubscriptionSnapshot["subscription"]["status"],
): SubscriptionSnapshot {
  const { consent, authorisation, change, heldCoupon: held } = facts;
  const subscription = {
    ...facts.subscription,
    status,
    currentPeriodEndsAt: periods.at(-1)?.endsAt ?? facts.subscription.currentPeriodEndsAt,
  };
  const agreed = agreedConsent(subscription, consent, authorisation);
  const heldCoupon = held && {
    ...held,
    cyclesLeft: held.cyclesLeft === null ? null : Math.max(0, held.cyclesLeft - periods.length),
  };
  return {
    ...facts,
    subscription,
    agreed,
    heldCoupon,
    nextPaymentCents: nextPaymentCents(nextTerms(subscription, change, agreed), heldCoupon),
  };
}

const same = (column: "attached_at" | "ending_at", at: number | null) =>
  sql`${sql.identifier(column)} IS ${at}`;

/** What renewed by a card renews by its debits now. */
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

function toldOf(
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
