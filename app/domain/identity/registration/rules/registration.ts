import { BirthDateInFuture, TooYoung } from "#app/domain/identity/registration/errors.ts";
import {
  hasReachedAge,
  isBirthDateInFuture,
  MEMBER_YEARS,
} from "#app/domain/identity/account-status/rules/age.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How long a registration waits for its code and missing details. */
export const REGISTRATION_LIFE_MS = 30 * MINUTE_MS;

/**
 * Refuses a future birth date, and a person under 16 in São Paulo at `now`. `birthDate` is an ISO
 * date.
 */
export function enforceMinimumAge(birthDate: string, now: Instant): void {
  if (isBirthDateInFuture(birthDate, now)) throw new BirthDateInFuture();
  if (!hasReachedAge(MEMBER_YEARS, birthDate, now)) throw new TooYoung();
}
