import { and, eq } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { coveredPeriodStatement, markAsked, progressStatement, successStatements } from "#app/domain/payments/commands/charges.server.ts";
import { refundStatement, sendRefund } from "#app/domain/payments/commands/refunds.server.ts";
import { rereading } from "#app/domain/payments/commands/rereading.server.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/queries.server.ts";
import { isWaiting } from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { holdSeatStatement, releaseSeatStatement } from "#app/domain/plans/commands.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import { purchaseFacts } from "#app/domain/subscriptions/queries.server.ts";
import type { PurchaseFacts } from "#app/domain/subscriptions/queries.server.ts";
import { decideCharge } from "#app/domain/subscriptions/rules.ts";
import type { ChargeDecision } from "#app/domain/subscriptions/rules.ts";
import { automaticRefundReasons } from "#app/domain/subscriptions/schema.ts";
import type { AutomaticRefundReason } from "#app/domain/subscriptions/schema.ts";

type News = { chargeId: string; said?: ProviderCharge; refusedCode?: string };

/**
 * Brings a charge, and the subscription it pays for, to what the provider says now: the one way by which a checkout, a
 * webhook, "Já paguei" and reconciliation change them. Asks the provider unless it is given its answer (`said`) or its
 * refusal. One batch holds charge, fee, ledger, access and announcement, so that any number of equal calls apply it once.
 * Gives the status it left. Throws ProviderUnclear when the provider does not answer.
 */
export async function settleCharge(ctx: Context, news: News): Promise<ChargeStatus> {
  const known = await chargeRow(ctx, { chargeId: news.chargeId });
  if (!known) return "failed";
  const said = news.refusedCode === undefined ? (news.said ?? (await askedAgain(ctx, known))) : null;
  const settled = await rereading(() => applied(ctx, { ...news, said }));
  if (settled.refundId) await refundNow(ctx, settled.refundId);
  await wakeNotifications(ctx, settled.announced);
  return settled.status;
}

/**
 * Ends a charge that ran out: the provider is asked first, since it may have been paid, and then told to let it go, so that
 * its seat is free. Throws ProviderUnclear when the provider does not answer.
 */
export async function closeOverdueCharge(ctx: Context, { chargeId }: { chargeId: string }): Promise<void> {
  const status = await settleCharge(ctx, { chargeId });
  const charge = await chargeRow(ctx, { chargeId });
  if (!charge?.providerChargeId || !isWaiting(status) || charge.expiresAt === null || charge.expiresAt > ctx.now()) return;
  try {
    await settleCharge(ctx, { chargeId, said: await ctx.payments.cancelCharge(charge.providerChargeId) });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    await settleCharge(ctx, { chargeId });
  }
}

async function askedAgain(ctx: Context, charge: Charge): Promise<ProviderCharge | null> {
  if (charge.providerChargeId) return await ctx.payments.chargeById(charge.providerChargeId);
  return await ctx.payments.chargeByReference(charge.id);
}

type Settled = { status: ChargeStatus; refundId: string | null; announced: string | null };

async function applied(ctx: Context, { chargeId, said, refusedCode }: { chargeId: string; said: ProviderCharge | null; refusedCode?: string }): Promise<Settled> {
  const charge = await chargeRow(ctx, { chargeId });
  const facts = charge ? await purchaseFacts(ctx, { subscriptionId: charge.purchaseId }) : null;
  if (!charge || !facts) return { status: "failed", refundId: null, announced: null };
  const decision: ChargeDecision =
    refusedCode === undefined
      ? decideCharge({ charge, said, subscription: facts.subscription, hasOtherLive: facts.hasOtherLive, isShut: facts.isShut, plan: facts.plan, now: ctx.now() })
      : { kind: "progress", status: "failed", failureCode: refusedCode, endsPurchase: facts.subscription.status === "incomplete" };
  switch (decision.kind) {
    case "nothing":
      await markAsked(ctx, { chargeId });
      return { status: charge.status, refundId: null, announced: null };
    case "progress":
      await commit(ctx.db, [
        progressStatement(ctx, charge, { ...said, status: decision.status, failureCode: decision.failureCode }),
        ...(decision.endsPurchase ? endedUnpaidStatements(ctx, facts) : []),
      ]);
      return { status: decision.status, refundId: null, announced: null };
    case "activate":
      await commit(ctx.db, activationStatements(ctx, { charge, said: expected(said), facts, decision }));
      return { status: "succeeded", refundId: null, announced: startedKey(chargeId) };
    case "renew":
      await commit(ctx.db, renewalStatements(ctx, { charge, said: expected(said), facts, period: decision.period }));
      return { status: "succeeded", refundId: null, announced: `charge:${chargeId}:renewed` };
    case "give_back":
      return await givenBack(ctx, { charge, said: expected(said), facts, reason: decision.reason, endsPurchase: decision.endsPurchase });
  }
}

