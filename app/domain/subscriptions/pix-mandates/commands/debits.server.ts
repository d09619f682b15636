import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { debitOrderedStatement } from "#app/domain/payments/charges/commands/charges.server.ts";
import {
  cancelPendingCharge,
  settleCharge,
} from "#app/domain/payments/charges/commands/settle.server.ts";
import type { ChargeUpdate } from "#app/domain/payments/charges/commands/settle.server.ts";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { chargeAlone } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { SettlementSnapshot } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import { providerOf, findProvider } from "#app/domain/payments/providers/rules/providers.ts";
import { recordFailure } from "#app/domain/retry-backoff/commands.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { wasDebitOrdered } from "#app/domain/subscriptions/pix-mandates/queries/mandates.server.ts";
import { GRACE_DAYS } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import {
  mandateCovers,
  nextOrderableDebitDay,
  debitRetryDay,
} from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { nextTerms } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { addDays } from "#app/domain/time.ts";

/** A debit to order: its mandate, that mandate's provider, and the day (`YYYY-MM-DD`, São Paulo). */
export type DebitOrder = { recurringPixId: string; provider: string; debitOn: string };

type NextDebitInput = Pick<
  SubscriptionSnapshot,
  "subscription" | "mandate" | "change" | "agreed" | "nextPaymentCents"
>;

/**
 * Whether the next period can be debited. A mandate is valid for one interval, its amounts and its
 * own provider, whoever takes new charges. That provider must still be configured.
 */
export const isNextPeriodDebited = (
  ctx: Context,
  { subscription, mandate, change, agreed, nextPaymentCents }: NextDebitInput,
): boolean =>
  mandate !== null &&
  findProvider(ctx.payments, mandate.provider) !== null &&
  mandateCovers(mandate, nextPaymentCents) &&
  mandate.interval === nextTerms(subscription, change, agreed).interval;

/**
 * The debit that pays for a subscription's next period. Null when there is no mandate, its amount
 * or interval differs, it is too late, or it was ordered before.
 */
export async function nextDebit(ctx: Context, input: NextDebitInput): Promise<DebitOrder | null> {
  const { subscription, mandate } = input;
  const { id: subscriptionId, currentPeriodEndsAt: startsAt } = subscription;
  if (
    startsAt === null ||
    mandate?.status !== "active" ||
    mandate.endingAt !== null ||
    !isNextPeriodDebited(ctx, input)
  )
    return null;
  const debitOn = nextOrderableDebitDay({
    periodStartsAt: startsAt,
    paidBy: addDays(startsAt, GRACE_DAYS),
    now: ctx.now(),
  });
  if (debitOn === null || debitOn < mandate.startsOn) return null;
  return (await wasDebitOrdered(ctx, { subscriptionId, startsAt }))
    ? null
    : { recurringPixId: mandate.id, provider: mandate.provider, debitOn };
}

type PreloadedDebit = Pick<ChargeUpdate, "chargeId" | "snapshot">;

/**
 * Orders a refused debit once more, on the day of the retry policy. When no day is left, or the
 * provider accepts no more, the debit fails. The period is then paid by hand. Safe to run twice:
 * the provider's own orders show what was asked. Throws ProviderUnclear.
 */
export async function retryDebit(
  ctx: Context,
  { chargeId, snapshot }: PreloadedDebit,
): Promise<void> {
  const charge = snapshot?.charge ?? (await chargeRow(ctx, { chargeId }));
  if (
    charge?.status !== "processing" ||
    charge.failureCode === null ||
    !charge.providerChargeId ||
    charge.expiresAt === null
  )
    return;
  const orders = await providerOf(ctx, charge).instructionsOf(charge.providerChargeId);
  const [first, last] = [orders[0], orders.at(-1)];
  if (!first || !last) return await recordFailure(ctx, { subjectId: chargeId });
  if (last.status !== "refused") {
    await commit(ctx.db, [debitOrderedStatement(ctx, { chargeId, debitOn: last.dueOn })]);
    await settleCharge(ctx, { chargeId });
    return;
  }
  const dueOn = debitRetryDay({
    firstOn: first.dueOn,
    tries: orders.length,
    paidBy: charge.expiresAt,
    now: ctx.now(),
  });
  if (dueOn === null) return await giveUp(ctx, charge, snapshot);
  try {
    const made = await providerOf(ctx, charge).retryInstruction({ instructionId: last.id, dueOn });
    await commit(ctx.db, [debitOrderedStatement(ctx, { chargeId, debitOn: made.dueOn })]);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    ctx.log("subscriptions.debit_not_retried", { chargeId, code: error.code });
    await giveUp(ctx, charge, snapshot);
  }
}

async function giveUp(
  ctx: Context,
  charge: Charge,
  snapshot: SettlementSnapshot | undefined,
): Promise<void> {
  await settleCharge(ctx, {
    chargeId: charge.id,
    refusedCode: charge.failureCode ?? "debit_refused",
    snapshot: snapshot ?? chargeAlone(charge),
  });
}

/**
 * Cancels a debit that is no longer wanted. The bank allows it until 22:00 of the day before; a
 * later debit is refunded when it arrives. Throws ProviderUnclear.
 */
export async function cancelDebit(
  ctx: Context,
  { chargeId, snapshot }: PreloadedDebit,
): Promise<void> {
  const charge = snapshot?.charge ?? (await chargeRow(ctx, { chargeId }));
  if (!charge) return;
  const debit = { chargeId, snapshot: snapshot ?? chargeAlone(charge) };
  if (charge.providerChargeId !== null) return void (await cancelPendingCharge(ctx, debit));
  // A debit whose order was never answered is first looked up by our own id.
  await settleCharge(ctx, debit);
  await cancelPendingCharge(ctx, { chargeId });
}
