import { approvalDeadline, APPROVAL_DAYS, isRenewalPending } from "#app/domain/documents/rules.ts";
import { RENEWAL_DAYS } from "#app/domain/documents/files/rules.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import { addDays, instantOfIsoDay, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * Days before the end of the 14 in which who sent documents is told that they end, and moderators
 * see them marked.
 */
const WARNING_DAYS = 4;

export type DocumentsStep = "warn_deadline" | "warn_expiry" | "expire" | "settle_contest";

/** From which `submittedAt` on nobody is warned yet at `now`. */
export const warningCutoff = (now: Instant): Instant => addDays(now, WARNING_DAYS - APPROVAL_DAYS);

/**
 * What the calendar asks of documents at `now`: 4 days before the 14 end whoever waits is told
 * once; 30 days before the paper ends whoever was approved is told once; the day after its last
 * they are submitted again, and payouts wait for the new one. Who sent that in time waits for us:
 * their approval stands 14 days longer. Who contests a number and sent every file has it once
 * nobody else does (`canTakeTaxIdSql`).
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
 * Until when a moderator answers: 14 days after documents were sent, and before its end of who sent
 * a new paper in place of one.
 */
export const decisionDueAt = (
  documents: Pick<Documents, "status" | "submittedAt" | "expiresOn" | "filesAt" | "decidedAt">,
): Instant =>
  isRenewalPending(documents) && documents.expiresOn !== null
    ? instantOfIsoDay(documents.expiresOn)
    : approvalDeadline(documents.submittedAt);

/** Whether the answer is due within `WARNING_DAYS`, or late. */
export const isDecisionUrgent = (by: Instant, now: Instant): boolean =>
  by <= addDays(now, WARNING_DAYS);
