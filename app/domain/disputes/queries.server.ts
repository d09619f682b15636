import { and, desc, eq, gt, isNull, lt, lte, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import { DISPUTE_REMINDER_LEAD_MS } from "#app/domain/disputes/rules/answers.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { disputeAnswers, disputeFiles } from "#drizzle/schema/disputes.ts";
import { charges, disputes } from "#drizzle/schema/payments.ts";
import { profiles } from "#drizzle/schema/profiles.ts";

export type DisputeRecord = typeof disputes.$inferSelect;
export type DisputeAnswer = typeof disputeAnswers.$inferSelect;
export type DisputeFile = typeof disputeFiles.$inferSelect;

const payer = alias(profiles, "payer");

export async function disputeRow(
  ctx: Context,
  { disputeId }: { disputeId: string },
): Promise<DisputeRecord | null> {
  const [row] = await ctx.db.select().from(disputes).where(eq(disputes.id, disputeId)).limit(1);
  return row ?? null;
}

export async function answerRow(
  ctx: Context,
  { disputeId }: { disputeId: string },
): Promise<DisputeAnswer | null> {
  const [row] = await ctx.db
    .select()
    .from(disputeAnswers)
    .where(eq(disputeAnswers.disputeId, disputeId))
    .limit(1);
  return row ?? null;
}

/** Returns the current files of an answer, oldest first. */
export function evidenceFiles(ctx: Context, { disputeId }: { disputeId: string }) {
  return ctx.db
    .select()
    .from(disputeFiles)
    .where(and(eq(disputeFiles.disputeId, disputeId), eq(disputeFiles.state, "kept")))
    .orderBy(disputeFiles.createdAt)
    .limit(10);
}

export type ListedDispute = Pick<
  DisputeRecord,
  | "id"
  | "kind"
  | "status"
  | "amountCents"
  | "feeShareCents"
  | "createdAt"
  | "respondBy"
  | "underReviewAt"
> & {
  /** The paid amount, of which a part may be disputed (centavos). */
  paidCents: number;
  description: string;
  payerName: string;
  answer: DisputeAnswer["status"] | null;
};

const listedColumns = {
  id: disputes.id,
  kind: disputes.kind,
  status: disputes.status,
  amountCents: disputes.amountCents,
  feeShareCents: disputes.feeShareCents,
  createdAt: disputes.createdAt,
  respondBy: disputes.respondBy,
  underReviewAt: disputes.underReviewAt,
  paidCents: sql<number>`${charges.amountCents}`.as("paid_cents"),
  description: charges.description,
  payerName: payer.name,
  answer: disputeAnswers.status,
};

function listing(ctx: Context) {
  return ctx.db
    .select(listedColumns)
    .from(disputes)
    .innerJoin(charges, eq(charges.id, disputes.chargeId))
    .innerJoin(payer, eq(payer.personId, charges.payerId))
    .leftJoin(disputeAnswers, eq(disputeAnswers.disputeId, disputes.id));
}

/** Returns the disputes of a creator's received payments, newest first. */
export async function creatorDisputes(
  ctx: Context,
  { creatorId, cursor, limit }: { creatorId: string; cursor: string | null; limit: number },
): Promise<Page<ListedDispute>> {
  const after = decodeCursor(cursor);
  const rows = await listing(ctx)
    .where(
      and(
        eq(disputes.creatorId, creatorId),
        after
          ? or(
              lt(disputes.createdAt, after.at),
              and(eq(disputes.createdAt, after.at), lt(disputes.id, after.id)),
            )
          : undefined,
      ),
    )
    .orderBy(desc(disputes.createdAt), desc(disputes.id))
    .limit(limit + 1);
  return pageOf(rows, limit, ({ createdAt, id }) => ({ at: createdAt, id }));
}

/** Returns the open disputes of all creators, the first deadline first; those without one last. */
export async function openDisputes(
  ctx: Context,
  { limit }: { limit: number },
): Promise<ListedDispute[]> {
  return await listing(ctx)
    .where(eq(disputes.status, "open"))
    .orderBy(sql`${disputes.respondBy} IS NULL`, disputes.respondBy, disputes.createdAt)
    .limit(limit);
}

/** Builds the statement that counts open disputes with their first deadline, for the staff's home. */
export function openDisputesCountStatement(ctx: Context) {
  return ctx.db
    .select({
      count: sql<number>`COUNT(*)`.as("disputes_count"),
      oldestAt: sql<Instant | null>`MIN(${disputes.createdAt})`.as("disputes_oldest_at"),
      respondBy: sql<Instant | null>`MIN(${disputes.respondBy})`.as("disputes_respond_by"),
    })
    .from(disputes)
    .where(eq(disputes.status, "open"));
}

/** Returns answers whose provider takes none by API, oldest first. The staff sends them by hand. */
export async function manualAnswers(
  ctx: Context,
  { limit }: { limit: number },
): Promise<(ListedDispute & { submittedAt: Instant | null })[]> {
  return await ctx.db
    .select({ ...listedColumns, submittedAt: disputeAnswers.submittedAt })
    .from(disputes)
    .innerJoin(charges, eq(charges.id, disputes.chargeId))
    .innerJoin(payer, eq(payer.personId, charges.payerId))
    .innerJoin(disputeAnswers, eq(disputeAnswers.disputeId, disputes.id))
    .where(eq(disputeAnswers.status, "by_hand"))
    .orderBy(disputeAnswers.submittedAt)
    .limit(limit);
}

/** Returns submitted answers that the provider has not confirmed yet, oldest first. */
export async function dueAnswers(ctx: Context, { limit }: { limit: number }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: disputeAnswers.disputeId })
    .from(disputeAnswers)
    .where(and(eq(disputeAnswers.status, "submitted"), isRetryDue(ctx, disputeAnswers.disputeId)))
    .orderBy(disputeAnswers.submittedAt)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Returns open disputes without an answer or a reminder, due in two days or less. */
