import { and, eq, inArray, isNull, lte } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { documentsOf } from "#app/domain/documents/queries.server.ts";
import { documentFilesStatement } from "#app/domain/documents/queries/files.server.ts";
import { approvalDeadline } from "#app/domain/documents/rules.ts";
import { documentsStep } from "#app/domain/documents/rules/calendar.ts";
import { missingFiles } from "#app/domain/documents/rules/files.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { documentFiles, documents } from "#drizzle/schema/documents.ts";
import { clearRemovedFiles } from "./files.server.ts";

/** Does what the calendar asks of somebody's documents now (`documentsStep`), once; safe to run twice, and beside a decision, which wins. */
export async function advanceDocuments(ctx: Context, { personId }: { personId: string }): Promise<void> {
  const current = await documentsOf(ctx, { personId });
  const step = current && documentsStep(current, ctx.now());
  if (!current || !step) return;
  try {
    await (step === "expire" ? expire(ctx, current) : warn(ctx, current, step));
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
  }
}

/** The row as it was read. */
const asRead = ({ personId, status, submittedAt }: Documents) => and(eq(documents.personId, personId), eq(documents.status, status), eq(documents.submittedAt, submittedAt));

async function warn(ctx: Context, current: Documents, step: "warn_deadline" | "warn_expiry"): Promise<void> {
  const { personId, submittedAt } = current;
  const files = await documentFilesStatement(ctx, { personId });
  const isMissing = missingFiles(files.map(({ kind }) => kind), current.cnpj !== null).length > 0;
  const told =
    step === "warn_deadline"
      ? announce(ctx, `documents:${personId}:${submittedAt}:deadline`, { type: "documents.deadline", personId, deadlineAt: approvalDeadline(submittedAt), isMissing })
      : announce(ctx, `documents:${personId}:${current.expiresOn}:ends`, { type: "documents.ending", personId, expiresOn: current.expiresOn ?? "" });
  await commit(ctx.db, [exactlyOne(ctx.db.update(documents).set({ remindedAt: ctx.now() }).where(and(asRead(current), isNull(documents.remindedAt)))), told]);
}

/** Submitted again, with 14 days to be approved; of the paper that ended nothing stays, what was sent of a new one does. */
async function expire(ctx: Context, current: Documents): Promise<void> {
  const { personId } = current;
  const ended = and(
    eq(documentFiles.personId, personId),
    eq(documentFiles.state, "kept"),
    inArray(documentFiles.kind, ["id_front", "id_back", "passport", "id_pdf"]),
    lte(documentFiles.createdAt, current.decidedAt ?? 0),
  );
  const submittedAt = ctx.now();
  await commit(ctx.db, [
    exactlyOne(ctx.db.update(documents).set({ status: "submitted", submittedAt, decidedAt: null, decidedBy: null, remindedAt: null }).where(asRead(current))),
    ctx.db.update(documentFiles).set({ state: "removed" }).where(ended),
    announce(ctx, `documents:${personId}:${current.expiresOn}:ended`, { type: "documents.ended", personId, deadlineAt: approvalDeadline(submittedAt) }),
  ]);
  await clearRemovedFiles(ctx, { personId });
}
