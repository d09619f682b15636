import { and, eq, inArray, ne, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  AnswerRefused,
  DisputeNotFound,
  EvidenceFileNotFound,
  EvidenceFileRefused,
  EvidenceTextMissing,
  TooManyEvidenceFiles,
} from "#app/domain/disputes/errors.ts";
import { answerRow, disputeRow, evidenceFiles } from "#app/domain/disputes/queries.server.ts";
import type { DisputeRecord, DisputeAnswer } from "#app/domain/disputes/queries.server.ts";
import { detectEvidenceType, evidenceEditProblem } from "#app/domain/disputes/rules/answers.ts";
import { evidenceFileName } from "#app/domain/disputes/schema.ts";
import { countAction } from "#app/domain/rate-limits/commands.server.ts";
import type { EvidenceKind } from "#app/domain/payments/schema.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { disputeAnswers, disputeFiles } from "#drizzle/schema/disputes.ts";

export type CreatorDisputeRef = {
  disputeId: string;
  /** The receiver of the payment. */
  creatorId: string;
};
type EvidenceEdit = CreatorDisputeRef & {
  /** The writer: the seller, or a member of their team. */
  memberId: string;
};

export const evidenceKey = ({ disputeId, id }: { disputeId: string; id: string }): string =>
  `disputes/${disputeId}/${id}`;

/**
 * Reads the dispute of a sale of `creatorId`, and its answer. Throws DisputeNotFound, also for a
 * sale of anybody else.
 */
export async function creatorDispute(
  ctx: Context,
  { disputeId, creatorId }: CreatorDisputeRef,
): Promise<{ dispute: DisputeRecord; answer: DisputeAnswer | null }> {
  const dispute = await disputeRow(ctx, { disputeId });
  if (!dispute || dispute.creatorId !== creatorId) throw new DisputeNotFound();
  return { dispute, answer: await answerRow(ctx, { disputeId }) };
}

/**
 * Counts all disputes of a page together. An answer has at most one file of each kind, and any may
 * be sent again.
 */
const FILE_LIMITS = [{ windowMs: HOUR_MS, limit: 60 }] as const;

/**
 * Saves the text of an answer until it is submitted, and a file that replaces any other of its
 * kind. Throws EvidenceTextMissing without text or any file. Throws DisputeNotFound,
 * EvidenceFileRefused and TooManyEvidenceFiles (`FILE_LIMITS`, because each file is stored). Throws
 * AnswerRefused once the dispute was answered or decided, or its deadline passed.
 */
export async function saveEvidence(
  ctx: Context,
  {
    text,
    file,
    ...writing
  }: EvidenceEdit & {
    text: string;
    file: { kind: EvidenceKind; name: string; bytes: Uint8Array } | null;
  },
): Promise<void> {
  const judged = file ? detectEvidenceType(file.bytes) : null;
  if (judged && !judged.ok) throw new EvidenceFileRefused(judged.why);
  const { dispute, answer } = await creatorDispute(ctx, writing);
  const problem = evidenceEditProblem(dispute, answer, ctx.now());
  if (problem) throw new AnswerRefused(problem);
  const { disputeId, creatorId, memberId } = writing;
  if (text === "" && !file && (await evidenceFiles(ctx, { disputeId })).length === 0)
    throw new EvidenceTextMissing();
  if (file)
    await countAction(
      ctx,
      { act: "dispute-file", personId: creatorId, limits: FILE_LIMITS },
      () => new TooManyEvidenceFiles(),
    );
  const arriving =
    file && judged
      ? {
          id: ctx.newId(),
          disputeId,
          kind: file.kind,
          name: evidenceFileName(file.name),
          contentType: judged.contentType,
          sizeBytes: file.bytes.byteLength,
          state: "arriving" as const,
          addedBy: memberId,
          createdAt: ctx.now(),
        }
      : null;
  await whileWriting(ctx, [
    draftStatement(ctx, { disputeId, memberId, text }),
    ...(arriving ? [ctx.db.insert(disputeFiles).values(arriving)] : []),
  ]);
  if (!file || !arriving) return;
  await ctx.mediaStore.put(evidenceKey(arriving), file.bytes, arriving.contentType);
  const ofKind = and(
    eq(disputeFiles.disputeId, disputeId),
    eq(disputeFiles.kind, file.kind),
    eq(disputeFiles.state, "kept"),
  );
  await whileWriting(ctx, [
    stillWritingStatement(ctx, { disputeId }),
    ctx.db.update(disputeFiles).set({ state: "removed" }).where(ofKind),
    mustChangeOne(
      ctx.db
        .update(disputeFiles)
        .set({ state: "kept" })
        .where(and(eq(disputeFiles.id, arriving.id), eq(disputeFiles.state, "arriving"))),
    ),
  ]);
  await clearRemoved(ctx, { disputeId });
}

