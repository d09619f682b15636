import type { SellerCompany, Documents, DocumentsStatus } from "./schema.ts";
import { hasReachedAge } from "#app/domain/identity/account-status/rules/age.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { addDays } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

const ADULT_YEARS = 18;

/**
 * Days that a seller has from submitting documents to their approval. Source: domain rules,
 * "Documents".
 */
export const APPROVAL_DAYS = 14;

/**
 * Whether a person born on `birthDate` (ISO) is 18 in São Paulo at `now`. The birthday itself
 * counts. A person born on 29 February comes of age on 1 March (Código Civil, art. 132, § 3).
 */
export function isOfAge(birthDate: string, now: Instant): boolean {
  return hasReachedAge(ADULT_YEARS, birthDate, now);
}

/** Nobody younger submits documents to sell: such a year is a typo. */
const LEAST_LIKELY_YEARS = 10;

/**
 * Whether a birth date (ISO) that a moderator read may be that of a person under 18 at `now`. A
 * future date and a child's date are not. INVARIANT: nobody's sales are undone by a date that
 * cannot be the seller's. Source: domain rules, "Documents";
 * docs/decisions/identity/approve-documents-only-after-people-saw-them.md.
 */
export function isLikelyUnderage(birthDate: string, now: Instant): boolean {
  return !isOfAge(birthDate, now) && hasReachedAge(LEAST_LIKELY_YEARS, birthDate, now);
}

/**
 * Returns the status of documents. Documents that their owner withdrew count as not sent: nobody
 * rejected them.
 */
export function documentsStatus(
  documents: (Pick<Documents, "status"> & Partial<Pick<Documents, "rejectionCode">>) | null,
): DocumentsStatus {
  return documents === null || documents.rejectionCode === CONTEST_WITHDRAWN_CODE
    ? "missing"
    : documents.status;
}

/** Returns until when documents submitted at `submittedAt` allow sales without a decision. */
export function approvalDeadline(submittedAt: Instant): Instant {
  return addDays(submittedAt, APPROVAL_DAYS);
}

/**
 * Whether the documents allow sales. Sales start on submission, last 14 days without a decision,
 * and have no limit after approval.
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
 * Whether a new document came while the approved one counts. It waits for a moderator, and the
 * approval stays. Source: docs/decisions/identity/approve-documents-only-after-people-saw-them.md.
 */
export const isRenewalPending = ({
  status,
  filesAt,
  decidedAt,
}: Pick<Documents, "status" | "filesAt" | "decidedAt">): boolean =>
  status === "approved" && filesAt !== null && decidedAt !== null && filesAt > decidedAt;

/**
 * Whether documents are in the moderation queue: newly submitted, contested, or a new document in
 * place of an expiring one.
 */
export const awaitsDecision = (
  documents: Pick<Documents, "status" | "filesAt" | "decidedAt">,
): boolean => isUndecided(documents.status) || isRenewalPending(documents);

/** Documents can be submitted when there are none, or when the last ones were rejected. */
export function canSubmitDocuments(status: DocumentsStatus): boolean {
  return status === "missing" || status === "rejected";
}

/**
 * Returns the tax id under which a person sells: their company's CNPJ, or else their own CPF.
 * Source: domain rules, "Documents".
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

/** In the place of a reason: the contestant withdrew the contest. It is no moderator's decision. */
export const CONTEST_WITHDRAWN_CODE = "withdrawn";
