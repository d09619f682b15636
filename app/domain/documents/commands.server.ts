import { and, eq, sql } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import type { Write } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  AgeToConfirm,
  DocumentsAlreadyApproved,
  DocumentsChanged,
  DocumentsIncomplete,
  DocumentsNotPending,
  DocumentsUnderReview,
  NotAModerator,
  NotUnderage,
  OwnDocuments,
  PaperEnded,
  TaxIdInUse,
  Underage,
  UnlikelyBirthDate,
} from "#app/domain/documents/errors.ts";
import { documentsOf, documentsUnderDecision, isCpfBanned, isModerator, taxIdHolder, wordsOnly } from "#app/domain/documents/queries.server.ts";
import type { DocumentsUnderDecision } from "#app/domain/documents/queries.server.ts";
import { isLikelyUnderage, isOfAge, taxIdOf } from "#app/domain/documents/rules.ts";
import { missingFiles } from "#app/domain/documents/rules/files.ts";
import { REJECTIONS, rejectionWords } from "#app/domain/documents/rules/reasons.ts";
import type { RejectionCode } from "#app/domain/documents/rules/reasons.ts";
import type { Company, Documents, FileKind } from "#app/domain/documents/schema.ts";
import { yearsOld } from "#app/domain/identity/rules/age.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { clearRemovedFiles, removedStatement } from "./commands/files.server.ts";

export type Submission = { personId: string; fullName: string; cpf: string; birthDate: string; /** The company that sells, of which the person is the responsible one; null or left out for who sells themselves. */ company?: Company | null };