/**
 * Removes a file from an answer that was not submitted. Throws what `saveEvidence` throws, and
 * EvidenceFileNotFound.
 */
export async function removeEvidenceFile(
  ctx: Context,
  { fileId, ...writing }: EvidenceEdit & { fileId: string },
): Promise<void> {
  const { dispute, answer } = await creatorDispute(ctx, writing);
  const problem = evidenceEditProblem(dispute, answer, ctx.now());
  if (problem) throw new AnswerRefused(problem);
  const { disputeId } = writing;
  const isThere = and(
    eq(disputeFiles.id, fileId),
    eq(disputeFiles.disputeId, disputeId),
    eq(disputeFiles.state, "kept"),
  );
  if ((await ctx.db.$count(disputeFiles, isThere)) === 0) throw new EvidenceFileNotFound();
  await whileWriting(ctx, [
    stillWritingStatement(ctx, { disputeId }),
    ctx.db.update(disputeFiles).set({ state: "removed" }).where(isThere),
  ]);
  await clearRemoved(ctx, { disputeId });
}

/** Commits the writes. Throws AnswerRefused when the answer was submitted meanwhile. */
async function whileWriting(ctx: Context, writes: BatchWrite[]): Promise<void> {
  try {
    await commit(ctx.db, writes);
  } catch (error) {
    if (error instanceof StaleWrite) throw new AnswerRefused("answered");
    throw error;
  }
}

const isOpen = (disputeId: string) =>
  sql`EXISTS (SELECT 1 FROM disputes d WHERE d.id = ${disputeId} AND d.status = 'open')`;

function draftStatement(
  ctx: Context,
  { disputeId, memberId, text }: { disputeId: string; memberId: string; text: string },
): BatchWrite {
  const written = { text, writtenBy: memberId, updatedAt: ctx.now() };
  return mustChangeOne(
    ctx.db
      .insert(disputeAnswers)
      .values({ disputeId, kind: "evidence", status: "draft", ...written })
      .onConflictDoUpdate({
        target: disputeAnswers.disputeId,
        set: written,
        setWhere: and(eq(disputeAnswers.status, "draft"), isOpen(disputeId)),
      }),
  );
}

function stillWritingStatement(ctx: Context, { disputeId }: { disputeId: string }): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(disputeAnswers)
      .set({ updatedAt: ctx.now() })
      .where(
        and(
          eq(disputeAnswers.disputeId, disputeId),
          eq(disputeAnswers.status, "draft"),
          isOpen(disputeId),
        ),
      ),
  );
}

/** Deletes bytes before rows: a row without bytes can be found again, bytes without a row cannot. */
async function clearRemoved(ctx: Context, { disputeId }: { disputeId: string }): Promise<void> {
  await forgetFiles(
    ctx,
    await ctx.db
      .select({ id: disputeFiles.id, disputeId: disputeFiles.disputeId })
      .from(disputeFiles)
      .where(and(eq(disputeFiles.disputeId, disputeId), eq(disputeFiles.state, "removed")))
      .limit(100),
  );
}

async function forgetFiles(
  ctx: Context,
  files: { id: string; disputeId: string }[],
): Promise<void> {
  if (files.length === 0) return;
  await ctx.mediaStore.delete(files.map(evidenceKey));
  await ctx.db
    .delete(disputeFiles)
    .where(
      inArray(
        disputeFiles.id,
        sql`(SELECT value FROM json_each(${JSON.stringify(files.map(({ id }) => id))}))`,
      ),
    );
}

/**
 * Erases up to `limit` files, and the texts, that a departing member sent for decided disputes.
 * Returns the number of files.
 */
export async function eraseEvidence(
  ctx: Context,
  { creatorId, limit }: { creatorId: string; limit: number },
): Promise<number> {
  const decided = sql`(SELECT d.id FROM disputes d WHERE d.creator_id = ${creatorId} AND d.status <> 'open')`;
  const files = await ctx.db
    .select({ id: disputeFiles.id, disputeId: disputeFiles.disputeId })
    .from(disputeFiles)
    .where(inArray(disputeFiles.disputeId, decided))
    .limit(limit);
  await forgetFiles(ctx, files);
  await ctx.db
    .update(disputeAnswers)
    .set({ text: "" })
    .where(and(inArray(disputeAnswers.disputeId, decided), ne(disputeAnswers.text, "")));
  return files.length;
}