/** A paid decision is only ever made from an answer of the provider. */
function expected(said: ProviderCharge | null): ProviderCharge {
  if (!said) throw new Error("a charge cannot be paid without the provider saying so");
  return said;
}

const startedKey = (chargeId: string) => `charge:${chargeId}:started`;

type Paid = { charge: Charge; said: ProviderCharge; facts: PurchaseFacts };

function activationStatements(ctx: Context, { charge, said, facts, decision }: Paid & { decision: { needsSeat: boolean; period: Period } }): Write[] {
  const { subscription, plan } = facts;
  const { startsAt, endsAt } = decision.period;
  return [
    ...successStatements(ctx, charge, said, { isRenewal: false }),
    ...(decision.needsSeat ? [holdSeatStatement(ctx, { planId: plan.id })] : []),
    exactlyOne(
      ctx.db
        .update(subscriptions)
        .set({
          status: "active",
          startedAt: startsAt,
          currentPeriodStartsAt: startsAt,
          currentPeriodEndsAt: endsAt,
          accessUntil: endsAt,
          canceledAt: null,
          holdsSeat: true,
          savedMethodId: said.savedMethodId ?? subscription.savedMethodId,
          updatedAt: ctx.now(),
        })
        .where(and(eq(subscriptions.id, subscription.id), eq(subscriptions.status, subscription.status), eq(subscriptions.holdsSeat, subscription.holdsSeat))),
    ),
    coveredPeriodStatement(ctx, charge, decision.period),
    announce(ctx, startedKey(charge.id), {
      type: "subscription.started",
      subscriptionId: subscription.id,
      chargeId: charge.id,
      fanId: subscription.fanId,
      creatorId: subscription.creatorId,
      fanName: facts.fanName,
      creatorName: facts.creatorName,
      creatorUsername: facts.creatorUsername,
      planName: plan.name,
      amountCents: charge.amountCents,
      welcomeMessage: plan.welcomeMessage,
    }),
  ];
}

type Period = { startsAt: Instant; endsAt: Instant };

function renewalStatements(ctx: Context, { charge, said, facts, period }: Paid & { period: Period }): Write[] {
  const { subscription } = facts;
  return [
    ...successStatements(ctx, charge, said, { isRenewal: true }),
    exactlyOne(
      ctx.db
        .update(subscriptions)
        .set({
          status: subscription.status === "canceled" ? "canceled" : "active",
          currentPeriodStartsAt: period.startsAt,
          currentPeriodEndsAt: period.endsAt,
          accessUntil: period.endsAt,
          updatedAt: ctx.now(),
        })
        .where(and(eq(subscriptions.id, subscription.id), eq(subscriptions.status, subscription.status), eq(subscriptions.currentPeriodEndsAt, period.startsAt))),
    ),
    coveredPeriodStatement(ctx, charge, period),
    announce(ctx, `charge:${charge.id}:renewed`, {
      type: "subscription.renewed",
      subscriptionId: subscription.id,
      chargeId: charge.id,
      fanId: subscription.fanId,
      creatorId: subscription.creatorId,
      creatorName: facts.creatorName,
      planName: facts.plan.name,
      amountCents: charge.amountCents,
    }),
  ];
}

function endedUnpaidStatements(ctx: Context, { subscription, plan }: PurchaseFacts): Write[] {
  return [
    exactlyOne(
      ctx.db
        .update(subscriptions)
        .set({ status: "expired", holdsSeat: false, updatedAt: ctx.now() })
        .where(and(eq(subscriptions.id, subscription.id), eq(subscriptions.status, "incomplete"), eq(subscriptions.holdsSeat, subscription.holdsSeat))),
    ),
    ...(subscription.holdsSeat ? [releaseSeatStatement(ctx, { planId: plan.id })] : []),
  ];
}

/** The money came, and must not stay: booked as paid, and its refund decided, in the same batch. */
async function givenBack(ctx: Context, { charge, said, facts, reason, endsPurchase }: Paid & { reason: AutomaticRefundReason; endsPurchase: boolean }): Promise<Settled> {
  const refundId = ctx.newId();
  await commit(ctx.db, [
    ...successStatements(ctx, charge, said, { isRenewal: false }),
    ...(endsPurchase ? endedUnpaidStatements(ctx, facts) : []),
    refundStatement(ctx, charge, { id: refundId, amountCents: charge.amountCents, reason: automaticRefundReasons[reason] }),
  ]);
  ctx.log("payments.given_back", { chargeId: charge.id, refundId, reason });
  return { status: "succeeded", refundId, announced: null };
}

/** Tried at once; if the provider does not answer, the payouts worker's cron asks again under the same key. */
export async function refundNow(ctx: Context, refundId: string): Promise<void> {
  try {
    await sendRefund(ctx, { refundId });
  } catch (error) {
    if (!(error instanceof ProviderUnclear || error instanceof ProviderRefused)) throw error;
    ctx.log("payments.refund_unclear", { refundId });
  }
}

async function wakeNotifications(ctx: Context, outboxId: string | null): Promise<void> {
  if (outboxId) await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
}
