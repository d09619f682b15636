import { approvalDeadline, APPROVAL_DAYS } from "#app/domain/documents/rules.ts";
import { RENEWAL_DAYS } from "#app/domain/documents/rules/files.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import { addDays, isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Days before the end of the 14 in which who sent documents is told that they end, and moderators see them marked. */
export const WARNING_DAYS = 4;

export type DocumentsStep = "warn_deadline" | "warn_expiry" | "expire";

/** From which `submittedAt` on nobody is warned yet at `now`. */
export const warnedUntil = (now: Instant): Instant => addDays(now, WARNING_DAYS - APPROVAL_DAYS);

/**
 * What the calendar asks of documents at `now`: 4 days before the 14 end whoever waits is told once; 30 days before the paper ends whoever was
 * approved is told once; the day after its last they are submitted again, and payouts wait for the new one.
 */
export function documentsStep(documents: Pick<Documents, "status" | "submittedAt" | "expiresOn" | "remindedAt">, now: Instant): DocumentsStep | null {
  const { status, submittedAt, expiresOn, remindedAt } = documents;
  if (status === "submitted") return remindedAt === null && isNearDeadline(submittedAt, now) && now < approvalDeadline(submittedAt) ? "warn_deadline" : null;
  if (status !== "approved" || expiresOn === null) return null;
  if (expiresOn < isoDay(now)) return "expire";
  return remindedAt === null && expiresOn <= isoDay(addDays(now, RENEWAL_DAYS)) ? "warn_expiry" : null;
}

export const isNearDeadline = (submittedAt: Instant, now: Instant): boolean => submittedAt <= warnedUntil(now);
