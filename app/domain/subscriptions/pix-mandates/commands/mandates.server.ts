import { and, eq, inArray, isNull } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { newChargeStatement } from "#app/domain/payments/charges/commands/charges.server.ts";
import type { NewCharge } from "#app/domain/payments/charges/commands/charges.server.ts";
import { requirePayerTaxId } from "#app/domain/payments/charges/commands/payer-tax-id.server.ts";
import {
  requestMandateCharge,
  requestCharge,
} from "#app/domain/payments/charges/commands/request.server.ts";
import {
  cancelPendingCharge,
  settleCharge,
} from "#app/domain/payments/charges/commands/settle.server.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { isAwaitingPayment } from "#app/domain/payments/rules.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import { CreatorOnVacation } from "#app/domain/plans/errors/vacations.ts";
import {
  AgeNotVerified,
  LeavingMemberCannotSubscribe,
  PageClosed,
  PaymentDeclined,
  SubscriptionNotFound,
} from "#app/domain/subscriptions/errors.ts";
import {
  PixMandateAlreadyActive,
  PixMandateNotOffered,
  BankUnavailable,
  DebitInProgress,
  PixMandateNotFound,
  NothingToPay,
} from "#app/domain/subscriptions/pix-mandates/errors.ts";
import { PlanChangePending } from "#app/domain/subscriptions/plan-changes/errors.ts";
import { loadSubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import type { SubscriptionSnapshot } from "#app/domain/subscriptions/snapshot/queries.server.ts";
import { isMandateReplaceable } from "#app/domain/subscriptions/pix-mandates/queries/mandate-offer.server.ts";
import { pixMandateOf } from "#app/domain/subscriptions/pix-mandates/queries/mandates.server.ts";
import { openRenewals } from "#app/domain/subscriptions/renewals/queries/renewals.server.ts";
import { GRACE_DAYS } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import { periodFrom } from "#app/domain/subscriptions/renewals/rules/periods.ts";
import {
  isPixMandateOffered,
  canPayByCode,
  canMoveToPixMandate,
} from "#app/domain/subscriptions/pix-mandates/rules.ts";
import { nextTerms } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { mandatePrices } from "#app/domain/subscriptions/price-changes/rules.ts";
import { addDays } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { recurringPix, subscriptions } from "#drizzle/schema/subscriptions.ts";
import { newMandateStatement } from "./mandate-charges.server.ts";
import { trySettleMandate } from "./settle-mandate.server.ts";
import { cancelOpenRenewals } from "#app/domain/subscriptions/open-renewals/commands.server.ts";
import {
  dropImpossibleChange,
  buildRenewalCharge,
  renewalTermsUnchanged,
} from "#app/domain/subscriptions/renewal-terms/commands/agreed-renewal.server.ts";
import { applyAgreedPriceStatements } from "#app/domain/subscriptions/price-changes/commands/renewal.server.ts";
import { memberSubscription } from "#app/domain/subscriptions/commands.server.ts";
import type { MemberSubscriptionRef } from "#app/domain/subscriptions/commands.server.ts";
import { applyPendingVacation } from "#app/domain/subscriptions/vacations/commands/move.server.ts";

type MandatePeriod = { startsAt: Instant; endsAt: Instant };

/**
 * Moves a subscription to a Pix mandate. One code pays the next period now and asks the bank to
 * debit the later ones. An open charge of that period is canceled first. Until the code is paid and
 * authorised, renewals stay as they were. A mandate that does not allow an accepted price, or the
 * next payment, is replaced. Returns the charge of the code; a second tab joins it. Refuses
 * SubscriptionNotFound (also for another member's), PixMandateNotOffered, PixMandateAlreadyActive,
 * DebitInProgress, PageClosed, CreatorOnVacation, LeavingMemberCannotSubscribe, TaxIdRequired,
 * PaymentDeclined.
 */
export async function createPixMandate(
  ctx: Context,
  reference: MemberSubscriptionRef,
): Promise<{ chargeId: string }> {
  await applyPendingVacation(ctx, reference);
  const before = await memberSnapshot(ctx, reference);
  refuseAutomatic(ctx, before);
  const { waitingChargeId } = await pixMandateOf(ctx, reference);
  if (waitingChargeId) return { chargeId: waitingChargeId };
  await requirePayerTaxId(ctx, { payerId: reference.fanId, method: "pix" });
  await cancelOpenRenewals(ctx, reference);
  if (before.mandate) await refuseDebitUnderWay(ctx, reference);
  const subscriptionSnapshot = await memberSnapshot(ctx, reference);
  refuseAutomatic(ctx, subscriptionSnapshot);
  const { subscription, consent, nextPaymentCents } = subscriptionSnapshot;
  const [chargeId, recurringPixId, period, expiresAt] = [
    ctx.newId(),
    ctx.newId(),
    nextPeriod(subscriptionSnapshot),
    ctx.now() + paymentMethods.pix.checkoutExpiresAfterMs,
  ];
  const { id: subscriptionId, interval, fanId: payerId } = subscription;
  const { priceCents, firstCents } = mandatePrices(
    nextPaymentCents,
    nextTerms(subscription, null, subscriptionSnapshot.agreed).amountCents,
    consent,
  );
  const first = { chargeId, amountCents: firstCents };
  const isOpened = await opened(ctx, subscriptionSnapshot, [
    ...applyAgreedPriceStatements(ctx, subscriptionSnapshot),
    newChargeStatement(ctx, {
      ...chargeOf(subscriptionSnapshot, { id: chargeId, period, expiresAt }),
      automatic: { recurringPixId, debitOn: null },
    }),
    newMandateStatement(ctx, {
      id: recurringPixId,
      subscriptionId,
      payerId,
      interval,
      priceCents,
      first,
      firstPeriodEndsAt: period.endsAt,
      expiresAt,
    }),
  ]);
  if (!isOpened) return { chargeId: await openCharge(ctx, reference) };
  const { status, refusedCode } = await requestMandateCharge(ctx, { chargeId });
  if (status === "failed") throw new PaymentDeclined(refusedCode);
  return { chargeId };
}

/**
 * Ends a Pix mandate ("Encerrar autorização"). The subscription renews by Pix codes from now on. A
 * debit instruction that the bank already has is canceled while the bank allows it. Refuses
 * SubscriptionNotFound (also for another member's) and PixMandateNotFound.
 */
export async function endPixMandate(ctx: Context, reference: MemberSubscriptionRef): Promise<void> {
  const { recurringPixId: mandateId } = await memberSubscription(ctx, reference);
  if (mandateId === null) throw new PixMandateNotFound();
  try {
    await commit(ctx.db, [mandateEndingStatement(ctx, { mandateId })]);
  } catch (error) {
    throw error instanceof StaleWrite ? new PixMandateNotFound() : error;
  }
  await cancelMandateAtProvider(ctx, { ...reference, mandateId });
}

/**
 * The statement that marks a mandate as ending; nothing is debited from it any more (trigger
 * `recurring_pix_detached`). Throws StaleWrite if the mandate is not active.
 */
export function mandateEndingStatement(
  ctx: Context,
  { mandateId }: { mandateId: string },
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(recurringPix)
      .set({ endingAt: ctx.now() })
      .where(
        and(
          eq(recurringPix.id, mandateId),
          eq(recurringPix.status, "active"),
          isNull(recurringPix.endingAt),
        ),
      ),
  );
}

