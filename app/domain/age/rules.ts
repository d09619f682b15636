import { isOfAge, documentsStatus } from "#app/domain/documents/rules.ts";
import type { Documents } from "#app/domain/documents/schema.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How long a person has to answer at the provider and come back. */
export const AGE_CHECK_LIFETIME_MS = HOUR_MS;

/**
 * After a "no" nobody is asked again for as long: a check that is tried until it says yes checks
 * nothing.
 */
export const AGE_CHECK_RETRY_AFTER_MS = DAY_MS;

/** Checks that one person may begin, however they end: each may cost money at its provider. */
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
 * Why a person may not be sent to the age check now, or null when they may. Who said at the sign-up
 * that they are younger is not asked at all; who declared more is, because a declared age never
 * suffices. Source: domain rules, "Data protection".
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
 * Why a page may not be marked as for adults, or null when it may: the documents of whoever creates
 * must show 18 years, sent and not refused.
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
