import { and, eq } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import type { Write } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  CpfInUse,
  DocumentsAlreadyApproved,
  DocumentsNotPending,
  DocumentsUnderReview,
  NotAModerator,
  OwnDocuments,
  Underage,
} from "#app/domain/documents/errors.ts";
import { documentsOf, isCpfTaken, isModerator } from "#app/domain/documents/queries.server.ts";
import { isOfAge } from "#app/domain/documents/rules.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { documents } from "#drizzle/schema/documents.ts";

type Submission = { personId: string; fullName: string; cpf: string; birthDate: string };

/**
 * The writes that hand in documents, `cpf` as eleven digits and `birthDate` as an ISO date. None when the very same ones
 * already wait, so that two clicks are one. Refuses who is under 18, a CPF that another account uses, and documents that
 * wait or were approved; a CPF taken meanwhile is refused by the index `documents.cpf`.
 */
export async function submitDocumentsStatements(ctx: Context, submission: Submission): Promise<Write[]> {
  const now = ctx.now();
  if (!isOfAge(submission.birthDate, now)) throw new Underage();
  const current = await documentsOf(ctx, submission);
  if (current?.status === "approved") throw new DocumentsAlreadyApproved();
  if (current?.status === "submitted") {
    if (isSame(current, submission)) return [];
    throw new DocumentsUnderReview();
  }
  if (await isCpfTaken(ctx, submission)) throw new CpfInUse();

  const sent = {
    status: "submitted" as const,
    cpf: submission.cpf,
    fullName: submission.fullName,
    birthDate: submission.birthDate,
    rejectionReason: null,
    submittedAt: now,
    decidedAt: null,
    decidedBy: null,
  };
  if (!current) return [ctx.db.insert(documents).values({ personId: submission.personId, ...sent })];
  return [
    exactlyOne(
      ctx.db
        .update(documents)
        .set(sent)
        .where(and(eq(documents.personId, submission.personId), eq(documents.status, "rejected"))),
    ),
  ];
}

/**
 * Commits a batch that holds `submitDocumentsStatements`. What the database refuses because someone was faster becomes
 * CpfInUse (another account, the same CPF) or DocumentsUnderReview (the same person, in another tab).
 */
export async function commitDocuments(ctx: Context, { personId, writes }: { personId: string; writes: Write[] }): Promise<void> {
  try {
    await commit(ctx.db, writes);
  } catch (error) {
    const wasFirst = error instanceof StaleWrite || (error instanceof UniqueViolation && error.columns.startsWith("documents."));
    if (!wasFirst) throw error;
    // One's own other tab breaks the index of the CPF too.
    const mine = await documentsOf(ctx, { personId });
    throw mine?.status === "submitted" ? new DocumentsUnderReview() : new CpfInUse();
  }
}

/** Recognises a person: payouts may leave from now on. Refuses who does not moderate, one's own, and what does not wait. */
export async function approveDocuments(ctx: Context, { moderatorId, personId }: { moderatorId: string; personId: string }): Promise<void> {
  await decide(ctx, { moderatorId, personId, decision: "approved", reason: null });
}

/** Sends documents back with the reason, which the person reads. Refuses as `approveDocuments` does. */
export async function rejectDocuments(
  ctx: Context,
  { moderatorId, personId, reason }: { moderatorId: string; personId: string; reason: string },
): Promise<void> {
  await decide(ctx, { moderatorId, personId, decision: "rejected", reason });
}

type Decision = { moderatorId: string; personId: string; decision: "approved" | "rejected"; reason: string | null };

async function decide(ctx: Context, { moderatorId, personId, decision, reason }: Decision): Promise<void> {
  if (!(await isModerator(ctx, { personId: moderatorId }))) throw new NotAModerator();
  if (moderatorId === personId) throw new OwnDocuments();
  const current = await documentsOf(ctx, { personId });
  if (current?.status !== "submitted") throw new DocumentsNotPending();
  const decidedAt = ctx.now();
  try {
    await commit(ctx.db, [
      exactlyOne(
        ctx.db
          .update(documents)
          .set({ status: decision, rejectionReason: reason, decidedAt, decidedBy: moderatorId })
          // What was read is what is decided: documents sent again meanwhile have another `submittedAt`.
          .where(
            and(
              eq(documents.personId, personId),
              eq(documents.status, "submitted"),
              eq(documents.submittedAt, current.submittedAt),
            ),
          ),
      ),
      announce(ctx, `documents:${personId}:${current.submittedAt}:${decision}`, {
        type: "documents.decided",
        personId,
        decision,
        reason: reason ?? "",
        decidedAt,
      }),
    ]);
  } catch (error) {
    if (error instanceof StaleWrite) throw new DocumentsNotPending();
    throw error;
  }
}

function isSame(current: Documents, submission: Submission): boolean {
  return (
    current.cpf === submission.cpf &&
    current.fullName === submission.fullName &&
    current.birthDate === submission.birthDate
  );
}
