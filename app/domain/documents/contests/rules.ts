import { REJECTION_REASONS } from "#app/domain/documents/reasons/rules.ts";
import type { RejectionCode } from "#app/domain/documents/reasons/rules.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import { addDays } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Days in which who was asked to mend their documents still has their number. */
const NUMBER_KEPT_DAYS = 7;

/**
 * Until when documents rejected at `now` keep their number from who contests it: a bad photo or a
 * typo in the name says nothing of whose the number is. Null for the reasons that do, for who is
 * not of age, and for who only contested it: they never had it.
 */
export const taxIdHeldUntil = (
  { status }: Pick<Documents, "status">,
  code: RejectionCode,
  now: Instant,
): Instant | null =>
  status !== "contested" && REJECTION_REASONS[code].keepsNumber
    ? addDays(now, NUMBER_KEPT_DAYS)
    : null;

/**
 * In the place of a reason: who contested a number took that back themselves, which is no
 * moderator's ruling.
 */
export const CONTEST_WITHDRAWN_CODE = "withdrawn";

/**
 * The other side of a contested number as a moderator saw it: files or documents sent again have
 * another.
 */
export const contestVersion = ({
  personId,
  submittedAt,
  filesAt,
}: Pick<Documents, "personId" | "submittedAt" | "filesAt">): string =>
  `${personId}:${submittedAt}:${filesAt ?? 0}`;
