import { asc, eq } from "drizzle-orm";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { giveRefundKey } from "#app/domain/payments/refund-transfers/commands/refund-transfers.server.ts";
import { sendRefundTransfer } from "#app/domain/payments/refund-transfers/commands/send-refund-transfer.server.ts";
import { settleRefundTransfer } from "#app/domain/payments/refund-transfers/commands/settle-refund-transfer.server.ts";
import { refundKeyPath } from "#app/domain/payments/refund-transfers/queries.server.ts";
import type { RefundTransfer } from "#app/domain/payments/refund-transfers/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { DAY_MS, SECOND_MS } from "#app/domain/time.ts";
import { ledgerAccounts } from "#drizzle/schema/ledger.ts";
import { localMails } from "#drizzle/schema/mail.ts";
import { refundTransfers } from "#drizzle/schema/payments.ts";
import type { World } from "./context.ts";
import { createPerson, createSeller } from "./people.ts";
import type { Seller, TestPerson } from "./people.ts";
import { paidTip } from "./tips.ts";

/** Pix keys of the sandbox: transfers to them succeed, fail, or are returned a day later. */
export const GOOD_KEY = { taxKind: "cpf", taxId: "52998224725" } as const;
export const FAILING_KEY = { taxKind: "cpf", taxId: "98765432100" } as const;
export const RETURNING_KEY = { taxKind: "cpf", taxId: "39053344705" } as const;

/**
 * Adds a tip to another seller. The provider deducts its cost from every charge, so its balance
 * would not cover a full refund otherwise.
 */
async function spared(world: World): Promise<void> {
  await paidTip(world, await createPerson(world.ctx, "Dora"), await createSeller(world.ctx));
}

/** A Pix tip of R$ 20,00 that is 91 days old, too old for the provider to refund. */
export async function expiredTip(
  world: World,
  giver: TestPerson,
  creator: Seller,
): Promise<Charge> {
  await spared(world);
  const { charge } = await paidTip(world, giver, creator);
  await world.advance(91 * DAY_MS);
  return charge;
}

/** The same tip with backdated rows, for routes that use the wall clock. */
export async function backdatedTip(
  world: World,
  giver: TestPerson,
  creator: Seller,
): Promise<Charge> {
  await spared(world);
  const { charge } = await paidTip(world, giver, creator);
  const at = world.ctx.now() - 91 * DAY_MS;
  await world.env.DB.prepare("UPDATE charges SET created_at = ?1, succeeded_at = ?1 WHERE id = ?2")
    .bind(at, charge.id)
    .run();
  await world.env.PSP_DB.prepare("UPDATE charges SET succeeded_at = ?1 WHERE id = ?2")
    .bind(at, charge.providerChargeId)
    .run();
  return charge;
}

/** Refunds a charge, which then waits for the payer's Pix key. Returns the refund's id. */
export async function openRefundTransfer(
  world: World,
  charge: Charge,
  amountCents = charge.amountCents,
): Promise<string> {
  const refundId = world.ctx.newId();
  const done = await refundCharge(world.ctx, {
    sellerId: charge.creatorId,
    decidedBy: charge.creatorId,
    chargeId: charge.id,
    refundId,
    amountCents,
    reason: "",
  });
  if (done !== "awaiting_key") throw new Error(`the refund is ${done}`);
  return refundId;
}

export async function signatureOf(world: World, refundId: string): Promise<string> {
  return (await refundKeyPath(world.ctx, { refundId })).split("/").at(-1) ?? "";
}

/** Gives the payer's refund key, with the signature of the link in their email. */
export async function giveKey(
  world: World,
  refundId: string,
  key: Parameters<typeof giveRefundKey>[1]["key"] = GOOD_KEY,
): Promise<{ transferId: string }> {
  return await giveRefundKey(world.ctx, {
    refundId,
    signature: await signatureOf(world, refundId),
    key,
  });
}

/** Every transfer of a refund, oldest first. */
export async function transferTriesOf(world: World, refundId: string): Promise<RefundTransfer[]> {
  return await world.ctx.db
    .select()
    .from(refundTransfers)
    .where(eq(refundTransfers.refundId, refundId))
    .orderBy(asc(refundTransfers.createdAt), asc(refundTransfers.id));
}

/** Ledger balance reserved for the refund transfer, in centavos. */
export async function pendingTransferCents(world: World, refundId: string): Promise<number> {
  const [account] = await world.ctx.db
    .select({ cents: ledgerAccounts.balanceCents })
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.id, `refund_in_transit:${refundId}`));
  return Math.abs(account?.cents ?? 0);
}

/** What the provider sent for a refund, in centavos. Excludes failed and returned transfers. */
export async function sentCentsAtProvider(world: World, refundId: string): Promise<number> {
  const ids = JSON.stringify((await transferTriesOf(world, refundId)).map(({ id }) => id));
  const row = await world.env.PSP_DB.prepare(
    "SELECT COALESCE(SUM(amount_cents), 0) AS cents FROM transfers WHERE status IN ('processing', 'paid') AND reference IN (SELECT value FROM json_each(?))",
  )
    .bind(ids)
    .first<{ cents: number }>();
  return row?.cents ?? 0;
}

/** All emails to a person. */
export async function emailsTo(
  world: World,
  { email }: TestPerson,
): Promise<{ subject: string; body: string }[]> {
  return await world.ctx.db
    .select({ subject: localMails.subject, body: localMails.body })
    .from(localMails)
    .where(eq(localMails.recipient, email));
}

/** Status of every transfer of a refund, oldest first. */
export const statusesOf = async (world: World, refundId: string) =>
  (await transferTriesOf(world, refundId)).map(({ status }) => status);

/** Waits until the bank has answered the transfer, and settles it. */
export async function bankAnswers(world: World, transferId: string): Promise<void> {
  await world.advance(2 * SECOND_MS);
  await settleRefundTransfer(world.ctx, { transferId });
}

/** Gives the refund key, sends the transfer and settles it. */
export async function sendRefundTransferTo(
  world: World,
  refundId: string,
  key: Parameters<typeof giveKey>[2] = GOOD_KEY,
): Promise<void> {
  const { transferId } = await giveKey(world, refundId, key);
  await sendRefundTransfer(world.ctx, { transferId });
  await bankAnswers(world, transferId);
}