/**
 * Follows `mandateEndingStatement`: cancels the bank's debit instruction while allowed, and ends
 * the mandate at the provider. Safe to run twice.
 */
export async function cancelMandateAtProvider(
  ctx: Context,
  { mandateId, ...reference }: MemberSubscriptionRef & { mandateId: string },
): Promise<void> {
  await cancelOpenRenewals(ctx, reference);
  await trySettleMandate(ctx, { mandateId });
}

/**
 * Makes a code for a renewal that the bank did not debit. Its debit is canceled first, so that one
 * period never has two open ways to pay. Returns the charge of the code; a second tab joins it.
 * Refuses SubscriptionNotFound (also for another member's), NothingToPay, DebitInProgress when the
 * bank debits it in any case, BankUnavailable, PageClosed, CreatorOnVacation,
 * LeavingMemberCannotSubscribe, TaxIdRequired, PaymentDeclined.
 */
export async function requestRenewalCode(
  ctx: Context,
  reference: MemberSubscriptionRef,
): Promise<{ chargeId: string }> {
  await applyPendingVacation(ctx, reference);
  const { debit } = await pixMandateOf(ctx, reference);
  const before = await memberSnapshot(ctx, reference);
  if (!canPayByCode(before.subscription.status, debit)) throw new NothingToPay();
  await requirePayerTaxId(ctx, { payerId: reference.fanId, method: "pix" });
  if (debit) await replaceDebit(ctx, debit.chargeId);
  await dropImpossibleChange(ctx, await memberSnapshot(ctx, reference));
  const subscriptionSnapshot = await memberSnapshot(ctx, reference);
  const { subscription, nextPaymentCents: amountCents } = subscriptionSnapshot;
  if (subscription.currentPeriodEndsAt !== before.subscription.currentPeriodEndsAt)
    throw new NothingToPay();
  const { planName, period, planChangeId, extraWrites } = buildRenewalCharge(
    ctx,
    subscriptionSnapshot,
    nextPeriod(subscriptionSnapshot),
  );
  const [chargeId, expiresAt] = [ctx.newId(), addDays(period.startsAt, GRACE_DAYS)];
  const charge = {
    ...chargeOf(subscriptionSnapshot, { id: chargeId, period, expiresAt, planName }),
    planChangeId,
  };
  if (!(await opened(ctx, subscriptionSnapshot, [...extraWrites, newChargeStatement(ctx, charge)])))
    return { chargeId: await openCharge(ctx, reference) };
  const asked = {
    chargeId,
    amountCents,
    description: charge.description,
    method: "pix",
    expiresAt,
    payerName: subscriptionSnapshot.fanName,
    cardToken: null,
    savedMethodId: null,
    saveMethod: false,
  } as const;
  const { status, refusedCode } = await requestCharge(ctx, asked);
  if (status === "failed") throw new PaymentDeclined(refusedCode);
  return { chargeId };
}

