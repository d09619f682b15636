import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { chargeAlone } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import { chargeTopic, isAwaitingPayment } from "#app/domain/payments/rules.ts";
import type { ProviderPixMandate } from "#app/domain/payments/schema.ts";
import { loadMandateSnapshot } from "#app/domain/subscriptions/pix-mandates/queries/mandate-snapshot.server.ts";
import type { MandateSnapshot } from "#app/domain/subscriptions/pix-mandates/queries/mandate-snapshot.server.ts";
import type { PixMandate } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import { mandateTransitionStatements } from "./mandate-transition.server.ts";
import type { ChargeMandateUpdate, MandateTransitionWrites } from "./mandate-transition.server.ts";
import { fetchMandate, endMandateAtProvider } from "./mandate-charges.server.ts";
import type { SubscriptionPurchaseSnapshot } from "#app/domain/subscriptions/settlement/queries/purchase-snapshot.server.ts";

export type MandateUpdate = {
  mandateId: string;
  providerMandate?: ProviderPixMandate;
  /**
   * The mandate and its subscription, if the caller just read them. They are read again only if
   * something changed meanwhile.
   */
  read?: MandateSnapshot;
  /** As in ChargeUpdate. */
  extraWrites?: BatchWrite[];
};

/**
 * Brings a Pix mandate, and the renewals of its subscription, to what the provider reports now. A
 * mandate marked as ending is first ended at the provider. Equal calls apply it once, before or
 * after the webhook event of its first payment. Throws ProviderUnclear.
 */
export async function settleMandate(
  ctx: Context,
  { mandateId, providerMandate: answer, read, extraWrites = [] }: MandateUpdate,
): Promise<void> {
  const snapshot = read ?? (await loadMandateSnapshot(ctx, { mandateId }));
  const current = snapshot?.mandate;
  if (!snapshot || !current || !isLiving(current)) return await commit(ctx.db, extraWrites);
  const isAnswered =
    answer !== undefined && (current.providerRecurringPixId ?? answer.id) === answer.id;
  const providerMandate =
    current.endingAt !== null || !isAnswered ? await answerOf(ctx, current) : answer;
  const mandateUpdate: ChargeMandateUpdate = {
    mandate: current,
    providerMandate,
    extraWrites,
    decided: null,
  };
  const isAsked = await settledFirstPayment(ctx, snapshot, mandateUpdate);
  if (mandateUpdate.decided) return await followed(ctx, current, mandateUpdate.decided);
  let unread: MandateSnapshot | null = isAsked ? null : snapshot;
  const decided = await retryOnConflict(async () => {
    const {
      mandate,
      subscriptionSnapshot = null,
      first = null,
    } = unread ?? (await loadMandateSnapshot(ctx, { mandateId })) ?? {};
    unread = null;
    if (!mandate || !subscriptionSnapshot || !first)
      throw new Error(`authorisation ${mandateId} pays for nothing`);
    const now = mandateTransitionStatements(
      ctx,
      { mandate, subscriptionSnapshot, first },
      providerMandate,
    );
    await commit(ctx.db, [...now.writes, ...extraWrites]);
    return now;
  });
  await followed(ctx, current, decided);
}

const isLiving = ({ status }: PixMandate): boolean => status === "created" || status === "active";
const answerOf = async (ctx: Context, mandate: PixMandate): Promise<ProviderPixMandate | null> =>
  mandate.endingAt === null
    ? await fetchMandate(ctx, mandate)
    : await endMandateAtProvider(ctx, mandate);

/**
 * Runs after the batch: updates the page that waits, sends the email, and ends the mandate at the
 * provider if needed.
 */
async function followed(
  ctx: Context,
  { id: mandateId, status, firstChargeId }: PixMandate,
  { step, outboxId }: MandateTransitionWrites,
): Promise<void> {
  if (step.status !== status || step.attaches) await ctx.live.changed(chargeTopic(firstChargeId));
  if (outboxId)
    await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
  if (step.ends) await settleMandate(ctx, { mandateId });
}

/**
 * Settles the payment in the mandate's code together with the mandate. That payment's own webhook
 * event may be lost or late. Returns whether it did.
 */
async function settledFirstPayment(
  ctx: Context,
  { subscriptionSnapshot, first }: MandateSnapshot,
  mandateUpdate: ChargeMandateUpdate,
): Promise<boolean> {
  const { providerMandate } = mandateUpdate;
  if (
    !providerMandate ||
    providerMandate.status === "created" ||
    !first ||
    !isAwaitingPayment(first.status)
  )
    return false;
  const subscription: SubscriptionPurchaseSnapshot = {
    subscriptionSnapshot,
    change: null,
    endSnapshot: null,
    changeHistory: null,
    mandateUpdate,
  };
  await settleCharge(ctx, {
    chargeId: first.id,
    snapshot: { ...chargeAlone(first), purchase: { subscription } },
  });
  return true;
}

/**
 * Fetches what the bank reports of the mandate whose code a charge pays, for the batch of that
 * charge. Null when the mandate is over or the provider gives no answer now. After the charge is
 * settled, `finishChargeMandate` does the rest.
 */
export async function loadChargeMandateUpdate(
  ctx: Context,
  mandate: PixMandate,
): Promise<ChargeMandateUpdate | null> {
  if (!isLiving(mandate)) return null;
  try {
    return {
      mandate,
      providerMandate: await answerOf(ctx, mandate),
      extraWrites: [],
      decided: null,
    };
  } catch (error) {
    if (!(error instanceof ProviderUnclear || error instanceof ProviderRefused)) throw error;
    return null;
  }
}

/**
 * Runs after the charge of a mandate's code is settled. A mandate that was not applied with it is
 * settled separately.
 */
export async function finishChargeMandate(
  ctx: Context,
  mandate: PixMandate,
  mandateUpdate: ChargeMandateUpdate | null,
): Promise<void> {
  if (mandateUpdate?.decided) return await followed(ctx, mandate, mandateUpdate.decided);
  if (isLiving(mandate)) await trySettleMandate(ctx, { mandateId: mandate.id });
}

/**
 * `settleMandate` for the mandate whose code a charge pays, if it is such a charge. Throws
 * ProviderUnclear.
 */
export async function settleMandateOfCharge(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<void> {
  const charge = await chargeRow(ctx, { chargeId });
  if (charge?.recurringPixId && charge.debitOn === null)
    await settleMandate(ctx, { mandateId: charge.recurringPixId });
}

/**
 * `settleMandate` for callers that do not wait for the provider: without an answer now,
 * reconciliation asks later.
 */
export async function trySettleMandate(
  ctx: Context,
  mandate: { mandateId: string },
): Promise<void> {
  try {
    await settleMandate(ctx, mandate);
  } catch (error) {
    if (!(error instanceof ProviderUnclear)) throw error;
    ctx.log("subscriptions.authorisation_unclear", mandate);
  }
}
