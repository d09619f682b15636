import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { newChargeStatement } from "#app/domain/payments/charges/commands/charges.server.ts";
import {
  requestMandateCharge,
  requestCharge,
} from "#app/domain/payments/charges/commands/request.server.ts";
import { renewsBySavedMethod } from "#app/domain/payments/methods/rules.ts";
import { addDays, HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { GRACE_DAYS } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import { subscriptionDescription } from "#app/domain/subscriptions/prepayments/rules.ts";
import { firstChargeExpiresAt } from "#app/domain/subscriptions/trials/rules/trial-calendar.ts";
import type { DebitOrder } from "#app/domain/subscriptions/pix-mandates/commands/debits.server.ts";
import { buildRenewalCharge } from "#app/domain/subscriptions/renewal-terms/commands/agreed-renewal.server.ts";
import { stillRenewsStatement } from "./still-renews.server.ts";

/** How long the last card attempt may stay unanswered. */
const LAST_ATTEMPT_LIFE_MS = HOUR_MS;

/** Charges the next period. The charge is committed first. Returns its id. */
export async function sendRenewal(
  ctx: Context,
  subscriptionSnapshot: SubscriptionSnapshot,
  {
    period: nextPeriod,
    debit,
  }: { period: { startsAt: Instant; endsAt: Instant }; debit: DebitOrder | null },
): Promise<string> {
  const {
    subscription,
    creatorName,
    fanName,
    nextPaymentCents: amountCents,
  } = subscriptionSnapshot;
  const { planName, interval, method, savedMethodId, period, planChangeId, extraWrites } =
    buildRenewalCharge(ctx, subscriptionSnapshot, nextPeriod);
  const chargeId = ctx.newId();
  const description = subscriptionDescription({ planName, creatorName, interval, periods: 1 });
  const graceEndsAt =
    subscription.status === "trialing"
      ? firstChargeExpiresAt(subscription, period.startsAt)
      : addDays(period.startsAt, GRACE_DAYS);
  const expiresAt = renewsBySavedMethod(method)
    ? Math.max(graceEndsAt, ctx.now() + LAST_ATTEMPT_LIFE_MS)
    : graceEndsAt;
  await commit(ctx.db, [
    stillRenewsStatement(ctx, subscriptionSnapshot),
    ...extraWrites,
    newChargeStatement(ctx, {
      id: chargeId,
      payerId: subscription.fanId,
      creatorId: subscription.creatorId,
      purchaseKind: "subscription",
      purchaseId: subscription.id,
      planChangeId,
      description,
      amountCents,
      method,
      expiresAt,
      period,
      automatic: debit,
    }),
  ]);
  if (debit) {
    await requestMandateCharge(ctx, { chargeId });
    return chargeId;
  }
  await requestCharge(ctx, {
    chargeId,
    amountCents,
    description,
    method,
    expiresAt,
    payerName: fanName,
    cardToken: null,
    savedMethodId,
    saveMethod: savedMethodId === null,
  });
  return chargeId;
}
