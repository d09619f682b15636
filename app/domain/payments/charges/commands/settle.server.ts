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
  /** What the provider says of the charge. It is asked where neither this nor a refusal is given. */
  said?: ProviderCharge;
  /** The code of the provider's refusal. */
  refusedCode?: string;
  /** Where the caller has just read it. A fresh one is loaded if something changed meanwhile. */
  snapshot?: SettlementSnapshot | undefined;
  /**
   * Written in the batch of what this changes, or alone where nothing changes: the stamp that marks
   * a webhook delivery as handled.
   */
  extraWrites?: BatchWrite[];
};

/**
 * Brings a charge and its purchase to what the provider says now. Checkout, webhooks, "Já paguei"
 * and reconciliation all change them by this command alone. Asks the provider unless its answer
 * (`said`) or refusal is given. Charge, fee, ledger, access and announcement are one batch, so that
 * repeated calls apply it once. Gives the status that the charge has afterwards; "failed" where
 * there is no such charge. Throws ProviderUnclear when the provider does not answer.
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
  if (answer.said && answer.said.refundedCents > 0 && !settled.isBackKnown)
    await recordExternalRefund(ctx, { chargeId, said: answer.said });
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
 * Ends a charge that expired. The provider is asked first, as it may have been paid, and then told
 * to cancel it, so that what it held is free. Throws ProviderUnclear.
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
 * Tells the provider that nobody is to pay a charge any more; one that was paid meanwhile stays
 * paid. Throws ProviderUnclear when the provider does not answer.
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
    await mandateCharges.letGo(ctx, charge);
    return await settleCharge(ctx, { chargeId });
  }
  if (!charge?.providerChargeId || !isAwaitingPayment(charge.status))
    return charge?.status ?? "failed";
  const update = { chargeId, snapshot: snapshot ?? chargeAlone(charge) };
  try {
    const said = await providerOf(ctx, charge).cancelCharge(charge.providerChargeId);
    return await settleCharge(ctx, { ...update, said });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    return await settleCharge(ctx, update);
  }
}

async function answerFor(
  ctx: Context,
  { said, refusedCode }: ChargeUpdate,
  charge: Charge,
): Promise<ProviderAnswer> {
  if (refusedCode !== undefined) return { said: null, refusedCode };
  if (said) return { said };
  if (charge.providerChargeId)
    return { said: await providerOf(ctx, charge).chargeById(charge.providerChargeId) };
  return (
    (await mandateChargesOf(ctx, charge)?.answer(ctx, charge)) ?? {
      said: await providerOf(ctx, charge).chargeByReference(charge.id),
    }
  );
}

type ChargeOutcome = {
  status: ChargeStatus;
  refundId: string | null;
  announced: string | null;
  isUnwanted?: boolean;
  /** Money that the provider refunded without us was booked in the same batch. */
  isBackKnown?: boolean;
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

/** Writes what was decided, in one batch. */
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
      return await unchanged(ctx, snapshot, settlement.also ?? [], applying);
    case "progress":
      await commit(ctx.db, [
        chargeProgressStatement(ctx, charge, {
          ...answer.said,
          status: settlement.status,
          failureCode: settlement.failureCode,
        }),
        ...settlement.also,
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
          ? debtChargeSucceededStatements(ctx, charge, expected(answer.said), settlement.debt)
          : chargeSucceededStatements(ctx, charge, expected(answer.said), settlement)),
        ...settlement.also,
        ...extraWrites,
      ]);
      return { status: "succeeded", refundId: null, announced: settlement.announced };
    case "give_back":
      return await paidAndRefunded(ctx, charge, settlement, applying);
  }
}

/** Nothing changes but what the provider says went back, and what it cost. */
async function unchanged(
  ctx: Context,
  snapshot: SettlementSnapshot,
  also: BatchWrite[],
  { answer, extraWrites }: SettlementInputs,
): Promise<ChargeOutcome> {
  const { charge, back } = snapshot;
  const returned =
    answer.said && answer.said.refundedCents > 0 && back
      ? await externalRefundStatements(ctx, { ...snapshot, back }, answer.said)
      : null;
  await commit(ctx.db, [
    chargeAskedStatement(ctx, charge),
    ...(isUnpaid(charge.status) ? [] : chargeCostStatements(ctx, charge, answer.said)),
    ...also,
    ...(returned?.writes ?? []),
    ...extraWrites,
  ]);
  if (returned) logExternalRefund(ctx, returned);
  return { status: charge.status, refundId: null, announced: null, isBackKnown: back !== null };
}

/** Books the payment as the provider took it, and decides its refund, in the same batch. */
async function paidAndRefunded(
  ctx: Context,
  charge: Charge,
  settlement: Extract<Settlement, { kind: "give_back" }>,
  { answer, extraWrites }: SettlementInputs,
): Promise<ChargeOutcome> {
  const refundId = ctx.newId();
  const said = expected(answer.said);
  const taken = withCapturedAmount(charge, said.amountCents);
  await commit(ctx.db, [
    ...chargeSucceededStatements(ctx, taken, said, { isRenewal: false }),
    ...settlement.also,
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
 * A refusal of a charge that moved on while it was on its way, whatever it pays for, says nothing
 * of it: its kind is asked as where nothing was heard.
 */
const unlessTooLate = (charge: Charge, answer: ProviderAnswer): ProviderAnswer =>
  answer.refusedCode !== undefined && !isAwaitingPayment(charge.status) ? { said: null } : answer;

/** A paid decision is only ever made from an answer of the provider. */
function expected(said: ProviderCharge | null): ProviderCharge {
  if (!said) throw new Error("a charge cannot be paid without the provider saying so");
  return said;
}