/**
 * The writes that hand in documents, `cpf` as eleven digits and `birthDate` as an ISO date; of a company, those of who is responsible
 * for it. None when the very same ones already wait, so that two clicks are one. Refuses who is under 18, a CPF or CNPJ that another account sells
 * under (one that sent no file in its 14 days loses the number), a CPF whose other account was banned, and documents that wait or were approved; a number taken meanwhile is refused by the index `documents_tax_id`.
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
  // Who was shown to be younger does not come again with another date before they are of age.
  if (current?.rejectionCode === "underage" && !isOfAge(current.birthDate, now)) throw new Underage();
  const { taxKind, taxId } = taxIdOf(submission);
  const holder = await taxIdHolder(ctx, { personId: submission.personId, taxId });
  if (holder && !holder.isEmpty) throw new TaxIdInUse(taxKind);
  // Another company does not bring back who was banned. Nobody reads that it was: whoever it is, they write to us.
  if (await isCpfBanned(ctx, submission)) throw new TaxIdInUse("cpf");

  const sent = {
    status: "submitted" as const,
    cpf: submission.cpf,
    fullName: submission.fullName,
    birthDate: submission.birthDate,
    cnpj: submission.company?.cnpj ?? null,
    companyName: submission.company?.name ?? null,
    rejectionReason: null,
    rejectionCode: null,
    expiresOn: null,
    remindedAt: null,
    submittedAt: now,
    decidedAt: null,
    decidedBy: null,
  };
  const freed = holder ? freedStatements(ctx, holder) : [];
  if (!current) return [...freed, ctx.db.insert(documents).values({ personId: submission.personId, ...sent })];
  return [
    ...freed,
    exactlyOne(
      ctx.db
        .update(documents)
        .set(sent)
        .where(and(eq(documents.personId, submission.personId), eq(documents.status, "rejected"))),
    ),
  ];
}

/** Documents that are words alone after their 14 days hold nobody's number: they go back, told, for whoever sends the same number. Files that came meanwhile keep them. Source: decision 0286. */
function freedStatements(ctx: Context, { personId, submittedAt }: { personId: string; submittedAt: Instant }): Write[] {
  const decidedAt = ctx.now();
  const reason = rejectionWords("other", "Os arquivos não chegaram em 14 dias.");
  return [
    exactlyOne(
      ctx.db
        .update(documents)
        .set({ status: "rejected", rejectionReason: reason, rejectionCode: "other", decidedAt, decidedBy: null, remindedAt: null })
        .where(and(eq(documents.personId, personId), eq(documents.submittedAt, submittedAt), wordsOnly(decidedAt))),
    ),
    announce(ctx, `documents:${personId}:${submittedAt}:rejected`, { type: "documents.decided", personId, decision: "rejected", reason, decidedAt }),
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

type Decider = { moderatorId: string; personId: string; /** When the files were that the moderator saw (`filesAt`); left out to decide whatever is there. */ seenAt?: number | undefined };

/**
 * Recognises who sells, until the last day of their paper where it has one: payouts may leave from now on. Refuses NotAModerator, OwnDocuments,
 * DocumentsNotPending, DocumentsIncomplete while files are missing, DocumentsChanged where they are not those that were seen, PaperEnded.
 */
export async function approveDocuments(ctx: Context, { expiresOn = null, ...decider }: Decider & { expiresOn?: string | null }): Promise<void> {
  const current = await pending(ctx, decider);
  if (missingFiles(current.kinds, current.cnpj !== null).length > 0) throw new DocumentsIncomplete();
  if (expiresOn !== null && expiresOn < isoDay(ctx.now())) throw new PaperEnded();
  await decide(ctx, { ...decider, current, set: { status: "approved", rejectionReason: null, rejectionCode: null, expiresOn }, drops: [] });
}

type Rejection = { code: RejectionCode; note?: string; /** ISO date: the day of birth that the paper shows, for `underage`. */ bornOn?: string | null; /** The same day, from who read the age that it makes; left out where nobody is asked again. */ confirmedBornOn?: string | null };

/**
 * Sends documents back with one of our reasons, which the person reads with what to do; files that it speaks of have to come again. Whose paper shows less than
 * 18 years sells nothing more, and the renewals worker gives back what was not paid out to them. Refuses as `approveDocuments` does, and
 * NotUnderage, UnlikelyBirthDate, AgeToConfirm.
 */
export async function rejectDocuments(ctx: Context, { code, note = "", bornOn = null, confirmedBornOn = bornOn, ...decider }: Decider & Rejection): Promise<void> {
  const current = await pending(ctx, decider);
  const shown = code === "underage" ? { birthDate: underageDate(ctx, { bornOn, confirmedBornOn }) } : {};
  const reason = rejectionWords(code, note);
  await decide(ctx, { ...decider, current, set: { status: "rejected", rejectionReason: reason, rejectionCode: code, expiresOn: null, ...shown }, drops: REJECTIONS[code].drops });
  await clearRemovedFiles(ctx, decider);
}

function underageDate(ctx: Context, { bornOn, confirmedBornOn }: Required<Pick<Rejection, "bornOn" | "confirmedBornOn">>): string {
  const now = ctx.now();
  if (!bornOn || isOfAge(bornOn, now)) throw new NotUnderage();
  if (!isLikelyUnderage(bornOn, now)) throw new UnlikelyBirthDate();
  if (confirmedBornOn !== bornOn) throw new AgeToConfirm(yearsOld(bornOn, now));
  return bornOn;
}

async function pending(ctx: Context, { moderatorId, personId, seenAt }: Decider): Promise<DocumentsUnderDecision> {
  if (!(await isModerator(ctx, { personId: moderatorId }))) throw new NotAModerator();
  if (moderatorId === personId) throw new OwnDocuments();
  const current = await documentsUnderDecision(ctx, { personId });
  if (current?.status !== "submitted") throw new DocumentsNotPending();
  if (seenAt !== undefined && seenAt !== (current.filesAt ?? 0)) throw new DocumentsChanged();
  return current;
}

type Decision = Decider & { current: DocumentsUnderDecision; set: { status: "approved" | "rejected"; rejectionReason: string | null; rejectionCode: string | null; expiresOn: string | null; birthDate?: string }; drops: readonly FileKind[] };

async function decide(ctx: Context, { moderatorId, personId, current, set, drops }: Decision): Promise<void> {
  const decidedAt = ctx.now();
  try {
    await commit(ctx.db, [
      exactlyOne(
        ctx.db
          .update(documents)
          .set({ ...set, decidedAt, decidedBy: moderatorId, remindedAt: null })
          // What was read is what is decided: documents or files sent again meanwhile have another `submittedAt` or `filesAt`.
          .where(
            and(
              eq(documents.personId, personId),
              eq(documents.status, "submitted"),
              eq(documents.submittedAt, current.submittedAt),
              sql`${documents.filesAt} IS ${current.filesAt}`,
            ),
          ),
      ),
      ...(drops.length > 0 ? [removedStatement(ctx, { personId, kinds: drops })] : []),
      announce(ctx, `documents:${personId}:${current.submittedAt}:${set.status}`, {
        type: "documents.decided",
        personId,
        decision: set.status,
        reason: set.rejectionReason ?? "",
        decidedAt,
      }),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    throw (await documentsOf(ctx, { personId }))?.status === "submitted" ? new DocumentsChanged() : new DocumentsNotPending();
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
