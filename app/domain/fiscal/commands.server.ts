import { and, eq, gt, isNotNull, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  invoicesAfter,
  loadInvoicingState,
  monthBatch,
  monthFees,
  monthToErase,
  unfinishedBatch,
  pendingMonths,
} from "./queries.server.ts";
import type { InvoiceBatch } from "./queries.server.ts";
import {
  filesCount,
  issuerMessageId,
  lateMessageId,
  lateMonths,
  monthToInvoice,
  RPS_PER_FILE,
  SERIES,
  serviceDescription,
} from "./rules.ts";
import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import { settleNotificationsStatements } from "#app/domain/notifications/commands.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { FiscalMessage } from "#app/domain/fiscal/schema/outbox.ts";
import { isoDay } from "#app/domain/time.ts";
import { fiscalBatches, fiscalFees } from "#drizzle/schema/fiscal.ts";

/** Files that one cron run submits; the next one continues. */
const FILES_PER_RUN = 4;

/**
 * Invoices the platform's fee of the next sealed month to each creator, and submits what was not
 * submitted yet.
 *
 * A month is invoiced by one commit, so that its numbers have no gap after a crash. A file that was
 * submitted but not recorded is submitted again unchanged. Safe to run twice and at once.
 *
 * INVARIANT: while the issuer is not configured (`fiscal.missing`), nothing is numbered or
 * submitted, because an invoice is never written again. Source: issue 6, "Payouts";
 * docs/decisions/money/fix-the-fee-at-the-sale-and-invoice-sealed-months.md.
 */
export async function invoiceFees(ctx: Context): Promise<void> {
  if (ctx.fiscal.missing.length > 0) return;
  await invoiceNextMonth(ctx);
  for (let files = 0; files < FILES_PER_RUN; files += 1) {
    const batch = await unfinishedBatch(ctx);
    if (!batch) return;
    await handInNext(ctx, batch);
  }
}

/** Writes the invoices of the next sealed month, if there is one. Returns the month, or null. */
export async function invoiceNextMonth(ctx: Context): Promise<Month | null> {
  const month = monthToInvoice(await loadInvoicingState(ctx));
  if (month === null) return null;
  try {
    await commit(ctx.db, [
      ctx.db.insert(fiscalFees).select(monthFees(month)),
      ctx.db.insert(fiscalBatches).select(monthBatch(ctx, month, isoDay(ctx.now()))),
      ...settleNotificationsStatements(ctx, { outboxId: issuerMessageId(month) }),
      ...settleNotificationsStatements(ctx, {
        outboxId: lateMessageId(month, "not_written"),
        onlyIf: isHandedIn(month),
      }),
    ]);
  } catch (error) {
    // Another run invoiced it first, from the same sealed entries.
    if (
      !(
        error instanceof UniqueViolation ||
        (error instanceof RuleViolation && error.rule === "immutable_invoice")
      )
    )
      throw error;
    return null;
  }
  ctx.log("fiscal.month_invoiced", { month });
  return month;
}

/**
 * Records that a moderator took all files of a month to the city hall; the first record stays.
 *
 * Returns false and changes nothing where the month has no invoice, has unwritten files, or was
 * already taken.
 */
export async function markMonthDelivered(
  ctx: Context,
  { month, moderatorId }: { month: Month; moderatorId: string },
): Promise<boolean> {
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(fiscalBatches)
          .set({ takenAt: ctx.now(), takenBy: moderatorId })
          .where(
            and(
              eq(fiscalBatches.month, month),
              isNotNull(fiscalBatches.handedInAt),
              isNull(fiscalBatches.takenAt),
              gt(fiscalBatches.invoicesCount, 0),
            ),
          ),
      ),
      ...settleNotificationsStatements(ctx, { outboxId: lateMessageId(month, "not_taken") }),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    return false;
  }
  ctx.log("fiscal.batch_taken", { month, moderatorId });
  return true;
}

/**
 * Notifies the staff once of each late month (`lateMonths`), and once more where its files are
 * written and nobody takes them.
 *
 * Another worker than the one that invoices runs it: a worker that does not run cannot report that.
 * `moderatorIds` is called only then.
 */
