import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ProviderRefused } from "#app/domain/payments/errors.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type {
  Charge,
  ProviderAnswer,
  Settlement,
} from "#app/domain/payments/purchase-handlers/schema.ts";
import {
  chargeAlone,
  settlementSnapshot,
} from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { SettlementSnapshot } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import {
  withCapturedAmount,
  chargeTopic,
  isUnpaid,
  isAwaitingPayment,
} from "#app/domain/payments/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import {
  chargeAskedStatement,
  chargeCostStatements,
  debtChargeSucceededStatements,
  chargeProgressStatement,
  chargeSucceededStatements,
} from "./charges.server.ts";
import {
  handlerOf,
  mandateChargesOf,
} from "#app/domain/payments/purchase-handlers/commands.server.ts";
import {
  refundNow,
  requestRefundStatement,
} from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { retryWithFreshSnapshot } from "#app/db/retry-on-conflict.ts";
import {
  logExternalRefund,
  recordExternalRefund,
  externalRefundStatements,
} from "#app/domain/payments/refunds/commands/external-refund.server.ts";

export type ChargeUpdate = {
  chargeId: string;
  /** The provider's charge. The provider is asked when neither this nor a refusal is given. */
  providerCharge?: ProviderCharge;
  /** The code of the provider's refusal. */
  refusedCode?: string;
  /** The snapshot that the caller just read. A fresh one is loaded if something changed meanwhile. */
  snapshot?: SettlementSnapshot | undefined;
  /**
   * Joins the batch of the change, or is written alone where nothing changes. Example: the stamp
   * that marks a webhook event as handled.
   */
  extraWrites?: BatchWrite[];
};

/**
 * Brings a charge and its purchase to the provider's present status. Checkout, webhooks, "Já
 * paguei" and reconciliation change them by this command only. Asks the provider unless its answer
 * (`providerCharge`) or refusal is given. Charge, fee, ledger, access and outbox message are one
 * batch, so that repeated calls apply it once. Returns the resulting status; "failed" if no such
 * charge exists. Throws ProviderUnclear when the provider does not answer.
 */
export async function settleCharge(ctx: Context, update: ChargeUpdate): Promise<ChargeStatus> {
  const { chargeId, extraWrites = [] } = update;
  const charge = update.snapshot?.charge ?? (await chargeRow(ctx, { chargeId }));
  if (!charge) return "failed";
  const answer = await answerFor(ctx, update, charge);
  const settled = await retryWithFreshSnapshot(
    {
      given: update.snapshot ?? null,
      load: async () => await settlementSnapshot(ctx, { chargeId }),
    },
    async (snapshot) => await applied(ctx, snapshot, { answer, extraWrites }),
  );
  if (settled.status !== charge.status) await ctx.live.changed(chargeTopic(chargeId));
  if (settled.refundId) await refundNow(ctx, settled.refundId);
  if (answer.providerCharge && answer.providerCharge.refundedCents > 0 && !settled.areRefundsKnown)
    await recordExternalRefund(ctx, { chargeId, reportedCharge: answer.providerCharge });
  if (settled.isUnwanted && isAwaitingPayment(settled.status))
    return await cancelPendingCharge(ctx, { chargeId });
  if (settled.announced)
    await ctx.queues.notifications.send({
      version: 1,
      type: "outbox.deliver",
      id: settled.announced,
    });
  return settled.status;
}

/**
 * Expires an overdue charge. Asks the provider first, since the charge may have been paid. Then
 * cancels it there, which releases what it held. Throws ProviderUnclear.
 */
export async function closeOverdueCharge(
  ctx: Context,
  update: Pick<ChargeUpdate, "chargeId" | "snapshot">,
): Promise<ChargeStatus> {
  const { chargeId } = update;
  const status = await settleCharge(ctx, update);
  if (!isAwaitingPayment(status)) return status;
  const charge = await chargeRow(ctx, { chargeId });
  const isOver = charge !== null && charge.expiresAt !== null && charge.expiresAt <= ctx.now();
  return isOver
    ? await cancelPendingCharge(ctx, { chargeId, snapshot: chargeAlone(charge) })
    : status;
}

/**
 * Cancels a pending charge at the provider. A charge paid meanwhile stays paid. Throws
 * ProviderUnclear when the provider does not answer.
 */
export async function cancelPendingCharge(
  ctx: Context,
  { chargeId, snapshot }: Pick<ChargeUpdate, "chargeId" | "snapshot">,
): Promise<ChargeStatus> {
  const charge = snapshot?.charge ?? (await chargeRow(ctx, { chargeId }));
  const mandateCharges =
    charge?.debitOn === null && isAwaitingPayment(charge.status)
      ? mandateChargesOf(ctx, charge)
      : null;
  if (charge && mandateCharges) {
    await mandateCharges.cancelPending(ctx, charge);
    return await settleCharge(ctx, { chargeId });
  }
  if (!charge?.providerChargeId || !isAwaitingPayment(charge.status))
    return charge?.status ?? "failed";
  const update = { chargeId, snapshot: snapshot ?? chargeAlone(charge) };
  try {
    const providerCharge = await providerOf(ctx, charge).cancelCharge(charge.providerChargeId);
    return await settleCharge(ctx, { ...update, providerCharge });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    return await settleCharge(ctx, update);
  }
}

