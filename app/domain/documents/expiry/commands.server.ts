import { and, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import {
  uninvolvedModerators,
  lateContests,
  canTakeTaxIdSql,
  taxIdHolder,
} from "#app/domain/documents/contests/queries.server.ts";
import { documentFilesStatement } from "#app/domain/documents/files/queries.server.ts";
import { approvalDeadline } from "#app/domain/documents/rules.ts";
import { documentsStep } from "./rules.ts";
import { missingFiles } from "#app/domain/documents/files/rules.ts";
import { IDENTITY_FILE_KINDS } from "#app/domain/documents/reasons/rules.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { DocumentMessage } from "#app/domain/documents/schema/outbox.ts";
import { documentFiles, documents } from "#drizzle/schema/documents.ts";
import { releaseTaxIdStatements } from "#app/domain/documents/contests/commands.server.ts";
import { purgeRemovedFiles } from "#app/domain/documents/files/commands/files.server.ts";

/**
 * Takes the due step of a person's documents (`documentsStep`), once. Safe to repeat, and in
 * parallel with a decision, which wins.
 */
export async function advanceDocuments(
  ctx: Context,
  { personId }: { personId: string },
): Promise<void> {
  const current = await documentsOfPerson(ctx, { personId });
  const step = current && documentsStep(current, ctx.now());
  if (!current || !step) return;
  try {
    await (step === "expire"
      ? expire(ctx, current)
      : step === "settle_contest"
        ? haveNumber(ctx, current)
        : warn(ctx, current, step));
  } catch (error) {
    // Of two contestants of one tax id, the first gets it.
    if (!(error instanceof StaleWrite || error instanceof UniqueViolation)) throw error;
  }
}

/** Expects the row to be unchanged: a new document may have been sent or approved meanwhile. */
const asRead = ({ personId, status, submittedAt, filesAt, decidedAt }: Documents) =>
  and(
    eq(documents.personId, personId),
    eq(documents.status, status),
    eq(documents.submittedAt, submittedAt),
    sql`${documents.filesAt} IS ${filesAt}`,
    sql`${documents.decidedAt} IS ${decidedAt}`,
  );

async function warn(
  ctx: Context,
  current: Documents,
  step: "warn_deadline" | "warn_expiry",
): Promise<void> {
  const { personId, submittedAt } = current;
  const files = await documentFilesStatement(ctx, { personId });
  const isMissing =
    missingFiles(
      files.map(({ kind }) => kind),
      current.cnpj !== null,
    ).length > 0;
  const announcements =
    step === "warn_deadline"
      ? announce<DocumentMessage>(ctx, `documents:${personId}:${submittedAt}:deadline`, {
          type: "documents.deadline",
          personId,
          deadlineAt: approvalDeadline(submittedAt),
          isMissing,
        })
      : announce<DocumentMessage>(ctx, `documents:${personId}:${current.expiresOn}:ends`, {
          type: "documents.ending",
          personId,
          expiresOn: current.expiresOn ?? "",
        });
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(documents)
        .set({ remindedAt: ctx.now() })
        .where(and(asRead(current), isNull(documents.remindedAt))),
    ),
    announcements,
  ]);
}

/**
 * Notifies the staff once of each contest that is overdue (`lateContests`). Leaves out parties to
 * it (`uninvolvedModerators`). `moderatorIds` is called only then.
 */
export async function notifyLateContests(
  ctx: Context,
  { moderatorIds, limit }: { moderatorIds: () => Promise<string[]>; limit: number },
): Promise<void> {
  const late = await lateContests(ctx, { now: ctx.now(), limit });
  if (late.length === 0) return;
  const ids = await moderatorIds();
  for (const { personId, submittedAt } of late) {
    const stillLate = and(
      eq(documents.personId, personId),
      eq(documents.status, "contested"),
      eq(documents.submittedAt, submittedAt),
      isNull(documents.remindedAt),
    );
    const writes = [
      mustChangeOne(ctx.db.update(documents).set({ remindedAt: ctx.now() }).where(stillLate)),
      announce<DocumentMessage>(ctx, `documents:${personId}:${submittedAt}:late`, {
        type: "documents.contest_late",
        moderatorIds: await uninvolvedModerators(ctx, { personId, ids }),
        personId,
        answerBy: approvalDeadline(submittedAt),
      }),
    ];
    try {
      await commit(ctx.db, writes);
    } catch (error) {
      // Decided meanwhile.
      if (!(error instanceof StaleWrite)) throw error;
    }
  }
}

/**
 * Gives them the tax id as if submitted today, where `canTakeTaxIdSql` holds. A holder without
 * files is notified of the loss in the same batch.
 */
async function haveNumber(ctx: Context, current: Documents): Promise<void> {
  const now = ctx.now();
  const holder = await taxIdHolder(ctx, current);
  await commit(ctx.db, [
    ...(holder?.isEmpty ? releaseTaxIdStatements(ctx, holder) : []),
    mustChangeOne(
      ctx.db
        .update(documents)
        .set({ status: "submitted", submittedAt: now, remindedAt: null })
        .where(and(asRead(current), canTakeTaxIdSql(now))),
    ),
  ]);
}

/**
 * Resets expired documents to submitted, with 14 days to be approved. Removes the files of the
 * expired document and keeps those of a new one.
 */
async function expire(ctx: Context, current: Documents): Promise<void> {
  const { personId, decidedAt } = current;
  const ended = and(
    eq(documentFiles.personId, personId),
    eq(documentFiles.state, "kept"),
    inArray(documentFiles.kind, [...IDENTITY_FILE_KINDS]),
    lte(documentFiles.createdAt, decidedAt ?? 0),
  );
  const left = (await documentFilesStatement(ctx, { personId })).filter(
    ({ kind, createdAt }) => !IDENTITY_FILE_KINDS.includes(kind) || createdAt > (decidedAt ?? 0),
  );
  const isSent =
    missingFiles(
      left.map(({ kind }) => kind),
      current.cnpj !== null,
    ).length === 0;
  const submittedAt = ctx.now();
  await commit(ctx.db, [
    mustChangeOne(
      ctx.db
        .update(documents)
        .set({
          status: "submitted",
          submittedAt,
          decidedAt: null,
          decidedBy: null,
          remindedAt: null,
        })
        .where(asRead(current)),
    ),
    ctx.db.update(documentFiles).set({ state: "removed" }).where(ended),
    announce<DocumentMessage>(ctx, `documents:${personId}:${current.expiresOn}:ended`, {
      type: "documents.ended",
      personId,
      deadlineAt: approvalDeadline(submittedAt),
      isSent,
    }),
  ]);
  await purgeRemovedFiles(ctx, { personId });
}
