import { and, eq } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import type { Write } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  DocumentsAlreadyApproved,
  DocumentsNotPending,
  DocumentsUnderReview,
  NotAModerator,
  OwnDocuments,
  TaxIdInUse,
  Underage,
} from "#app/domain/documents/errors.ts";
import { documentsOf, isModerator, isTaxIdTaken } from "#app/domain/documents/queries.server.ts";
import { isOfAge, taxIdOf } from "#app/domain/documents/rules.ts";
import type { Company, Documents } from "#app/domain/documents/schema.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { documents } from "#drizzle/schema/documents.ts";

export type Submission = { personId: string; fullName: string; cpf: string; birthDate: string; /** The company that sells, of which the person is the responsible one; null or left out for who sells themselves. */ company?: Company | null };

/**
 * The writes that hand in documents, `cpf` as eleven digits and `birthDate` as an ISO date; of a company, those of who is responsible
 * for it. None when the very same ones already wait, so that two clicks are one. Refuses who is under 18, a CPF or CNPJ that another account sells
 * under, and documents that wait or were approved; a number taken meanwhile is refused by the index `documents_tax_id`.
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
  const { taxKind, taxId } = taxIdOf(submission);
  if (await isTaxIdTaken(ctx, { personId: submission.personId, taxId })) throw new TaxIdInUse(taxKind);

  const sent = {
    status: "submitted" as const,
    cpf: submission.cpf,
    fullName: submission.fullName,
    birthDate: submission.birthDate,
    cnpj: submission.company?.cnpj ?? null,
    companyName: submission.company?.name ?? null,
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
 * TaxIdInUse (another account, the same number) or DocumentsUnderReview (the same person, in another tab).
 */
export async function commitDocuments(ctx: Context, { submission, writes }: { submission: Submission; writes: Write[] }): Promise<void> {
  try {
    await commit(ctx.db, writes);
  } catch (error) {
    const wasFirst = error instanceof StaleWrite || (error instanceof UniqueViolation && error.columns.startsWith("documents."));
    if (!wasFirst) throw error;
    // One's own other tab breaks the index of the number too.
    const mine = await documentsOf(ctx, submission);
    throw mine?.status === "submitted" ? new DocumentsUnderReview() : new TaxIdInUse(taxIdOf(submission).taxKind);
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
    current.birthDate === submission.birthDate &&
    current.cnpj === (submission.company?.cnpj ?? null) &&
    current.companyName === (submission.company?.name ?? null)
  );
}
