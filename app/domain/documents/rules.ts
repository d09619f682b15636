import { CONTEST_WITHDRAWN_CODE } from "#app/domain/documents/contests/rules.ts";
import type { SellerCompany, Documents, DocumentsStatus } from "#app/domain/documents/schema.ts";
import { hasReachedAge } from "#app/domain/identity/account-status/rules/age.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { addDays } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

const ADULT_YEARS = 18;

/**
 * Days that who sells has from sending the documents to having them approved. Source: domain rules,
 * "Documents".
 */
export const APPROVAL_DAYS = 14;

/**
 * Whether whoever was born on `birthDate` (ISO) is 18 in São Paulo at `now`; the birthday itself
 * counts, and who was born on 29 February comes of age on 1 March (Código Civil, art. 132, § 3).
 */
export function isOfAge(birthDate: string, now: Instant): boolean {
  return hasReachedAge(ADULT_YEARS, birthDate, now);
}

/** Nobody younger sends papers to sell: such a year was mistyped. */
const LEAST_LIKELY_YEARS = 10;

/**
 * Whether a day of birth (ISO) that a moderator read may be that of somebody under 18 at `now`: not
 * one to come, nor of a child. Invariant: nobody's sales are undone by a date that cannot be of who
 * sells. Source: domain rules, "Documents";
 * docs/decisions/identity/approve-documents-only-after-people-saw-them.md.
 */
export function isLikelyUnderage(birthDate: string, now: Instant): boolean {
  return !isOfAge(birthDate, now) && hasReachedAge(LEAST_LIKELY_YEARS, birthDate, now);
}

/** What somebody took back themselves was refused by nobody: it counts as not sent. */
export function documentsStatus(
  documents: (Pick<Documents, "status"> & Partial<Pick<Documents, "rejectionCode">>) | null,
): DocumentsStatus {
  return documents === null || documents.rejectionCode === CONTEST_WITHDRAWN_CODE
    ? "missing"
    : documents.status;
}

/** The instant until which who sent documents at `submittedAt` may sell without an answer. */
export function approvalDeadline(submittedAt: Instant): Instant {
  return addDays(submittedAt, APPROVAL_DAYS);
}

/**
 * Selling starts once documents are sent, lasts 14 days without an answer, and is free of term once
 * approved.
 */
export function canSell(
  documents: Pick<Documents, "status" | "submittedAt"> | null,
  now: Instant,
): boolean {
  if (documents?.status === "approved") return true;
  return documents?.status === "submitted" && now < approvalDeadline(documents.submittedAt);
}

/** What waits for a moderator. */
export const isUndecided = (status: DocumentsStatus): status is "submitted" | "contested" =>
  status === "submitted" || status === "contested";

/**
 * A new paper came while the one that was approved counts: it waits for a moderator, and the
 * approval stands meanwhile. Source:
 * docs/decisions/identity/approve-documents-only-after-people-saw-them.md.
 */
export const isRenewalPending = ({
  status,
  filesAt,
  decidedAt,
}: Pick<Documents, "status" | "filesAt" | "decidedAt">): boolean =>
  status === "approved" && filesAt !== null && decidedAt !== null && filesAt > decidedAt;

/**
 * What is in the queue of moderators: newly sent, contested, or a new paper in place of one that
 * ends.
 */
export const awaitsDecision = (
  documents: Pick<Documents, "status" | "filesAt" | "decidedAt">,
): boolean => isUndecided(documents.status) || isRenewalPending(documents);

/** Documents are sent when there are none, or when the last ones were rejected. */
export function canSubmitDocuments(status: DocumentsStatus): boolean {
  return status === "missing" || status === "rejected";
}

/**
 * The number under which somebody sells: their company's CNPJ, or else their own CPF. Source:
 * domain rules, "Documents".
 */
export function sellerTaxId({
  cpf,
  company,
}: {
  cpf: string;
  company?: SellerCompany | null;
}): TaxId {
  return company ? { taxKind: "cnpj", taxId: company.cnpj } : { taxKind: "cpf", taxId: cpf };
}