export async function dueDisputeReminders(
  ctx: Context,
  { limit }: { limit: number },
): Promise<string[]> {
  const now = ctx.now();
  const rows = await ctx.db
    .select({ id: disputes.id })
    .from(disputes)
    .leftJoin(
      disputeAnswers,
      and(eq(disputeAnswers.disputeId, disputes.id), sql`${disputeAnswers.status} <> 'draft'`),
    )
    .where(
      and(
        sql`${disputes.status} = 'open' AND ${disputes.underReviewAt} IS NULL AND ${disputes.remindedAt} IS NULL`,
        gt(disputes.respondBy, now),
        lte(disputes.respondBy, now + DISPUTE_REMINDER_LEAD_MS),
        isNull(disputeAnswers.disputeId),
        isRetryDue(ctx, disputes.id, "dispute_reminder"),
      ),
    )
    .orderBy(disputes.respondBy)
    .limit(limit);
  return rows.map(({ id }) => id);
}

/**
 * Reads one file of an answer, with the seller and the payer of the disputed charge. Returns null
 * when there is none, or it was removed.
 */
export async function evidenceFile(
  ctx: Context,
  { disputeId, fileId }: { disputeId: string; fileId: string },
): Promise<{ file: DisputeFile; creatorId: string; payerId: string } | null> {
  const [row] = await ctx.db
    .select({ file: disputeFiles, creatorId: disputes.creatorId, payerId: charges.payerId })
    .from(disputeFiles)
    .innerJoin(disputes, eq(disputes.id, disputeFiles.disputeId))
    .innerJoin(charges, eq(charges.id, disputes.chargeId))
    .where(
      and(
        eq(disputeFiles.id, fileId),
        eq(disputeFiles.disputeId, disputeId),
        eq(disputeFiles.state, "kept"),
      ),
    )
    .limit(1);
  return row ?? null;
}
