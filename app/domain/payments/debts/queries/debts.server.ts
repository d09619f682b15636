import { and, desc, eq, gte, inArray, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { balanceOfKind, creatorBalanceRows } from "#app/domain/ledger/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { truncateList } from "#app/domain/page.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import { writeOffCutoff } from "#app/domain/payments/debts/rules.ts";
import type { DebtAge } from "#app/domain/payments/debts/rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { billingDetails } from "#drizzle/schema/billing.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { ledgerEntries, ledgerTransactions } from "#drizzle/schema/ledger.ts";
import { charges, writeOffs } from "#drizzle/schema/payments.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

const REASONS_SHOWN = 20;

export type DebtReason = {
  id: string;
  at: Instant;
  cents: Cents;
  kind: string;
  chargeId: string | null;
  description: string | null;
};

const openRows = (ctx: Context, personId: string) =>
  ctx.db
    .select({
      chargeId: charges.id,
      status: sql<ChargeStatus>`${charges.status}`,
      amountCents: charges.amountCents,
      expiresAt: charges.expiresAt,
      nextActionUrl: charges.nextActionUrl,
    })
    .from(charges)
    .where(
      and(
        eq(charges.payerId, personId),
        eq(charges.purchaseKind, "debt"),
        inArray(charges.status, ["created", "awaiting_payment", "requires_action", "processing"]),
      ),
    )
    .limit(1);

/**
 * Loads a creator's debt (centavos), its reasons, newest first, and the open code that pays it. One
 * round trip.
 */
export async function creatorDebt(ctx: Context, { creatorId }: { creatorId: string }) {
  const [balances, reasons, [open]] = await ctx.db.batch([
    creatorBalanceRows(ctx, { creatorId }),
    ctx.db
      .select({
        id: ledgerEntries.id,
        at: sql<Instant>`${ledgerEntries.postedAt}`.as("at"),
        cents: ledgerEntries.amountCents,
        kind: ledgerTransactions.kind,
        chargeId: ledgerTransactions.chargeId,
        description: charges.description,
      })
      .from(ledgerEntries)
      .innerJoin(ledgerTransactions, eq(ledgerTransactions.id, ledgerEntries.transactionId))
      .leftJoin(charges, eq(charges.id, ledgerTransactions.chargeId))
      .where(
        and(
          eq(ledgerEntries.accountId, `creator_owed:${creatorId}`),
          sql`${ledgerEntries.amountCents} > 0`,
        ),
      )
      .orderBy(desc(ledgerEntries.postedAt), desc(ledgerEntries.id))
      .limit(REASONS_SHOWN + 1),
    openRows(ctx, creatorId),
  ]);
  return {
    owedCents: balanceOfKind(balances, "creator_owed"),
    reasons: truncateList(reasons, REASONS_SHOWN),
    open: open ?? null,
  };
}

/** Loads what a debt payment by Pix needs: the debt, the open code and the payer. One round trip. */
export async function loadDebtPayment(ctx: Context, { creatorId }: { creatorId: string }) {
  const [balances, [open], [payer]] = await ctx.db.batch([
    creatorBalanceRows(ctx, { creatorId }),
    openRows(ctx, creatorId),
    ctx.db
      .select({
        name: profiles.name,
        taxId: sql<string | null>`COALESCE(${billingDetails.taxId}, ${documents.taxId})`.as(
          "payer_tax_id",
        ),
      })
      .from(profiles)
      .leftJoin(billingDetails, eq(billingDetails.personId, profiles.personId))
      .leftJoin(documents, eq(documents.personId, profiles.personId))
      .where(eq(profiles.personId, creatorId))
      .limit(1),
  ]);
  return {
    owedCents: balanceOfKind(balances, "creator_owed"),
    open: open ?? null,
    payer: payer ?? null,
  };
}

/** Counts the debt codes that a creator requested since `since`. */
export async function debtCodesCount(
  ctx: Context,
  { creatorId, since }: { creatorId: string; since: Instant },
): Promise<number> {
  return await ctx.db.$count(
    charges,
    and(
      eq(charges.payerId, creatorId),
      gte(charges.createdAt, since),
      eq(charges.purchaseKind, "debt"),
    ),
  );
}

/** Returns what a creator owes now (centavos). */
export async function creatorOwedCents(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<Cents> {
  return balanceOfKind(await creatorBalanceRows(ctx, { creatorId }), "creator_owed");
}

/**
 * Returns the overpaid part of a debt payment, which became the creator's own. Refunds already made
 * of it are deducted (centavos, never below zero).
 */
export const debtOverpaymentCents = ([row]: Awaited<
  ReturnType<typeof debtOverpaymentStatement>
>): Cents => Math.max(0, row?.cents ?? 0);

/**
 * Statement behind `debtOverpaymentCents`: what a charge left its creator to withdraw, by the
 * ledger. It can be built once.
 */
export const debtOverpaymentStatement = (
  { db }: Pick<Context, "db">,
  { chargeId, creatorId }: { chargeId: SQL<string>; creatorId: SQL<string> },
) =>
  db
    .select({ cents: sql<Cents>`COALESCE(-SUM(${ledgerEntries.amountCents}), 0)`.as("left_cents") })
    .from(ledgerTransactions)
    .innerJoin(
      ledgerEntries,
      and(
        eq(ledgerEntries.transactionId, ledgerTransactions.id),
        sql`+${ledgerEntries.accountId} = 'creator_available:' || ${creatorId}`,
      ),
    )
    .where(eq(ledgerTransactions.chargeId, chargeId));

/** Loads the age of a creator's debt, for `writeOffLimitCents`. */
export async function debtAge(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<DebtAge> {
  const before = writeOffCutoff(ctx.now());
  const [balances, [sums]] = await ctx.db.batch([
    creatorBalanceRows(ctx, { creatorId }),
    ctx.db
      .select({
        oldRaisedCents:
          sql<Cents>`COALESCE(SUM(CASE WHEN ${ledgerEntries.amountCents} > 0 AND ${ledgerEntries.postedAt} <= ${before} THEN ${ledgerEntries.amountCents} ELSE 0 END), 0)`.as(
            "old_raised",
          ),
        paidCents:
          sql<Cents>`COALESCE(-SUM(CASE WHEN ${ledgerEntries.amountCents} < 0 THEN ${ledgerEntries.amountCents} ELSE 0 END), 0)`.as(
            "paid",
          ),
      })
      .from(ledgerEntries)
      .where(eq(ledgerEntries.accountId, `creator_owed:${creatorId}`)),
  ]);
  return {
    owedCents: balanceOfKind(balances, "creator_owed"),
    oldRaisedCents: sums?.oldRaisedCents ?? 0,
    paidCents: sums?.paidCents ?? 0,
  };
}

/** Lists the write-offs of a creator's debt, newest first, with the moderator and the reason. */
export async function creatorWriteOffs(ctx: Context, { creatorId }: { creatorId: string }) {
  const rows = await ctx.db
    .select({
      id: writeOffs.id,
      amountCents: writeOffs.amountCents,
      reason: writeOffs.reason,
      at: writeOffs.createdAt,
      decidedByName: profiles.name,
    })
    .from(writeOffs)
    .leftJoin(profiles, eq(profiles.personId, writeOffs.decidedBy))
    .where(eq(writeOffs.creatorId, creatorId))
    .orderBy(desc(writeOffs.createdAt), desc(writeOffs.id))
    .limit(REASONS_SHOWN + 1);
  return truncateList(rows, REASONS_SHOWN);
}
