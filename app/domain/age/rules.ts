import { isOfAge, documentsStatus } from "#app/domain/documents/rules.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How long a person has to answer at the provider and return. */
export const AGE_CHECK_LIFETIME_MS = HOUR_MS;

/** The wait after a "no". A check that can be retried until it says yes checks nothing. */
export const AGE_CHECK_RETRY_AFTER_MS = DAY_MS;

/**
 * Limit of checks that one person can start, whatever their result: each may cost money at its
 * provider.
 */
export const AGE_CHECK_RATE_LIMITS = [{ windowMs: DAY_MS, limit: 10 }] as const;

export type AgeStatus = {
  birthDate: string | null;
  ageCheckedAt: Instant | null;
  refusedAt: Instant | null;
};

export type AgeCheckProblem =
  | { kind: "checked" }
  | { kind: "underage" }
  | { kind: "refused"; until: Instant };

/**
 * Returns why a person cannot start the age check now, or null. Someone who declared to be younger
 * at sign-up is refused. A declared age of 18 is never enough. Source: domain rules, "Data
 * protection".
 */
export function ageCheckProblem(
  { birthDate, ageCheckedAt, refusedAt }: AgeStatus,
  now: Instant,
): AgeCheckProblem | null {
  if (ageCheckedAt !== null) return { kind: "checked" };
  if (birthDate !== null && !isOfAge(birthDate, now)) return { kind: "underage" };
  const until = refusedAt === null ? null : refusedAt + AGE_CHECK_RETRY_AFTER_MS;
  return until !== null && until > now ? { kind: "refused", until } : null;
}

export type AdultMarkProblem = "documents_missing" | "documents_rejected" | "underage";

/**
 * Returns why a page cannot be marked as for adults, or null. The creator's documents must show 18
 * years, and be submitted and not refused.
 */
export function adultMarkProblem(
  documents: Pick<Documents, "status" | "birthDate"> | null,
  now: Instant,
): AdultMarkProblem | null {
  const status = documentsStatus(documents);
  if (documents === null || status === "missing") return "documents_missing";
  if (status === "rejected") return "documents_rejected";
  return isOfAge(documents.birthDate, now) ? null : "underage";
}
