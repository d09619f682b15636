import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { settleRefundTransfer } from "#app/domain/payments/refund-transfers/commands/send-refund-transfer.server.ts";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { chargeByProviderId, chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type {
  PaymentProvider,
  ProviderCharge,
  ProviderPixMandate,
} from "#app/domain/payments/schema.ts";
import { settlePayout } from "#app/domain/payouts/sending/commands/settle.server.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";
import { settleDispute } from "#app/domain/payments/disputes/commands/settle-dispute.server.ts";
import { settleRefund } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { matchMandates } from "#app/domain/reconciliation/queries/mandate-pairs.server.ts";
import {
  chargeForComparison,
  matchDisputes,
  matchRefunds,
  matchTransfers,
} from "#app/domain/reconciliation/queries/pairs.server.ts";
import {
  compareMandate,
  compareCharge,
  compareDispute,
  compareRefund,
  compareTransfer,
} from "#app/domain/reconciliation/rules/compare.ts";
import type {
  Difference,
  DifferenceSide,
  ReconciledObject,
} from "#app/domain/reconciliation/schema.ts";
import {
  settleMandate,
  trySettleMandate,
} from "#app/domain/subscriptions/pix-mandates/commands/settle-mandate.server.ts";
import { chargeOfProviderCharge } from "#app/domain/subscriptions/pix-mandates/queries/mandates.server.ts";

type Comparison = {
  difference: Difference | null;
  ours: DifferenceSide | null;
  theirs: DifferenceSide | null;
};
/**
 * The comparison before the provider's present answer was applied, and after it. `subject` is the
 * examined object, which may be the charge of a refund.
 */
export type ExaminationResult = {
  subject: ReconciledObject;
  before: Comparison;
  after: Comparison;
};

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
      return await examineAuthorisation(ctx, provider, subject);
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
  await applied(ctx, subject, () => settleCharge(ctx, { chargeId: charge.id, providerCharge }));
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
  await applied(ctx, subject, () => settleRefund(ctx, { refundId, providerRefund }));
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
  await applied(ctx, subject, () =>
    before.isRefund
      ? settleRefundTransfer(ctx, { transferId: ourId, providerTransfer })
      : settlePayout(ctx, { payoutId: ourId, providerTransfer }),
  );
  return { subject: whole, before, after: await look() };
}

async function examineDispute(
  ctx: Context,
  provider: PaymentProvider,
  subject: ReconciledObject,
): Promise<ExaminationResult> {
  const providerDispute = await orNone(provider.disputeById(subject.objectId));
  const look = async (): Promise<Comparison & { ourId: string | null }> => {
    const ours =
      (
        await matchDisputes(ctx, { provider: provider.name, items: [{ id: subject.objectId }] })
      ).get(subject.objectId) ?? null;
    return {
      difference: providerDispute
        ? compareDispute(ours, providerDispute)
        : unconfirmedDifference(ours),
      ours: ours && {
        status: ours.status,
        amountCents: ours.amountCents,
        backCents: 0,
        costCents: ours.costCents ?? null,
      },
      theirs: providerDispute && {
        status: providerDispute.status,
        amountCents: providerDispute.amountCents,
        backCents: 0,
        costCents: providerDispute.costCents ?? null,
      },
      ourId: ours?.id ?? null,
    };
  };
  const before = await look();
  // The disputed charge is ours even if the dispute cannot be booked: its seller is missing the
  // disputed money.
  const reference = providerDispute
    ? ((
        await chargeByProviderId(ctx, {
          provider: provider.name,
          providerChargeId: providerDispute.chargeId,
        })
      )?.id ?? null)
    : subject.reference;
  if (!before.difference || !providerDispute)
    return { subject: { ...subject, ourId: before.ourId, reference }, before, after: before };
  await applied(ctx, subject, () =>
    settleDispute(ctx, { provider: provider.name, providerDisputeId: subject.objectId }),
  );
  const after = await look();
  return { subject: { ...subject, ourId: after.ourId, reference }, before, after };
}

/**
 * Compares a dispute of ours that the provider does not know by id. If we count it as lost, the
 * provider still holds its money.
 */
const unconfirmedDifference = (
  ours: { status: string; amountCents: Cents } | null,
): Difference | null =>
  ours
    ? {
        kind: "theirs_missing",
        isMoney: true,
        gapCents: ours.status === "lost" ? -ours.amountCents : 0,
      }
    : null;

async function examineAuthorisation(
  ctx: Context,
  provider: PaymentProvider,
  subject: ReconciledObject,
): Promise<ExaminationResult> {
  const ask = () => orNone(provider.recurringPixById(subject.objectId));
  const providerMandate = await ask();
  const item = {
    id: subject.objectId,
    reference: subject.ourId ?? providerMandate?.reference ?? subject.reference,
  };
  const look = async (
    theirs: ProviderPixMandate | null,
  ): Promise<Comparison & { ourId: string | null }> => {
    const row =
      (await matchMandates(ctx, { provider: provider.name, items: [item] })).get(item.id) ?? null;
    // A second mandate under a reference that already has one: its payer agreed twice.
    const ours = row?.providerId && row.providerId !== item.id ? null : row;
    return {
      difference: compareMandate(ours, theirs),
      ours: ours && agreedSide(ours),
      theirs: theirs && agreedSide(theirs),
      ourId: ours?.id ?? null,
    };
  };
  const before = await look(providerMandate);
  const whole = { ...subject, ourId: before.ourId, reference: item.reference };
  if (!before.difference || before.ourId === null || !providerMandate)
    return { subject: whole, before, after: before };
  const mandateId = before.ourId;
  await applied(ctx, subject, () => settleMandate(ctx, { mandateId }));
  return { subject: whole, before, after: await look(await ask()) };
}

const agreedSide = ({
  status,
  amountCents,
}: {
  status: string;
  amountCents: Cents | null;
}): DifferenceSide => ({ status, amountCents: amountCents ?? 0, backCents: 0 });

/**
 * Applies an answer. One that cannot be applied, for whatever reason, stays as a visible difference
 * and blocks nothing.
 */
async function applied(
  ctx: Context,
  { object, objectId }: ReconciledObject,
  apply: () => Promise<unknown>,
): Promise<void> {
  try {
    await apply();
  } catch (error) {
    ctx.log("reconciliation.not_applied", {
      object,
      objectId,
      error: error instanceof Error ? `${error.name}: ${error.message}` : "unknown",
    });
  }
}

/** Returns null if the provider, asked by id, does not know the object. */
async function orNone<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProviderRefused) return null;
    throw error;
  }
}
