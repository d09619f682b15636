import { and, eq, isNotNull, sql } from "drizzle-orm";
import { isSale } from "./statement-filter.server.ts";
import type { CountedPayment } from "#app/domain/billing/statements/rules/statement.ts";
import type { TransactionKind } from "#app/domain/billing/schema.ts";
import type { Context } from "#app/domain/context.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { startOfDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { billingDetails } from "#drizzle/schema/billing.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

/** A sale with what its seller needs for an invoice. */
export type SaleRow = CountedPayment & {
  id: string;
  at: Instant;
  description: string;
  kind: TransactionKind;
  status: ChargeStatus;
  payerName: string;
  /**
   * The payer's name and tax id, if their billing details asked for invoices when they paid and
   * still do. Null otherwise: no seller sees them (LGPD, art. 6, III).
   */
  taker: ({ name: string } & TaxId) | null;
};

type SalesRequest = {
  creatorId: string;
  /** Days of São Paulo, both inclusive. */
  from: number | null;
  until: number | null;
};

/** Reads every sale of those days, oldest first, page by page, at most `most` of them. */
export async function* salesToInvoice(
  ctx: Context,
  { pageRows, most, ...asked }: SalesRequest & { pageRows: number; most: number },
): AsyncGenerator<SaleRow[]> {
  let after: { at: Instant; id: string } | null = null;
  for (let read = 0; read < most; read += pageRows) {
    const rows: SaleRow[] = await pageOfSales(ctx, {
      ...asked,
      after,
      limit: Math.min(pageRows, most - read),
    });
    if (rows.length > 0) yield rows;
    after = rows.length < pageRows ? null : (rows.at(-1) ?? null);
    if (after === null) return;
  }
}

async function pageOfSales(
  ctx: Context,
  {
    creatorId,
    from,
    until,
    after,
    limit,
  }: SalesRequest & { after: { at: Instant; id: string } | null; limit: number },
): Promise<SaleRow[]> {
  const at = sql<Instant>`${charges.succeededAt}`;
  const rows = await ctx.db
    .select({
      id: charges.id,
      at: at.as("paid_at"),
      description: charges.description,
      kind: sql<TransactionKind>`${charges.purchaseKind}`.as("kind"),
      status: sql<ChargeStatus>`${charges.status}`.as("state"),
      amountCents: charges.amountCents,
      feeCents: charges.feeCents,
      netCents: charges.netCents,
      refundedCents: charges.refundedCents,
      refundedFeeCents: charges.refundedFeeCents,
      disputedCents: charges.disputedCents,
      disputedFeeCents: charges.disputedFeeCents,
      payerName: profiles.name,
      takerName: sql<string | null>`${billingDetails.name}`.as("taker_name"),
      taxKind: billingDetails.taxKind,
      taxId: billingDetails.taxId,
    })
    .from(charges)
    .innerJoin(profiles, eq(profiles.personId, charges.payerId))
    .leftJoin(
      billingDetails,
      and(
        eq(billingDetails.personId, charges.payerId),
        sql`${billingDetails.forInvoicesAt} <= ${at}`,
      ),
    )
    .where(
      and(
        eq(charges.creatorId, creatorId),
        isSale,
        isNotNull(charges.succeededAt),
        from === null ? undefined : sql`${at} >= ${startOfDay(from)}`,
        until === null ? undefined : sql`${at} < ${startOfDay(until + 1)}`,
        after ? sql`(${at}, ${charges.id}) > (${after.at}, ${after.id})` : undefined,
      ),
    )
    .orderBy(sql`${at}`, charges.id)
    .limit(limit);
  return rows.map(({ takerName, taxKind, taxId, ...row }) => ({
    ...row,
    taker:
      takerName === null || taxKind === null || taxId === null
        ? null
        : { name: takerName, taxKind, taxId },
  }));
}