/**
 * Ends a refused debit. Without an order at the bank, we end it ourselves; with one, the bank has
 * to confirm.
 */
async function replaceDebit(ctx: Context, chargeId: string): Promise<void> {
  try {
    await cancelPendingCharge(ctx, { chargeId });
    const left = await chargeRow(ctx, { chargeId });
    if (!left || !isAwaitingPayment(left.status)) return;
    if (left.failureCode === null) throw new DebitInProgress(left.debitOn ?? "");
    await settleCharge(ctx, { chargeId, refusedCode: left.failureCode });
  } catch (error) {
    throw error instanceof ProviderUnclear ? new BankUnavailable() : error;
  }
}

function refuseAutomatic(ctx: Context, subscriptionSnapshot: SubscriptionSnapshot): void {
  const { subscription, mandate, change, nextPaymentCents } = subscriptionSnapshot;
  if (mandate && !isMandateReplaceable(subscriptionSnapshot, mandate))
    throw new PixMandateAlreadyActive();
  if (change) throw new PlanChangePending();
  if (!isPixMandateOffered(ctx) || !canMoveToPixMandate(subscription) || nextPaymentCents <= 0)
    throw new PixMandateNotOffered();
}

/**
 * A debit that the bank does not cancel pays the next period: the code of another mandate would pay
 * it twice.
 */
async function refuseDebitUnderWay(
  ctx: Context,
  { subscriptionId }: MemberSubscriptionRef,
): Promise<void> {
  const { debit } = await pixMandateOf(ctx, { subscriptionId });
  if (debit) throw new DebitInProgress(debit.debitOn);
}

/**
 * Commits the statements of a charge for the next period. Returns false if the period or status
 * changed, or another charge for it is open.
 */
async function opened(
  ctx: Context,
  subscriptionSnapshot: SubscriptionSnapshot,
  writes: BatchWrite[],
): Promise<boolean> {
  const { subscription } = subscriptionSnapshot;
  const still = ctx.db
    .update(subscriptions)
    .set({ updatedAt: ctx.now() })
    .where(
      and(
        eq(subscriptions.id, subscription.id),
        inArray(subscriptions.status, ["active", "past_due"]),
        eq(subscriptions.planPriceId, subscription.planPriceId),
        eq(subscriptions.currentPeriodEndsAt, subscription.currentPeriodEndsAt ?? 0),
        renewalTermsUnchanged(subscriptionSnapshot),
      ),
    );
  try {
    await commit(ctx.db, [mustChangeOne(still), ...writes]);
    return true;
  } catch (error) {
    if (!(error instanceof StaleWrite || error instanceof UniqueViolation)) throw error;
    return false;
  }
}

/** The charge that another tab opened a moment ago. */
async function openCharge(
  ctx: Context,
  { subscriptionId }: MemberSubscriptionRef,
): Promise<string> {
  const [chargeId] = await openRenewals(ctx, { subscriptionId });
  if (!chargeId) throw new NothingToPay();
  return chargeId;
}

function nextPeriod({ subscription }: SubscriptionSnapshot): MandatePeriod {
  const { currentPeriodEndsAt, anchorAt, startedAt, interval } = subscription;
  if (currentPeriodEndsAt === null || startedAt === null) throw new NothingToPay();
  return periodFrom(anchorAt ?? startedAt, interval, currentPeriodEndsAt);
}

function chargeOf(
  { subscription, plan, creatorName, nextPaymentCents }: SubscriptionSnapshot,
  {
    planName = plan.name,
    ...charge
  }: { id: string; period: MandatePeriod; expiresAt: Instant; planName?: string },
): NewCharge {
  const { fanId: payerId, creatorId, id: purchaseId } = subscription;
  return {
    ...charge,
    payerId,
    creatorId,
    purchaseKind: "subscription",
    purchaseId,
    description: `Assinatura ${planName}, de ${creatorName}`,
    amountCents: nextPaymentCents,
    method: "pix",
  };
}

async function memberSnapshot(
  ctx: Context,
  { fanId, subscriptionId }: MemberSubscriptionRef,
): Promise<SubscriptionSnapshot> {
  const subscriptionSnapshot = await loadSubscriptionSnapshot(ctx, { subscriptionId });
  if (!subscriptionSnapshot || subscriptionSnapshot.subscription.fanId !== fanId)
    throw new SubscriptionNotFound();
  if (subscriptionSnapshot.isShut) throw new PageClosed();
  if (subscriptionSnapshot.awayUntil !== null)
    throw new CreatorOnVacation(subscriptionSnapshot.awayUntil);
  if (subscriptionSnapshot.isAgeClosed) throw new AgeNotVerified();
  if (subscriptionSnapshot.isPayerLeaving) throw new LeavingMemberCannotSubscribe();
  return subscriptionSnapshot;
}
