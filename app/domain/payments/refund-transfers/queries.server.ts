import { and, asc, desc, eq, inArray, isNull, lt, lte, ne, or, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { formatPublicTaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { payoutBlockingChecksStatement } from "#app/domain/audit/queries/checks.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { toChargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import {
  isKeyReminderDue,
  isKeyOfAnotherOwner,
  OPEN_TRANSFERS,
  KEY_REMINDERS_LIMIT,
} from "./rules.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { billingDetails } from "#drizzle/schema/billing.ts";
import { charges, refundTransfers } from "#drizzle/schema/payments.ts";
import { refundTotalsColumns } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { RefundTotals } from "#app/domain/payments/charges/queries/charge-funds.server.ts";

const PURPOSE = "coreto refund key 1";
const PAYER_PURPOSE = "coreto refund payer 1";

export type RefundTransfer = typeof refundTransfers.$inferSelect;

const isOpen = inArray(refundTransfers.status, [...OPEN_TRANSFERS]);

export async function refundTransferRow(
  ctx: Context,
  { transferId }: { transferId: string },
): Promise<RefundTransfer | null> {
  const [row] = await ctx.db
    .select()
    .from(refundTransfers)
    .where(eq(refundTransfers.id, transferId))
    .limit(1);
  return row ?? null;
}

/** A refund transfer and the charge that it refunds. */
export type RefundTransferSnapshot = { transfer: RefundTransfer; charge: Charge };

/** Loads a refund transfer in one statement; null when no such transfer exists. */
export async function loadRefundTransferSnapshot(
  ctx: Context,
  { transferId }: { transferId: string },
): Promise<RefundTransferSnapshot | null> {
  const [row] = await ctx.db
    .select({ transfer: refundTransfers, charge: charges })
    .from(refundTransfers)
    .innerJoin(charges, eq(charges.id, refundTransfers.chargeId))
    .where(eq(refundTransfers.id, transferId))
    .limit(1);
  return row ? { transfer: row.transfer, charge: toChargeRow(row.charge) } : null;
}

/** All that decides whether a transfer may be sent, read at one moment. */
export type RefundTransferToSend = RefundTransferSnapshot & {
  refundTotals: RefundTotals;
  /** A ledger invariant is broken, and no transfer is sent. */
  isHeldByBooks: boolean;
};

/** Loads transfers to send by id, in one round trip. Missing ones are left out. */
export async function loadRefundTransfersToSend(
  ctx: Context,
  { transferIds }: { transferIds: readonly string[] },
): Promise<ReadonlyMap<string, RefundTransferToSend>> {
  const [rows, holding] = await ctx.db.batch([
    ctx.db
      .select({ transfer: refundTransfers, charge: charges, ...refundTotalsColumns })
      .from(refundTransfers)
      .innerJoin(charges, eq(charges.id, refundTransfers.chargeId))
      .where(inArray(refundTransfers.id, [...transferIds])),
    payoutBlockingChecksStatement(ctx),
  ]);
  return new Map(
    rows.map(({ transfer, charge, ...refundTotals }) => [
      transfer.id,
      { transfer, charge: toChargeRow(charge), refundTotals, isHeldByBooks: holding.length > 0 },
    ]),
  );
}

/** Loads the open transfer of a refund, or the last one; null for a refund made by its provider. */
export async function latestTransferOfRefund(
  ctx: Context,
  { refundId }: { refundId: string },
): Promise<RefundTransfer | null> {
  const [row] = await ctx.db
    .select()
    .from(refundTransfers)
    .where(eq(refundTransfers.refundId, refundId))
    .orderBy(desc(refundTransfers.createdAt), desc(refundTransfers.id))
    .limit(1);
  return row ?? null;
}

/**
 * Lists transfers with a key that must be sent or confirmed, oldest first. Leaves out held ones and
 * those that state why they wait.
 */
export async function dueRefundTransfers(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: refundTransfers.id })
    .from(refundTransfers)
    .where(
      and(
        isOpen,
        ne(refundTransfers.status, "awaiting_key"),
        isNull(refundTransfers.heldBy),
        isNull(refundTransfers.failureCode),
        or(isNull(refundTransfers.readyFrom), lte(refundTransfers.readyFrom, ctx.now())),
        isRetryDue(ctx, refundTransfers.id),
      ),
    )
    .orderBy(asc(refundTransfers.createdAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Lists transfers whose payer is due a reminder, oldest first. */
export async function dueRefundKeyReminders(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const now = ctx.now();
  const rows = await ctx.db
    .select({
      id: refundTransfers.id,
      remindersCount: refundTransfers.remindersCount,
      createdAt: refundTransfers.createdAt,
    })
    .from(refundTransfers)
    .where(
      and(
        isOpen,
        eq(refundTransfers.status, "awaiting_key"),
        isNull(refundTransfers.heldBy),
        isNull(refundTransfers.failureCode),
        lt(refundTransfers.remindersCount, KEY_REMINDERS_LIMIT),
        lt(refundTransfers.createdAt, now - DAY_MS),
        isDueSql(now),
        isRetryDue(ctx, refundTransfers.id, "key_reminder"),
      ),
    )
    .orderBy(asc(refundTransfers.createdAt))
    .limit(limit);
  return rows.filter((row) => isKeyReminderDue(row, now)).map(({ id }) => id);
}

/** The days of `isKeyReminderDue` in SQL, so that rows not due do not fill a page. */
const isDueSql = (now: number) =>
  sql`${refundTransfers.createdAt} <= ${now} - CASE ${refundTransfers.remindersCount} WHEN 0 THEN 7 WHEN 1 THEN 30 ELSE 90 END * ${DAY_MS}`;

/** Loads the CPF or CNPJ of a person's billing details; null if there is none. */
export async function payerTaxId(
  ctx: Context,
  { payerId }: { payerId: string },
): Promise<TaxId | null> {
  const [row] = await ctx.db
    .select({ taxKind: billingDetails.taxKind, taxId: billingDetails.taxId })
    .from(billingDetails)
    .where(eq(billingDetails.personId, payerId))
    .limit(1);
  return row ?? null;
}

const payerText = (refundId: string, { taxKind, taxId }: TaxId): string =>
  [refundId, taxKind, taxId].join("\n");

/**
 * Computes the digest that recognizes a payer's tax id without storing it. It is of one refund, and
 * useless without our secret.
 */
export const payerDigest = async (
  ctx: Context,
  { refundId, owner }: { refundId: string; owner: TaxId },
): Promise<string> => await ctx.signer.sign(PAYER_PURPOSE, payerText(refundId, owner));

/**
 * Reports whether a key is not the payer's tax id: that of their billing details, or of the saved
 * digest after their account is erased. If neither exists, any key is accepted.
 */
export async function isForeignRefundKey(
  ctx: Context,
  { refundId, payerId, key }: { refundId: string; payerId: string; key: TaxId },
): Promise<boolean> {
  const owner = await payerTaxId(ctx, { payerId });
  if (owner) return isKeyOfAnotherOwner(key, owner);
  const digest = (await latestTransferOfRefund(ctx, { refundId }))?.payerDigest ?? null;
  return (
    digest !== null &&
    !(await ctx.signer.isGenuine(PAYER_PURPOSE, payerText(refundId, key), digest))
  );
}

/** Builds the path of the page where the payer gives a key. Only the payer gets it, also by e-mail. */
export async function refundKeyPath(
  ctx: Context,
  { refundId }: { refundId: string },
): Promise<string> {
  return `/refund/${refundId}/${await ctx.signer.sign(PURPOSE, refundId)}`;
}

export type RefundKeyPage = {
  refundId: string;
  payerId: string;
  status: RefundTransfer["status"];
  amountCents: Cents;
  description: string;
  /** A Pix to the given key failed or was returned. */
  hasFailed: boolean;
  isHeld: boolean;
  /** The billing tax id, or the key given here, masked for anyone who has the e-mail. */
  keyShown: string | null;
  ownerShown: string | null;
  /** Only the payer's own number is accepted, even where it can no longer be shown. */
  isOwnerKnown: boolean;
};

/**
 * Loads the page of a signed address. Null for a signature that is not ours, and for a refund made
 * by its provider.
 */
export async function refundKeyPage(
  ctx: Context,
  { refundId, signature }: { refundId: string; signature: string },
): Promise<RefundKeyPage | null> {
  if (!(await ctx.signer.isGenuine(PURPOSE, refundId, signature))) return null;
  const rows = await ctx.db
    .select({
      transfer: refundTransfers,
      description: charges.description,
      taxKind: billingDetails.taxKind,
      taxId: billingDetails.taxId,
    })
    .from(refundTransfers)
    .innerJoin(charges, eq(charges.id, refundTransfers.chargeId))
    .leftJoin(billingDetails, eq(billingDetails.personId, refundTransfers.payerId))
    .where(eq(refundTransfers.refundId, refundId))
    .orderBy(desc(refundTransfers.createdAt), desc(refundTransfers.id))
    .limit(2);
  const [last, before] = rows;
  if (!last) return null;
  const {
    id: _,
    pixKeyKind,
    pixKey,
    heldBy,
    payerId,
    status,
    amountCents,
    payerDigest: digest,
  } = last.transfer;
  return {
    refundId,
    payerId,
    status,
    amountCents,
    description: last.description,
    hasFailed: before !== undefined,
    isHeld: heldBy !== null,
    keyShown:
      pixKeyKind !== null && pixKey !== null
        ? formatPublicTaxId({ taxKind: pixKeyKind, taxId: pixKey })
        : null,
    ownerShown:
      last.taxKind !== null && last.taxId !== null
        ? formatPublicTaxId({ taxKind: last.taxKind, taxId: last.taxId })
        : null,
    isOwnerKnown: last.taxId !== null || digest !== null,
  };
}
