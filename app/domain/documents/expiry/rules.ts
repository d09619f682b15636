import { approvalDeadline, APPROVAL_DAYS, isRenewalPending } from "#app/domain/documents/rules.ts";
import { RENEWAL_DAYS } from "#app/domain/documents/files/rules.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import { addDays, instantOfIsoDay, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * Days before the end of the 14 in which the person is warned, and moderators see the documents
 * marked.
 */
const WARNING_DAYS = 4;

export type DocumentsStep = "warn_deadline" | "warn_expiry" | "expire" | "settle_contest";

/** Documents submitted from this instant on are not warned about yet at `now`. */
export const warningCutoff = (now: Instant): Instant => addDays(now, WARNING_DAYS - APPROVAL_DAYS);

/**
 * Decides the due step of documents at `now`. Four days before the 14 end, a waiting person is
 * warned once. Thirty days before the document expires, an approved person is warned once. The day
 * after its last day, the documents are submitted again, and payouts wait for the new one. A person
 * who sent that in time waits for us: their approval lasts 14 days longer. A contestant who sent
 * every file gets the tax id once nobody else holds it (`canTakeTaxIdSql`).
 */
export function documentsStep(
  documents: Pick<
    Documents,
    "status" | "submittedAt" | "expiresOn" | "remindedAt" | "filesAt" | "decidedAt"
  >,
  now: Instant,
): DocumentsStep | null {
  const { status, submittedAt, expiresOn, remindedAt } = documents;
  if (status === "contested") return "settle_contest";
  if (status === "submitted")
    return remindedAt === null &&
      isNearDeadline(submittedAt, now) &&
      now < approvalDeadline(submittedAt)
      ? "warn_deadline"
      : null;
  if (status !== "approved" || expiresOn === null) return null;
  const isSent = isRenewalPending(documents);
  if (expiresOn < isoDay(isSent ? addDays(now, -APPROVAL_DAYS) : now)) return "expire";
  return remindedAt === null && !isSent && expiresOn <= isoDay(addDays(now, RENEWAL_DAYS))
    ? "warn_expiry"
    : null;
}

const isNearDeadline = (submittedAt: Instant, now: Instant): boolean =>
  submittedAt <= warningCutoff(now);

/**
 * Returns when a moderator must decide: 14 days after submission, or before the expiry of the
 * document that a new one replaces.
 */
export const decisionDueAt = (
  documents: Pick<Documents, "status" | "submittedAt" | "expiresOn" | "filesAt" | "decidedAt">,
): Instant =>
  isRenewalPending(documents) && documents.expiresOn !== null
    ? instantOfIsoDay(documents.expiresOn)
    : approvalDeadline(documents.submittedAt);

/** Whether the decision is due within `WARNING_DAYS`, or overdue. */
export const isDecisionUrgent = (by: Instant, now: Instant): boolean =>
  by <= addDays(now, WARNING_DAYS);
