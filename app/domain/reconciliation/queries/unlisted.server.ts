import { and, asc, eq, gt, isNotNull, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import { charges, refundTransfers, refunds } from "#drizzle/schema/payments.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { reconciliationSightings } from "#drizzle/schema/reconciliation.ts";

/**
 * Our objects that a run's provider did not list: ids from `after` until before `until`, oldest
 * first.
 */
export type UnlistedRequest = {
  runId: string;
  provider: string;
  after: string;
  until: string;
  limit: number;
};
export type UnlistedRow = { id: string; providerId: string };
/** The kinds of listed objects that a run stores. */
export type RunSighting = (typeof reconciliationSightings.$inferSelect)["object"];

/**
 * Written so that SQLite finds the rows by the times in their ids. By any other index a run would
 * read everything that a provider ever did.
 */
export const idRangeSql = (column: SQLiteColumn, ...values: readonly string[]): SQL =>
  sql`+${column} IN (${sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  )})`;

export const isUnlistedSql = (object: RunSighting, id: SQLiteColumn, runId: string): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${reconciliationSightings} WHERE ${reconciliationSightings.runId} = ${runId} AND ${reconciliationSightings.object} = ${object} AND ${reconciliationSightings.objectId} = ${id})`;

/** Lists paid charges that the provider did not list. */
export async function unlistedCharges(
  ctx: Context,
  { runId, provider, after, until, limit }: UnlistedRequest,
): Promise<UnlistedRow[]> {
  return await ctx.db
    .select({
      id: charges.id,
      providerId: sql<string>`${charges.providerChargeId}`.as("provider_id"),
    })
    .from(charges)
    .where(
      and(
        gt(charges.id, after),
        lt(charges.id, until),
        idRangeSql(charges.provider, provider),
        isNotNull(charges.succeededAt),
        isNotNull(charges.providerChargeId),
        isUnlistedSql("charge", charges.providerChargeId, runId),
      ),
    )
    .orderBy(asc(charges.id))
    .limit(limit);
}

/** Lists refunds that we count as succeeded and that the provider did not list. */
export async function unlistedRefunds(
  ctx: Context,
  { runId, provider, after, until, limit }: UnlistedRequest,
): Promise<UnlistedRow[]> {
  return await ctx.db
    .select({
      id: refunds.id,
      providerId: sql<string>`${refunds.providerRefundId}`.as("provider_id"),
    })
    .from(refunds)
    .innerJoin(charges, eq(charges.id, refunds.chargeId))
    .where(
      and(
        gt(refunds.id, after),
        lt(refunds.id, until),
        idRangeSql(charges.provider, provider),
        idRangeSql(refunds.status, "succeeded"),
        isNotNull(refunds.providerRefundId),
        isUnlistedSql("refund", refunds.providerRefundId, runId),
      ),
    )
    .orderBy(asc(refunds.id))
    .limit(limit);
}

/**
 * Lists payouts and refund transfers that we count as sent or paid and that the provider did not
 * list.
 */
export async function unlistedTransfers(
  ctx: Context,
  { runId, provider, after, until, limit }: UnlistedRequest,
): Promise<UnlistedRow[]> {
  const left = ["sent", "paid"] as const;
  const [sold, back] = await ctx.db.batch([
    ctx.db
      .select({
        id: payouts.id,
        providerId: sql<string>`${payouts.providerTransferId}`.as("provider_id"),
      })
      .from(payouts)
      .where(
        and(
          gt(payouts.id, after),
          lt(payouts.id, until),
          idRangeSql(payouts.provider, provider),
          idRangeSql(payouts.status, ...left),
          isNotNull(payouts.providerTransferId),
          isUnlistedSql("transfer", payouts.providerTransferId, runId),
        ),
      )
      .orderBy(asc(payouts.id))
      .limit(limit),
    ctx.db
      .select({
        id: refundTransfers.id,
        providerId: sql<string>`${refundTransfers.providerTransferId}`.as("provider_id"),
      })
      .from(refundTransfers)
      .where(
        and(
          gt(refundTransfers.id, after),
          lt(refundTransfers.id, until),
          idRangeSql(refundTransfers.provider, provider),
          idRangeSql(refundTransfers.status, ...left),
          isNotNull(refundTransfers.providerTransferId),
          isUnlistedSql("transfer", refundTransfers.providerTransferId, runId),
        ),
      )
      .orderBy(asc(refundTransfers.id))
      .limit(limit),
  ]);
  return [...sold, ...back].toSorted((one, other) => (one.id < other.id ? -1 : 1)).slice(0, limit);
}
