import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { holdingChecksStatement } from "#app/domain/ledger/queries/checks.server.ts";
import { refundTransferred, refundTransferReturned } from "#app/domain/ledger/rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { chargeRow, waitingRefundsCents } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/queries.server.ts";
import { refundTransferRow, transferredCents, transferStanding } from "#app/domain/payments/queries/refund-transfers.server.ts";
import type { RefundTransfer, TransferStanding } from "#app/domain/payments/queries/refund-transfers.server.ts";
import { madeBy } from "#app/domain/payments/rules/providers.ts";
import { asksForAnotherKey, transferSender, transferStatesBefore } from "#app/domain/payments/rules/refund-transfers.ts";
import type { ProviderTransfer } from "#app/domain/payments/schema.ts";
import { setBack, setBackStatement } from "#app/domain/setbacks/commands.server.ts";
import { refundTransfers } from "#drizzle/schema/payments.ts";
import { costStatements } from "./costs.server.ts";
import { keyAskedStatements, takenBackStatements, triedAgainStatements } from "./refund-transfers.server.ts";
import { rereading } from "./rereading.server.ts";

/**
 * Sends what was set aside for who paid to the key that they gave, under the transfer's own id: asking twice moves money once. Claimed, in a commit of its own,
 * before the provider hears of it; an unclear answer (ProviderUnclear) is thrown and asked about later. While the books are broken, while a bank fights over the
 * payment, or while the provider holds too little, nothing is sent. Source: domain rules, "Payouts"; decisions 0142 and 0169.
 */
export async function sendRefundTransfer(ctx: Context, { transferId }: { transferId: string }): Promise<void> {
  const known = await refundTransferRow(ctx, { transferId });
  if (!known || (known.status === "ready" && !(await claim(ctx, known)))) return;
  const transfer = await refundTransferRow(ctx, { transferId });
  if (transfer?.status === "sent") return await settleRefundTransfer(ctx, { transferId });
  if (transfer?.status !== "claimed" || transfer.provider === null || transfer.pixKey === null || transfer.pixKeyKind === null) return;
  if (await areBooksBroken(ctx, transferId)) return await settleRefundTransfer(ctx, { transferId });
  const { provider, amountCents, pixKeyKind, pixKey, keyGivenAt: readyAt } = transfer;
  try {
    await settleRefundTransfer(ctx, { transferId, said: await madeBy(ctx, { provider }).transfer({ payoutId: transferId, amountCents, pixKeyKind, pixKey, readyAt }) });
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    await settleRefundTransfer(ctx, { transferId, said: { id: "", reference: transferId, status: "failed", amountCents, failureCode: error.code } });
  }
}

/** Tried at once where who paid just gave the key; the payouts worker's cron goes on with it. */
export async function sendRefundTransferNow(ctx: Context, transfer: { transferId: string }): Promise<void> {
  try {
    await sendRefundTransfer(ctx, transfer);
  } catch (error) {
    if (!(error instanceof ProviderUnclear || error instanceof ProviderRefused)) throw error;
    ctx.log("payments.refund_transfer_unclear", transfer);
  }
}

/** Whether it may be sent now, and is claimed. Throws ProviderUnclear. */
async function claim(ctx: Context, transfer: RefundTransfer): Promise<boolean> {
  const { id: transferId, amountCents, heldBy, readyFrom } = transfer;
  if (readyFrom !== null && readyFrom > ctx.now()) return false;
  const charge = await chargeRow(ctx, transfer);
  if (!charge?.providerChargeId || heldBy !== null || (await areBooksBroken(ctx, transferId))) return false;
  if (await mayBeOutside(ctx, charge, charge.providerChargeId, transfer)) return false;
  const sender = transferSender(ctx.payments, charge);
  const hasEnough = sender !== null && (await sender.balance()).availableCents >= amountCents;
  if (!sender || !hasEnough) {
    ctx.log("payments.refund_transfer_waits", { transferId, because: sender ? "balance" : "no_provider" });
    await setBack(ctx, { subjectId: transferId });
    return false;
  }
  try {
    await commit(ctx.db, [
      exactlyOne(
        ctx.db
          .update(refundTransfers)
          .set({ status: "claimed", provider: sender.name })
          .where(and(eq(refundTransfers.id, transferId), eq(refundTransfers.status, "ready"), isNull(refundTransfers.heldBy))),
      ),
    ]);
    return true;
  } catch (error) {
    // Another run claimed it, or the bank's news came between.
    if (!(error instanceof StaleWrite)) throw error;
    return false;
  }
}

async function areBooksBroken(ctx: Context, transferId: string): Promise<boolean> {
  const isBroken = (await holdingChecksStatement(ctx)).length > 0;
  if (isBroken) ctx.log("payouts.held_by_books", { transferId });
  return isBroken;
}

/**
 * Whether somebody gave this very money back on the provider's own pages meanwhile: then it is not sent a second time. While another refund of the charge, which
 * the provider may count already, is under way nobody can tell: it waits for that one.
 */