export async function notifyLateMonths(
  ctx: Context,
  { moderatorIds }: { moderatorIds: () => Promise<string[]> },
): Promise<void> {
  const late = lateMonths(await pendingMonths(ctx), ctx.now());
  if (late.length === 0) return;
  const ids = await moderatorIds();
  if (ids.length > 0)
    await commit(
      ctx.db,
      late.map(({ month, why, dueOn }) =>
        announce<FiscalMessage>(ctx, lateMessageId(month, why), {
          type: "fiscal.late",
          moderatorIds: ids,
          month,
          why,
          dueOn,
        }),
      ),
    );
}

/**
 * Notifies the staff once, as soon as a month is sealed, that it waits because the issuer is not
 * configured.
 *
 * The worker that would invoice it runs this: it does not see the variables of the others.
 * `moderatorIds` is called only then.
 */
export async function notifyMissingIssuer(
  ctx: Context,
  { moderatorIds }: { moderatorIds: () => Promise<string[]> },
): Promise<void> {
  const { missing } = ctx.fiscal;
  if (missing.length === 0) return;
  const month = monthToInvoice(await loadInvoicingState(ctx));
  if (month === null) return;
  ctx.log("fiscal.issuer_missing", { month, variables: missing.join(", ") });
  const ids = await moderatorIds();
  if (ids.length > 0)
    await commit(ctx.db, [
      announce<FiscalMessage>(ctx, issuerMessageId(month), {
        type: "fiscal.no_issuer",
        moderatorIds: ids,
        month,
        missing,
      }),
    ]);
}

/** Takers that one run erases. */
const FORGOTTEN_PER_RUN = 5_000;

/**
 * Erases the takers of the oldest month past the legal retention, page by page. Safe to repeat.
 *
 * It deletes the month's files first, then the names and tax ids of its rows. The sums and numbers
 * of invoices stay, so that the books still add up.
 */
export async function eraseExpiredTakers(ctx: Context): Promise<void> {
  const old = await monthToErase(ctx);
  if (!old) return;
  const { month, invoicesCount } = old;
  await ctx.fiscal.forget(
    Array.from({ length: filesCount(invoicesCount) }, (_, part) => ({ month, part })),
  );
  await commit(ctx.db, [
    ctx.db
      .update(fiscalFees)
      .set({ takerName: null, taxKind: null, taxId: null })
      .where(
        sql`rowid IN (SELECT named.rowid FROM fiscal_fees named WHERE named.month = ${month} AND named.tax_id IS NOT NULL LIMIT ${FORGOTTEN_PER_RUN})`,
      ),
  ]);
  ctx.log("fiscal.takers_forgotten", { month });
}

async function handInNext(
  ctx: Context,
  { month, filesHandedIn, firstNumber, invoicesCount, issuedOn }: InvoiceBatch,
): Promise<void> {
  const part = filesHandedIn;
  const rps = await invoicesAfter(ctx, {
    month,
    after: (firstNumber ?? 1) - 1 + part * RPS_PER_FILE,
    limit: RPS_PER_FILE,
  });
  await ctx.fiscal.handIn({
    month,
    part,
    issuedOn,
    series: SERIES,
    description: serviceDescription(month),
    rps,
  });
  const isLast = part + 1 >= filesCount(invoicesCount);
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(fiscalBatches)
          .set({ filesHandedIn: part + 1, ...(isLast ? { handedInAt: ctx.now() } : {}) })
          .where(and(eq(fiscalBatches.month, month), eq(fiscalBatches.filesHandedIn, part))),
      ),
      ...settleNotificationsStatements(ctx, {
        outboxId: lateMessageId(month, "not_written"),
        onlyIf: isHandedIn(month),
      }),
    ]);
  } catch (error) {
    // Another run submitted the same file and recorded it.
    if (!(error instanceof StaleWrite)) throw error;
  }
}

/** Whether every file of the month is written. */
const isHandedIn = (month: Month): SQL =>
  sql`EXISTS (SELECT 1 FROM fiscal_batches written WHERE written.month = ${month} AND written.handed_in_at IS NOT NULL)`;
