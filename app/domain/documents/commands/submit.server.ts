import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  DocumentsAlreadyApproved,
  DocumentsUnderReview,
  TaxIdInUse,
  SellerUnderage,
} from "#app/domain/documents/errors.ts";
import { documentsOfPerson, isCpfBanned } from "#app/domain/documents/queries.server.ts";
import { taxIdHolder } from "#app/domain/documents/contests/queries.server.ts";
import { isOfAge, isUndecided, sellerTaxId } from "#app/domain/documents/rules.ts";
import type { SellerCompany, Documents } from "#app/domain/documents/schema.ts";
import { documents } from "#drizzle/schema/documents.ts";
import {
  contestOpenedStatement,
  releaseTaxIdStatements,
} from "#app/domain/documents/contests/commands.server.ts";

export type Submission = {
  personId: string;
  fullName: string;
  cpf: string;
  birthDate: string;
  /** The selling company, whose responsible person this is. Null or left out for a single person. */
  company?: SellerCompany | null;
  /** Another account has the tax id, and this person claims it. */
  contests?: boolean;
};

/**
 * Builds the writes that submit documents. `cpf` has eleven digits, `birthDate` is an ISO date. For
 * a company, they are those of the responsible person. Returns no writes when the same documents
 * already wait, so two clicks are one. Refuses a person under 18, and a CPF or CNPJ that another
 * account sells under. An account without files after its 14 days loses the tax id. With
 * `contests`, the documents wait for a moderator and sell nothing, and the tax id holder is
 * notified. Refuses, unless contested, a CPF whose other account was banned (`isTaxIdBarredSql`).
 * Refuses new documents while the last ones wait or are approved. The index `documents_tax_id`
 * refuses a tax id that was taken meanwhile.
 */
export async function submitDocumentsStatements(
  ctx: Context,
  submission: Submission,
): Promise<BatchWrite[]> {
  const now = ctx.now();
  if (!isOfAge(submission.birthDate, now)) throw new SellerUnderage();
  const current = await documentsOfPerson(ctx, submission);
  if (current?.status === "approved") throw new DocumentsAlreadyApproved();
  if (current && isUndecided(current.status)) {
    if (isSame(current, submission)) return [];
    throw new DocumentsUnderReview();
  }
  // A person found to be under age cannot submit another date before they turn 18.
  if (current?.rejectionCode === "underage" && !isOfAge(current.birthDate, now))
    throw new SellerUnderage();
  const { taxKind, taxId } = sellerTaxId(submission);
  const holder = await taxIdHolder(ctx, { personId: submission.personId, taxId });
  // A banned person cannot return with another company, and nobody learns of the ban. The owner of
  // a CPF that a banned stranger used can contest it, and a moderator decides.
  const isBanned = await isCpfBanned(ctx, submission);
  const contests = isBanned || (holder !== null && !holder.isEmpty);
  if (contests && !submission.contests)
    throw new TaxIdInUse(isBanned ? "cpf" : taxKind, { mayContest: true });

  const sent = {
    status: contests ? ("contested" as const) : ("submitted" as const),
    cpf: submission.cpf,
    fullName: submission.fullName,
    birthDate: submission.birthDate,
    cnpj: submission.company?.cnpj ?? null,
    companyName: submission.company?.name ?? null,
    rejectionReason: null,
    rejectionCode: null,
    expiresOn: null,
    remindedAt: null,
    numberUntil: null,
    submittedAt: now,
    decidedAt: null,
    decidedBy: null,
  };
  // The holder loses the tax id if they sent no files. Otherwise they are notified of the contest.
  const holders =
    holder === null
      ? []
      : contests
        ? [contestOpenedStatement(ctx, { personId: holder.personId, taxKind })]
        : releaseTaxIdStatements(ctx, holder);
  if (!current)
    return [
      ...holders,
      ctx.db.insert(documents).values({ personId: submission.personId, ...sent }),
    ];
  return [
    ...holders,
    mustChangeOne(
      ctx.db
        .update(documents)
        .set(sent)
        .where(and(eq(documents.personId, submission.personId), eq(documents.status, "rejected"))),
    ),
  ];
}

/**
 * Commits a batch with `submitDocumentsStatements`. Throws TaxIdInUse when another account took the
 * same tax id first. Throws DocumentsUnderReview when the same person was faster in another tab.
 */
export async function commitDocuments(
  ctx: Context,
  { submission, writes }: { submission: Submission; writes: BatchWrite[] },
): Promise<void> {
  try {
    await commit(ctx.db, writes);
  } catch (error) {
    const wasFirst =
      error instanceof StaleWrite ||
      (error instanceof UniqueViolation && error.columns.startsWith("documents."));
    if (!wasFirst) throw error;
    // The same person's other tab violates the index of the tax id too.
    const previous = await documentsOfPerson(ctx, submission);
    throw previous && isUndecided(previous.status)
      ? new DocumentsUnderReview()
      : new TaxIdInUse(sellerTaxId(submission).taxKind, { mayContest: true });
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
