import { commit } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { ProviderUnclear } from "#app/domain/payments/errors.ts";
import {
  chargeByProviderId,
  chargeRow,
  unconfirmedRefunds,
} from "#app/domain/payments/queries.server.ts";
import type { Charge, PurchaseSnapshot } from "#app/domain/payments/purchase-handlers/schema.ts";
import { disputeSnapshot } from "#app/domain/payments/disputes/queries.server.ts";
import type { DisputeSnapshot } from "#app/domain/payments/disputes/queries.server.ts";
import { isDisputeLoss, isUnpaid, remainingCents } from "#app/domain/payments/rules.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import {
  UNCONFIRMED_TRANSFERS,
  OPEN_TRANSFERS,
} from "#app/domain/payments/refund-transfers/rules.ts";
import type { ProviderDispute } from "#app/domain/payments/schema.ts";
import {
  disputeCostStatements,
  disputeDecidedStatements,
  disputeOpenedStatements,
  disputeStageStatements,
  chargeWithoutDispute,
} from "./disputes.server.ts";
import { handlerOf } from "#app/domain/payments/purchase-handlers/commands.server.ts";
import {
  disputeDecidedTransferStatements,
  disputedTransferStatements,
} from "#app/domain/payments/refund-transfers/commands/refund-transfers.server.ts";
import { sendRefund } from "#app/domain/payments/refunds/commands/refunds.server.ts";
import { retryWithFreshSnapshot } from "#app/db/retry-on-conflict.ts";
import { settleCharge } from "#app/domain/payments/charges/commands/settle.server.ts";

/**
 * Result of applying a dispute. Any other than "applied" is the reason why its event is
 * quarantined; nothing was written.
 */
export type DisputeOutcome = "applied" | "unknown_charge" | "amount_differs";

export type DisputeUpdate = {
  provider: string;
  providerDisputeId: string;
  /** The provider's dispute. The provider is asked when it is not given. */
  providerDispute?: ProviderDispute;
  /** The snapshot that the caller just read. A fresh one is loaded if something changed meanwhile. */
  snapshot?: DisputeSnapshot;
  /** As in ChargeUpdate; written in the last batch. */
  extraWrites?: BatchWrite[];
};

/**
 * Applies the provider's status of a dispute or MED over all or part of what remains of a charge,
 * once. It is reserved when it opens. When lost it is refunded, and the purchase ends if nothing
 * remains. When won it becomes available again. Refund transfers of the charge wait for the
 * decision, and are not sent when it is lost. A dispute first seen when decided goes through both
 * steps. Throws ProviderUnclear while a refund that the provider accepted for the charge is
 * unconfirmed: the dispute covers the rest. Source: domain rules, "Ledger".
 */
export async function settleDispute(
  ctx: Context,
  { provider, providerDisputeId, extraWrites = [], ...update }: DisputeUpdate,
): Promise<DisputeOutcome> {
  const providerDispute =
    update.providerDispute ?? (await providerOf(ctx, { provider }).disputeById(providerDisputeId));
  const charge = update.snapshot?.charge ?? (await disputedCharge(ctx, provider, providerDispute));
  if (!charge) return "unknown_charge";
  const chargeId = charge.id;
  // A dispute may arrive before its payment, whose own webhook may be lost for good.
  const isEarly = isUnpaid(charge.status);
  if (isEarly) await settleCharge(ctx, { chargeId });
  const load = async () =>
    await disputeSnapshot(ctx, { chargeId, providerDisputeId: providerDispute.id });
  const snapshots = { given: isEarly ? null : (update.snapshot ?? null), load };
  const opened = await openedWithRefunds(ctx, {
    chargeId,
    providerDispute,
    snapshots,
    extraWrites: isDisputeLoss(providerDispute.status) ? [] : extraWrites,
  });
  if (opened.outcome !== "applied") return opened.outcome;
  // A dispute opened now has the provider's stage already, unless it is decided.
  if (opened.isNew && !isDisputeLoss(providerDispute.status)) return "applied";
  await retryWithFreshSnapshot({ given: opened.existing, load }, async (snapshot) => {
    const writes = snapshot ? await laterStatements(ctx, snapshot, providerDispute) : [];
    await commit(ctx.db, [...writes, ...extraWrites]);
  });
  return "applied";
}

/**
 * Finds the disputed charge. A charge whose creation got no answer is found by the reference that
 * we gave.
 */
async function disputedCharge(
  ctx: Context,
  provider: string,
  { chargeId: providerChargeId }: ProviderDispute,
): Promise<Charge | null> {
  const charge = await chargeByProviderId(ctx, { provider, providerChargeId });
  const reference = charge
    ? null
    : (await providerOf(ctx, { provider }).chargeById(providerChargeId)).reference;
  const disputed = reference === null ? charge : await chargeRow(ctx, { chargeId: reference });
  // A provider's event never applies to a charge of another provider.
  return disputed?.provider === provider ? disputed : null;
}

