import type { Context } from "#app/domain/context.ts";
import { settleRefundTransfer } from "#app/domain/payments/refund-transfers/commands/settle-refund-transfer.server.ts";
import { chargeByProviderId, chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { PaymentProvider, ProviderCharge } from "#app/domain/payments/schema.ts";
import { settlePayout } from "#app/domain/payouts/sending/commands/settle.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { settleRefund } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import {
  chargeForComparison,
  matchRefunds,
  matchTransfers,
} from "#app/domain/reconciliation/queries/pairs.server.ts";
import {
  compareCharge,
  compareRefund,
  compareTransfer,
} from "#app/domain/reconciliation/rules/compare.ts";
import type { DifferenceSide, ReconciledObject } from "#app/domain/reconciliation/schema.ts";
import { trySettleMandate } from "#app/domain/subscriptions/pix-mandates/commands/settle-mandate.server.ts";
import { chargeOfProviderCharge } from "#app/domain/subscriptions/pix-mandates/queries/mandates.server.ts";
import { applyAnswer, orNone } from "./comparison.server.ts";
import type { Comparison, ExaminationResult } from "./comparison.server.ts";
import { examineDispute } from "./examine-dispute.server.ts";
import { examineMandate } from "./examine-mandate.server.ts";

/**
 * Examines one object: asks the provider, applies the answer as a webhook event would, and compares
 * again.
 *
 * It uses `settleCharge`, `settleRefund`, `settlePayout`, `settleDispute` and `settleMandate`, and
 * nothing else: there is no second way to post money. People resolve what is left. Throws
 * ProviderUnclear.
 */
export async function examineObject(
  ctx: Context,
  provider: PaymentProvider,
  subject: ReconciledObject,
): Promise<ExaminationResult> {
  switch (subject.object) {
    case "charge":
      return await examineCharge(ctx, provider, subject);
    case "refund":
      return await examineRefund(ctx, provider, subject);
    case "transfer":
      return await examineTransfer(ctx, provider, subject);
    case "dispute":
      return await examineDispute(ctx, provider, subject);
    case "authorisation":
      return await examineMandate(ctx, provider, subject);
  }
}

async function examineCharge(
  ctx: Context,
  provider: PaymentProvider,
  subject: ReconciledObject,
): Promise<ExaminationResult> {
  const matchedCharge = await knownCharge(ctx, provider, subject);
  // A charge typed at the provider's page has the id of its page until it is paid. If we know its
  // id, ask by that one.
  const ask = () =>
    orNone(provider.chargeById(matchedCharge?.providerChargeId ?? subject.objectId));
  const providerCharge = await ask();
  const isAnother =
    matchedCharge?.providerChargeId &&
    matchedCharge.providerChargeId !== subject.objectId &&
    providerCharge?.id !== subject.objectId;
  if (isAnother) return await secondCharge(provider, subject);
  const charge =
    matchedCharge ??
    (providerCharge &&
      (await ofProvider(
        provider,
        await chargeOfProviderCharge(ctx, { provider: provider.name, providerCharge }),
      )));
  const look = async (theirs: ProviderCharge | null): Promise<Comparison> => {
    const ours = charge && (await chargeForComparison(ctx, { chargeId: charge.id }));
    return {
      difference: compareCharge(ours, theirs),
      ours: ours && {
        status: ours.status,
        amountCents: ours.amountCents,
        backCents: ours.refundedCents,
        costCents: ours.costCents ?? null,
      },
      theirs: theirs && chargeSide(theirs),
    };
  };
  const before = await look(providerCharge);
  const whole = {
    ...subject,
    ourId: charge?.id ?? null,
    reference: providerCharge?.reference ?? subject.reference,
  };
  if (!before.difference || !charge || !providerCharge)
    return { subject: whole, before, after: before };
  await applyAnswer(ctx, subject, () => settleCharge(ctx, { chargeId: charge.id, providerCharge }));
  if (charge.recurringPixId !== null && charge.debitOn === null)
    await trySettleMandate(ctx, { mandateId: charge.recurringPixId });
  return { subject: whole, before, after: await look(await ask()) };
}

/** A second charge under a reference that already has its charge: the payer paid twice. */
async function secondCharge(
  provider: PaymentProvider,
  subject: ReconciledObject,
): Promise<ExaminationResult> {
  const providerCharge = await orNone(provider.chargeById(subject.objectId));
  const look: Comparison = {
    difference: providerCharge?.status === "succeeded" ? compareCharge(null, providerCharge) : null,
    ours: null,
    theirs: providerCharge && chargeSide(providerCharge),
  };
  return { subject: { ...subject, ourId: null }, before: look, after: look };
}