async function answerFor(
  ctx: Context,
  { providerCharge, refusedCode }: ChargeUpdate,
  charge: Charge,
): Promise<ProviderAnswer> {
  if (refusedCode !== undefined) return { providerCharge: null, refusedCode };
  if (providerCharge) return { providerCharge };
  if (charge.providerChargeId)
    return { providerCharge: await providerOf(ctx, charge).chargeById(charge.providerChargeId) };
  return (
    (await mandateChargesOf(ctx, charge)?.answer(ctx, charge)) ?? {
      providerCharge: await providerOf(ctx, charge).chargeByReference(charge.id),
    }
  );
}

type ChargeOutcome = {
  status: ChargeStatus;
  refundId: string | null;
  announced: string | null;
  isUnwanted?: boolean;
  /** An external refund was booked in the same batch. */
  areRefundsKnown?: boolean;
};
type SettlementInputs = { answer: ProviderAnswer; extraWrites: BatchWrite[] };

async function applied(
  ctx: Context,
  snapshot: SettlementSnapshot | null,
  applying: SettlementInputs,
): Promise<ChargeOutcome> {
  const settlement = snapshot
    ? await handlerOf(ctx, snapshot.charge).settlement(
        ctx,
        snapshot.charge,
        unlessTooLate(snapshot.charge, applying.answer),
        snapshot.purchase,
      )
    : null;
  if (!snapshot || !settlement) {
    await commit(ctx.db, applying.extraWrites);
    return { status: "failed", refundId: null, announced: null };
  }
  const settled = await committed(ctx, snapshot, settlement, applying);
  settlement.committed?.();
  return settled;
}

/** Writes the decision in one batch. */
async function committed(
  ctx: Context,
  snapshot: SettlementSnapshot,
  settlement: Settlement,
  applying: SettlementInputs,
): Promise<ChargeOutcome> {
  const { charge } = snapshot;
  const { answer, extraWrites } = applying;
  switch (settlement.kind) {
    case "nothing":
      return await unchanged(ctx, snapshot, settlement.extraWrites ?? [], applying);
    case "progress":
      await commit(ctx.db, [
        chargeProgressStatement(ctx, charge, {
          ...answer.providerCharge,
          status: settlement.status,
          failureCode: settlement.failureCode,
        }),
        ...settlement.extraWrites,
        ...extraWrites,
      ]);
      return {
        status: settlement.status,
        refundId: null,
        announced: settlement.announced ?? null,
        isUnwanted: settlement.isUnwanted ?? false,
      };
    case "paid":
      await commit(ctx.db, [
        ...(settlement.debt
          ? debtChargeSucceededStatements(
              ctx,
              charge,
              expected(answer.providerCharge),
              settlement.debt,
            )
          : chargeSucceededStatements(ctx, charge, expected(answer.providerCharge), settlement)),
        ...settlement.extraWrites,
        ...extraWrites,
      ]);
      return { status: "succeeded", refundId: null, announced: settlement.announced };
    case "give_back":
      return await paidAndRefunded(ctx, charge, settlement, applying);
  }
}

/** Books only external refunds and the provider's cost; nothing else changes. */
async function unchanged(
  ctx: Context,
  snapshot: SettlementSnapshot,
  purchaseWrites: BatchWrite[],
  { answer, extraWrites }: SettlementInputs,
): Promise<ChargeOutcome> {
  const { charge, refundTotals } = snapshot;
  const returned =
    answer.providerCharge && answer.providerCharge.refundedCents > 0 && refundTotals
      ? await externalRefundStatements(ctx, { ...snapshot, refundTotals }, answer.providerCharge)
      : null;
  await commit(ctx.db, [
    chargeAskedStatement(ctx, charge),
    ...(isUnpaid(charge.status) ? [] : chargeCostStatements(ctx, charge, answer.providerCharge)),
    ...purchaseWrites,
    ...(returned?.writes ?? []),
    ...extraWrites,
  ]);
  if (returned) logExternalRefund(ctx, returned);
  return {
    status: charge.status,
    refundId: null,
    announced: null,
    areRefundsKnown: refundTotals !== null,
  };
}

/** Books the captured payment and decides its refund, in the same batch. */
async function paidAndRefunded(
  ctx: Context,
  charge: Charge,
  settlement: Extract<Settlement, { kind: "give_back" }>,
  { answer, extraWrites }: SettlementInputs,
): Promise<ChargeOutcome> {
  const refundId = ctx.newId();
  const providerCharge = expected(answer.providerCharge);
  const taken = withCapturedAmount(charge, providerCharge.amountCents);
  await commit(ctx.db, [
    ...chargeSucceededStatements(ctx, taken, providerCharge, { isRenewal: false }),
    ...settlement.extraWrites,
    requestRefundStatement(ctx, taken, {
      id: refundId,
      amountCents: taken.amountCents,
      reason: settlement.reason,
    }),
    ...extraWrites,
  ]);
  ctx.log("payments.given_back", { chargeId: charge.id, refundId, reason: settlement.log });
  return { status: "succeeded", refundId, announced: null };
}

/**
 * Ignores a late refusal. A charge that has moved on is settled as if the provider had not
 * answered.
 */
const unlessTooLate = (charge: Charge, answer: ProviderAnswer): ProviderAnswer =>
  answer.refusedCode !== undefined && !isAwaitingPayment(charge.status)
    ? { providerCharge: null }
    : answer;

/** Returns the provider's answer, without which a charge is never paid. */
function expected(providerCharge: ProviderCharge | null): ProviderCharge {
  if (!providerCharge) throw new Error("a charge cannot be paid without the provider saying so");
  return providerCharge;
}
