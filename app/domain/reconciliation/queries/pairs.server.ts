import { and, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { transferredRefundsSql } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { PayoutStatus } from "#app/domain/payouts/schema.ts";
import type {
  OurCharge,
  OurDispute,
  OurRefund,
  OurTransfer,
} from "#app/domain/reconciliation/rules/compare.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges, disputes, refundTransfers, refunds } from "#drizzle/schema/payments.ts";
import { payouts } from "#drizzle/schema/payouts.ts";

/**
 * A page of a provider's list, whose objects are looked up by the provider's id or by our
 * reference.
 */
export type ListedPage = {
  provider: string;
  items: readonly { id: string; reference?: string | null }[];
};

export type MatchedRow = { id: string; providerId: string | null; movedAt: Instant };
export type MatchedCharge = OurCharge & MatchedRow;
export type MatchedRefund = OurRefund & MatchedRow;
/** `isRefund`: it pays a refund to a payer, not a payout to a seller. */
export type MatchedTransfer = OurTransfer & MatchedRow & { isRefund: boolean };
export type MatchedDispute = OurDispute & MatchedRow;

export const isInSql = (column: SQLiteColumn, values: readonly string[]): SQL =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
export const listedIds = ({ items }: ListedPage): string[] => items.map(({ id }) => id);
export const listedReferences = ({ items }: ListedPage): string[] =>
  items.flatMap(({ reference }) => (reference ? [reference] : []));

/**
 * Matches by the provider's id before our reference. So each of two objects under one reference is
 * compared with its own row, if it has one.
 */
export function preferProviderId<Row extends MatchedRow>(
  { items }: ListedPage,
  rows: readonly Row[],
): Map<string, Row> {
  const rowsByProviderId = new Map(rows.map((row) => [row.providerId, row]));
  const ours = new Map(rows.map((row) => [row.id, row]));
  return new Map(
    items.flatMap(({ id, reference }) => {
      const row = rowsByProviderId.get(id) ?? ours.get(reference ?? "");
      return row ? [[id, row] as const] : [];
    }),
  );
}

// `charges.id` is written out. Drizzle omits the table name in a query with one table, and SQLite
// would read it as the refund's own id.
const WAITING_CENTS = sql<Cents>`(SELECT COALESCE(SUM(waiting.amount_cents), 0) FROM refunds waiting WHERE waiting.charge_id = charges.id AND waiting.status = 'requested')`;

const SENT_CENTS = transferredRefundsSql(sql`charges.id`);

function chargeRows(ctx: Context, where: SQL | undefined) {
  return ctx.db
    .select({
      id: charges.id,
      providerId: charges.providerChargeId,
      status: sql<ChargeStatus>`${charges.status}`.as("charge_status"),
      amountCents: charges.amountCents,
      refundedCents: sql<Cents>`${charges.refundedCents} - ${SENT_CENTS}`.as("back_cents"),
      waitingCents: WAITING_CENTS.as("waiting_cents"),
      costCents: charges.costCents,
      isDebited: sql<number>`${charges.debitOn} IS NOT NULL`.as("is_debited"),
      movedAt: charges.askedAt,
    })
    .from(charges)
    .where(where);
}

/** Loads our charges for a page, by the provider's id. One round trip. */
export async function matchCharges(
  ctx: Context,
  listed: ListedPage,
): Promise<Map<string, MatchedCharge>> {
  const isTheirs = eq(charges.provider, listed.provider);
  const [byProviderId, byOurId] = await ctx.db.batch([
    chargeRows(ctx, and(isTheirs, isInSql(charges.providerChargeId, listedIds(listed)))),
    chargeRows(ctx, and(isTheirs, isInSql(charges.id, listedReferences(listed)))),
  ]);
  return preferProviderId(
    listed,
    [...byOurId, ...byProviderId].map((row) => ({ ...row, isDebited: Boolean(row.isDebited) })),
  );
}

/** Loads one charge of ours for comparison. */
export async function chargeForComparison(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<MatchedCharge | null> {
  const [row] = await chargeRows(ctx, eq(charges.id, chargeId));
  return row ? { ...row, isDebited: Boolean(row.isDebited) } : null;
}

/**
 * Loads our refunds for a page, by the provider's id. Each was requested under our own id. A refund
 * by Pix is a transfer instead.
 */
export async function matchRefunds(
  ctx: Context,
  listed: ListedPage,
): Promise<Map<string, MatchedRefund>> {
  const rows = await ctx.db
    .select({
      id: refunds.id,
      providerId: refunds.providerRefundId,
      status: refunds.status,
      amountCents: refunds.amountCents,
      costCents: refunds.costCents,
      movedAt: sql<Instant>`COALESCE(${refunds.settledAt}, ${refunds.createdAt})`.as("moved_at"),
    })
    .from(refunds)
    .innerJoin(charges, eq(charges.id, refunds.chargeId))
    .where(
      and(
        isInSql(refunds.id, listedReferences(listed)),
        eq(charges.provider, listed.provider),
        sql`NOT EXISTS (SELECT 1 FROM refund_transfers sent WHERE sent.refund_id = ${refunds.id})`,
      ),
    );
  return preferProviderId(listed, rows);
}

/**
 * Loads our payouts and refund transfers for a page, by the provider's id of the transfer. One
 * round trip.
 */
export async function matchTransfers(
  ctx: Context,
  listed: ListedPage,
): Promise<Map<string, MatchedTransfer>> {
  const [ids, references] = [listedIds(listed), listedReferences(listed)];
  const isPayout = eq(payouts.provider, listed.provider);
  const isRefund = eq(refundTransfers.provider, listed.provider);
  const [byOurId, byProviderId, refundsByOurId, refundsByProviderId] = await ctx.db.batch([
    payoutRows(ctx, and(isPayout, isInSql(payouts.id, references))),
    payoutRows(ctx, and(isPayout, isInSql(payouts.providerTransferId, ids))),
    refundTransferRows(ctx, and(isRefund, isInSql(refundTransfers.id, references))),
    refundTransferRows(ctx, and(isRefund, isInSql(refundTransfers.providerTransferId, ids))),
  ]);
  return preferProviderId(listed, [
    ...[...byOurId, ...byProviderId].map((row) => ({ ...row, isRefund: false })),
    ...[...refundsByOurId, ...refundsByProviderId].map((row) => ({ ...row, isRefund: true })),
  ]);
}

function payoutRows(ctx: Context, where: SQL | undefined) {
  return ctx.db
    .select({
      id: payouts.id,
      providerId: payouts.providerTransferId,
      status: sql<PayoutStatus>`${payouts.status}`.as("payout_status"),
      amountCents: payouts.amountCents,
      costCents: payouts.costCents,
      movedAt: sql<Instant>`COALESCE(${payouts.askedAt}, ${payouts.requestedAt})`.as("moved_at"),
    })
    .from(payouts)
    .where(where);
}

/** Statement of refund transfers. One that is not claimed counts as requested, like a payout. */
function refundTransferRows(ctx: Context, where: SQL | undefined) {
  return ctx.db
    .select({
      id: refundTransfers.id,
      providerId: refundTransfers.providerTransferId,
      status:
        sql<PayoutStatus>`CASE WHEN ${refundTransfers.status} IN ('awaiting_key', 'ready') THEN 'requested' ELSE ${refundTransfers.status} END`.as(
          "transfer_status",
        ),
      amountCents: refundTransfers.amountCents,
      costCents: refundTransfers.costCents,
      movedAt:
        sql<Instant>`COALESCE(${refundTransfers.settledAt}, ${refundTransfers.keyGivenAt}, ${refundTransfers.createdAt})`.as(
          "moved_at",
        ),
    })
    .from(refundTransfers)
    .where(where);
}

/**
 * Loads our disputes for a page, by the provider's id. One round trip.
 *
 * The disputed amount has two parts: what the seller answers for, and what is in transit for a
 * refund transfer. The provider knows nothing of the transfer, so both count. If the seller
 * refunded everything, the part in transit is a dispute of its own.
 */
export async function matchDisputes(
  ctx: Context,
  listed: ListedPage,
): Promise<Map<string, MatchedDispute>> {
  const ids = listedIds(listed);
  const [rows, quarantined] = await ctx.db.batch([
    disputeRows(ctx, listed.provider, ids),
    quarantinedRows(ctx, listed.provider, ids),
  ]);
  const rowsByProviderId = new Map<string | null, MatchedDispute>(
    rows.map((row) => [row.providerId, row]),
  );
  for (const row of quarantined) {
    const { amountCents = 0, ...answered } = rowsByProviderId.get(row.providerId) ?? {};
    rowsByProviderId.set(row.providerId, {
      ...row,
      ...answered,
      amountCents: amountCents + row.amountCents,
    });
  }
  return preferProviderId(listed, [...rowsByProviderId.values()]);
}

function disputeRows(ctx: Context, provider: string, ids: string[]) {
  return ctx.db
    .select({
      id: disputes.id,
      providerId: sql<string | null>`${disputes.providerDisputeId}`.as("provider_id"),
      status: disputes.status,
      amountCents: disputes.amountCents,
      costCents: disputes.costCents,
      movedAt: sql<Instant>`COALESCE(${disputes.settledAt}, ${disputes.createdAt})`.as("moved_at"),
    })
    .from(disputes)
    .where(and(eq(disputes.provider, provider), isInSql(disputes.providerDisputeId, ids)));
}

function quarantinedRows(ctx: Context, provider: string, ids: string[]) {
  return ctx.db
    .select({
      id: refundTransfers.id,
      providerId: refundTransfers.disputedBy,
      status: sql<
        OurDispute["status"]
      >`CASE WHEN ${refundTransfers.heldBy} IS NOT ${refundTransfers.disputedBy} THEN 'won' WHEN ${refundTransfers.status} = 'canceled' THEN 'lost' ELSE 'open' END`.as(
        "dispute_status",
      ),
      amountCents: refundTransfers.amountCents,
      movedAt:
        sql<Instant>`COALESCE(${refundTransfers.settledAt}, ${refundTransfers.keyGivenAt}, ${refundTransfers.createdAt})`.as(
          "moved_at",
        ),
    })
    .from(refundTransfers)
    .innerJoin(charges, eq(charges.id, refundTransfers.chargeId))
    .where(and(eq(charges.provider, provider), isInSql(refundTransfers.disputedBy, ids)));
}