const chargeSide = (providerCharge: ProviderCharge): DifferenceSide => ({
  status: providerCharge.status,
  amountCents: providerCharge.amountCents,
  backCents: providerCharge.refundedCents,
  costCents: providerCharge.costCents,
});

async function knownCharge(
  ctx: Context,
  provider: PaymentProvider,
  { objectId, ourId, reference }: ReconciledObject,
): Promise<Charge | null> {
  const matchedCharge = await chargeByProviderId(ctx, {
    provider: provider.name,
    providerChargeId: objectId,
  });
  const chargeId = ourId ?? reference;
  return (
    matchedCharge ??
    (chargeId === null ? null : ofProvider(provider, await chargeRow(ctx, { chargeId })))
  );
}

/**
 * Keeps a charge only if it belongs to this provider. A provider's answer is never about another
 * provider's charge.
 */
const ofProvider = (provider: PaymentProvider, charge: Charge | null): Charge | null =>
  charge?.provider === provider.name ? charge : null;

async function examineRefund(
  ctx: Context,
  provider: PaymentProvider,
  subject: ReconciledObject,
): Promise<ExaminationResult> {
  const providerRefund = await orNone(provider.refundById(subject.objectId));
  const item = {
    id: subject.objectId,
    reference: subject.ourId ?? subject.reference ?? providerRefund?.reference ?? null,
  };
  const look = async (): Promise<Comparison & { ourId: string | null; status: string | null }> => {
    const ours =
      (await matchRefunds(ctx, { provider: provider.name, items: [item] })).get(item.id) ?? null;
    return {
      difference: compareRefund(ours, providerRefund),
      ours: ours && {
        status: ours.status,
        amountCents: ours.amountCents,
        backCents: 0,
        costCents: ours.costCents ?? null,
      },
      theirs: providerRefund && {
        status: providerRefund.status,
        amountCents: providerRefund.amountCents,
        backCents: 0,
        costCents: providerRefund.costCents ?? null,
      },
      ourId: ours?.id ?? null,
      status: ours?.status ?? null,
    };
  };
  const before = await look();
  if (providerRefund && (before.status === null || before.status === "failed"))
    return await examineCharge(ctx, provider, {
      object: "charge",
      objectId: providerRefund.chargeId,
      ourId: null,
      reference: null,
    });
  const whole = { ...subject, ourId: before.ourId, reference: item.reference };
  if (!before.difference || before.ourId === null || !providerRefund)
    return { subject: whole, before, after: before };
  const refundId = before.ourId;
  await applyAnswer(ctx, subject, () => settleRefund(ctx, { refundId, providerRefund }));
  return { subject: whole, before, after: await look() };
}

async function examineTransfer(
  ctx: Context,
  provider: PaymentProvider,
  subject: ReconciledObject,
): Promise<ExaminationResult> {
  const providerTransfer = await orNone(provider.transferById(subject.objectId));
  const item = {
    id: subject.objectId,
    reference: subject.ourId ?? providerTransfer?.reference ?? subject.reference,
  };
  const look = async (): Promise<Comparison & { ourId: string | null; isRefund: boolean }> => {
    const row =
      (await matchTransfers(ctx, { provider: provider.name, items: [item] })).get(item.id) ?? null;
    // A second transfer under a payout that already has one: its creator was paid twice.
    const ours = row?.providerId && row.providerId !== item.id ? null : row;
    return {
      difference: compareTransfer(ours, providerTransfer),
      ours: ours && {
        status: ours.status,
        amountCents: ours.amountCents,
        backCents: 0,
        costCents: ours.costCents ?? null,
      },
      theirs: providerTransfer && {
        status: providerTransfer.status,
        amountCents: providerTransfer.amountCents,
        backCents: 0,
        costCents: providerTransfer.costCents ?? null,
      },
      ourId: ours?.id ?? null,
      isRefund: ours?.isRefund ?? false,
    };
  };
  const before = await look();
  const whole = { ...subject, ourId: before.ourId, reference: item.reference };
  if (!before.difference || before.ourId === null || !providerTransfer)
    return { subject: whole, before, after: before };
  const ourId = before.ourId;
  await applyAnswer(ctx, subject, () =>
    before.isRefund
      ? settleRefundTransfer(ctx, { transferId: ourId, providerTransfer })
      : settlePayout(ctx, { payoutId: ourId, providerTransfer }),
  );
  return { subject: whole, before, after: await look() };
}