async function mayBeOutside(ctx: Context, { id: chargeId, ...charge }: Charge, providerChargeId: string, transfer: RefundTransfer): Promise<boolean> {
  const { refundedCents } = await madeBy(ctx, charge).chargeById(providerChargeId);
  // Asked for before what is known: a refund confirmed in between counts twice, not as money that went outside.
  const waitingCents = await waitingRefundsCents(ctx, { chargeId });
  const sentCents = await transferredCents(ctx, { chargeId });
  const now = await chargeRow(ctx, { chargeId });
  if (!now || refundedCents - (now.refundedCents - sentCents) < transfer.amountCents) return false;
  if (waitingCents > 0) {
    ctx.log("payments.refund_transfer_waits", { transferId: transfer.id, because: "refund_under_way" });
    await setBack(ctx, { subjectId: transfer.id });
    return true;
  }
  await commit(ctx.db, takenBackStatements(ctx, now, transfer));
  ctx.log("payments.refund_transfer_needless", { transferId: transfer.id });
  return true;
}

type TransferNews = {
  transferId: string;
  said?: ProviderTransfer;
  /** The transfer and its charge where its caller has just read them: they are read again only when something moved meanwhile. */
  read?: TransferStanding;
  /** Written in the batch of whatever this changes, or by itself when that is nothing: the stamp of the delivery that told of it. */
  alongside?: Write[];
};

/** Brings a transfer to what its provider says of it, once; asks when not told. What came back, or failed for the key's sake, asks for another; what failed for the house's is tried again later. */
export async function settleRefundTransfer(ctx: Context, { transferId, said: told, read, alongside = [] }: TransferNews): Promise<void> {
  const known = read ?? (await transferStanding(ctx, { transferId }));
  if (!known?.transfer.provider) return await commit(ctx.db, alongside);
  const { providerTransferId, keyGivenAt } = known.transfer;
  const provider = madeBy(ctx, { provider: known.transfer.provider });
  const said = told ?? (providerTransferId ? await provider.transferById(providerTransferId) : await provider.transferByReference(transferId, { readyAt: keyGivenAt }));
  if (!said) return await commit(ctx.db, alongside);
  let standing: TransferStanding | null = known;
  await rereading(async () => {
    let now = standing ?? (await transferStanding(ctx, { transferId }));
    standing = null;
    // A transfer that came back was paid before, even if nobody told us.
    if (now && said.status === "returned" && transferStatesBefore("paid").includes(now.transfer.status)) {
      await commit(ctx.db, await settledStatements(ctx, now, { ...said, status: "paid" }));
      now = await transferStanding(ctx, { transferId });
    }
    await commit(ctx.db, [...(now ? await broughtStatements(ctx, now, said) : []), ...(said.status === "processing" ? [setBackStatement(ctx, { subjectId: transferId })] : []), ...alongside]);
  });
}

async function broughtStatements(ctx: Context, standing: TransferStanding, said: ProviderTransfer): Promise<Write[]> {
  const { id, provider, chargeId, costCents, status, providerTransferId } = standing.transfer;
  const cost = provider ? costStatements(ctx, { object: "transfer", id, provider, chargeId, knownCents: costCents, saidCents: said.costCents }) : [];
  if (transferStatesBefore(said.status).includes(status)) return [...(await settledStatements(ctx, standing, said)), ...cost];
  return providerTransferId === said.id ? cost : [];
}

async function settledStatements(ctx: Context, { transfer, charge }: TransferStanding, { id, status, failureCode }: ProviderTransfer): Promise<Write[]> {
  const now = ctx.now();
  if (transfer.provider === null) return [];
  const ref = { ...transfer, transferId: transfer.id, provider: transfer.provider };
  const moved = (values: Partial<typeof refundTransfers.$inferInsert>) =>
    exactlyOne(
      ctx.db
        .update(refundTransfers)
        .set({ ...values, providerTransferId: id || transfer.providerTransferId })
        .where(and(eq(refundTransfers.id, transfer.id), eq(refundTransfers.status, transfer.status), sql`${refundTransfers.payerDigest} IS ${transfer.payerDigest}`, inArray(refundTransfers.status, [...transferStatesBefore(status)]))),
    );
  const over = { settledAt: now, pixKey: null };
  // Who paid is known on the row that waits for them; one that is paid may still come back.
  const unsent = { ...over, payerDigest: null };
  const askedAgain = () => keyAskedStatements(ctx, charge, { ...transfer, isAgain: true });
  switch (status) {
    case "processing":
      return [moved({ status: "sent" })];
    case "paid":
      return [moved({ ...over, status: "paid" }), ...postingStatements(ctx, refundTransferred(ref)), paidAnnounced(ctx, charge, transfer)];
    case "failed":
      return [moved({ ...unsent, status: "failed", failureCode }), ...(transfer.pixKey === null || asksForAnotherKey(failureCode, transfer.refusals) ? await askedAgain() : triedAgainStatements(ctx, transfer))];
    case "returned":
      return [moved({ ...unsent, status: "returned", failureCode }), ...postingStatements(ctx, refundTransferReturned(ref)), ...(await askedAgain())];
  }
}

function paidAnnounced(ctx: Context, charge: Charge, { id, refundId, amountCents, payerId }: RefundTransfer): Write {
  return announce(ctx, `refund-transfer:${id}:paid`, { type: "refund.transferred", chargeId: charge.id, refundId, payerId, amountCents, description: charge.description });
}
