import { and, eq, gt, isNotNull, isNull } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { invoicesAfter, invoicingFacts, monthBatch, monthFees, unfinishedBatch } from "#app/domain/fiscal/queries.server.ts";
import type { Batch } from "#app/domain/fiscal/queries.server.ts";
import { filesOf, monthToInvoice, RPS_PER_FILE, SERIES, serviceWords } from "#app/domain/fiscal/rules.ts";
import type { Month } from "#app/domain/ledger/rules/months.ts";
import { isoDay } from "#app/domain/time.ts";
import { fiscalBatches, fiscalFees } from "#drizzle/schema/fiscal.ts";

/** Files that one run of the cron hands in; the next one goes on. */
const FILES_PER_RUN = 4;

/**
 * Invoices the platform's fee of the next sealed month to each creator, and hands in what is not handed in yet. A month is invoiced by one commit, so that its
 * numbers have no gap whoever dies; a file that was handed in and not noted is handed in again as the same. Safe to run twice and at once. Source: issue 6, "Payouts".
 */
export async function invoiceFees(ctx: Context): Promise<void> {
  await invoiceNextMonth(ctx);
  for (let files = 0; files < FILES_PER_RUN; files += 1) {
    const batch = await unfinishedBatch(ctx);
    if (!batch) return;
    await handInNext(ctx, batch);
  }
}

/** Writes the invoices of the next sealed month, if there is one. Gives the month, or null. */
export async function invoiceNextMonth(ctx: Context): Promise<Month | null> {
  const month = monthToInvoice(await invoicingFacts(ctx));
  if (month === null) return null;
  try {
    await commit(ctx.db, [ctx.db.insert(fiscalFees).select(monthFees(month)), ctx.db.insert(fiscalBatches).select(monthBatch(ctx, month, isoDay(ctx.now())))]);
  } catch (error) {
    // Another run invoiced it first, from the same sealed entries.
    if (!(error instanceof UniqueViolation || (error instanceof RuleViolation && error.rule === "immutable_invoice"))) throw error;
    return null;
  }
  ctx.log("fiscal.month_invoiced", { month });
  return month;
}

/**
 * A moderator says that all files of a month were taken to the city hall; the first to say so is kept. Gives false, and changes nothing, where that month has no
 * invoice, has files that are not written yet, or was taken already.
 */
export async function noteTaken(ctx: Context, { month, moderatorId }: { month: Month; moderatorId: string }): Promise<boolean> {
  try {
    await commit(ctx.db, [
      exactlyOne(
        ctx.db
          .update(fiscalBatches)
          .set({ takenAt: ctx.now(), takenBy: moderatorId })
          .where(and(eq(fiscalBatches.month, month), isNotNull(fiscalBatches.handedInAt), isNull(fiscalBatches.takenAt), gt(fiscalBatches.invoicesCount, 0))),
      ),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    return false;
  }
  ctx.log("fiscal.batch_taken", { month, moderatorId });
  return true;
}

async function handInNext(ctx: Context, { month, filesHandedIn, firstNumber, invoicesCount, issuedOn }: Batch): Promise<void> {
  const part = filesHandedIn;
  const rps = await invoicesAfter(ctx, { month, after: (firstNumber ?? 1) - 1 + part * RPS_PER_FILE, limit: RPS_PER_FILE });
  await ctx.fiscal.handIn({ month, part, issuedOn, series: SERIES, description: serviceWords(month), rps });
  const isLast = part + 1 >= filesOf(invoicesCount);
  try {
    await commit(ctx.db, [
      exactlyOne(
        ctx.db
          .update(fiscalBatches)
          .set({ filesHandedIn: part + 1, ...(isLast ? { handedInAt: ctx.now() } : {}) })
          .where(and(eq(fiscalBatches.month, month), eq(fiscalBatches.filesHandedIn, part))),
      ),
    ]);
  } catch (error) {
    // Another run handed in the same and noted it.
    if (!(error instanceof StaleWrite)) throw error;
  }
}
