import { REJECTION_REASONS } from "#app/domain/documents/reasons/rules.ts";
import type { RejectionCode } from "#app/domain/documents/reasons/rules.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import { addDays } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Days in which a person who was asked to correct their documents reserves their tax id. */
const NUMBER_RETAINED_DAYS = 7;

/**
 * Returns until when documents rejected at `now` reserve their tax id against contestants. A bad
 * photo or a typo in the name does not say whose it is. Null for the reasons that do, for an
 * underage person, and for contestants: they never held it.
 */
export const taxIdHeldUntil = (
  { status }: Pick<Documents, "status">,
  code: RejectionCode,
  now: Instant,
): Instant | null =>
  status !== "contested" && REJECTION_REASONS[code].keepsNumber
    ? addDays(now, NUMBER_RETAINED_DAYS)
    : null;

/** The version of a contestant as a moderator viewed it: files or documents sent again change it. */
export const contestVersion = ({
  personId,
  submittedAt,
  filesAt,
}: Pick<Documents, "personId" | "submittedAt" | "filesAt">): string =>
  `${personId}:${submittedAt}:${filesAt ?? 0}`;