type DisputeOpening = {
  chargeId: string;
  providerDispute: ProviderDispute;
  snapshots: { given: DisputeSnapshot | null; load: () => Promise<DisputeSnapshot | null> };
  extraWrites: BatchWrite[];
};
/** `existing`: the snapshot of a dispute that was open before. `isNew`: it was opened now. */
type OpenedDispute = { outcome: DisputeOutcome; isNew: boolean; existing: DisputeSnapshot | null };

/**
 * Opens the dispute, with regard to refunds of ours. An amount below what remains may be a part, or
 * all beside an unconfirmed refund. The refund is then confirmed first, and the amounts are
 * compared again.
 */
async function openedWithRefunds(ctx: Context, opening: DisputeOpening): Promise<OpenedDispute> {
  const { given, load } = opening.snapshots;
  const open = (isPartTrusted: boolean, existing: DisputeSnapshot | null) =>
    retryWithFreshSnapshot({ given: existing, load }, (snapshot) =>
      openDispute(ctx, snapshot, opening, { isPartTrusted }),
    );
  const opened = await open(false, given);
  if (opened.outcome !== "amount_differs") return opened;
  for (const { id: refundId } of await unconfirmedRefunds(ctx, opening))
    await sendRefund(ctx, { refundId });
  const isStillTaking = (await unconfirmedRefunds(ctx, opening)).some(
    (refund) => refund.providerRefundId !== null,
  );
  const again = await open(!isStillTaking, null);
  if (again.outcome === "amount_differs" && isStillTaking)
    throw new ProviderUnclear("a refund of the disputed charge is not confirmed yet");
  return again;
}

async function openDispute(
  ctx: Context,
  snapshot: DisputeSnapshot | null,
  { providerDispute, extraWrites }: DisputeOpening,
  { isPartTrusted }: { isPartTrusted: boolean },
): Promise<OpenedDispute> {
  if (!snapshot) return { outcome: "unknown_charge", isNew: false, existing: null };
  const { charge, dispute } = snapshot;
  if (dispute || snapshot.transfers.some(({ disputedBy }) => disputedBy === providerDispute.id))
    return { outcome: "applied", isNew: false, existing: snapshot };
  const transfers = snapshot.transfers.filter(({ status }) => OPEN_TRANSFERS.includes(status));
  if (transfers.some(({ status }) => UNCONFIRMED_TRANSFERS.includes(status)))
    throw new ProviderUnclear("a refund of the disputed charge is on its way to who paid");
  const left = remainingCents(charge);
  const transfersCents = transfers.reduce((sum, { amountCents }) => sum + amountCents, 0);
  // A dispute covers all that remains with its refund transfers, or a part of what remains.
  // Anything else needs staff review.
  const isWhole = providerDispute.amountCents === left + transfersCents;
  const isPart =
    providerDispute.amountCents > 0 && providerDispute.amountCents <= left && isPartTrusted;
  if ((!isWhole && !isPart) || charge.succeededAt === null)
    return { outcome: "amount_differs", isNew: false, existing: null };
  const disputedCents = isWhole ? left : providerDispute.amountCents;
  await commit(ctx.db, [
    ...(disputedCents > 0
      ? disputeOpenedStatements(ctx, snapshot, { ...providerDispute, amountCents: disputedCents })
      : []),
    ...(isWhole
      ? disputedTransferStatements(ctx, transfers, { providerDisputeId: providerDispute.id })
      : []),
    ...extraWrites,
  ]);
  return { outcome: "applied", isNew: true, existing: null };
}

/** Builds the statements for an open dispute: decided, under review, or with a new deadline. */
async function laterStatements(
  ctx: Context,
  { charge, dispute, transfers, funds, othersOpen, purchase }: DisputeSnapshot,
  providerDispute: ProviderDispute,
): Promise<BatchWrite[]> {
  const cost = dispute ? disputeCostStatements(ctx, dispute, providerDispute) : [];
  if (!isDisputeLoss(providerDispute.status))
    return [...(dispute ? disputeStageStatements(ctx, dispute, providerDispute) : []), ...cost];
  const held = transfers.filter(
    ({ heldBy, status }) => heldBy === providerDispute.id && OPEN_TRANSFERS.includes(status),
  );
  const transferWrites = disputeDecidedTransferStatements(
    ctx,
    charge,
    held,
    providerDispute.status,
  );
  if (dispute?.status !== "open") return [...transferWrites, ...cost];
  return [
    ...transferWrites,
    ...disputeDecidedStatements(
      ctx,
      { charge, funds, dispute, othersOpen },
      providerDispute.status,
    ),
    ...(othersOpen > 0
      ? []
      : await purchaseStatements(
          ctx,
          providerDispute.status === "won" ? chargeWithoutDispute(charge, dispute) : charge,
          purchase,
        )),
    ...cost,
  ];
}

/**
 * Ends the purchase if nothing remains of its payment. A lost part does not end it, as a partial
 * refund does not.
 */
async function purchaseStatements(
  ctx: Context,
  decided: Charge,
  purchase: PurchaseSnapshot | null,
): Promise<BatchWrite[]> {
  const handler = handlerOf(ctx, decided);
  return remainingCents(decided) === 0
    ? await handler.endedStatements(ctx, decided, "dispute_lost", purchase)
    : ((await handler.disputePartlyWonStatements?.(ctx, decided, purchase)) ?? []);
}
