import { isoDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Younger people only with a linked guardian. Source: domain rules, "Data protection". */
export const MEMBER_YEARS = 16;

/**
 * Whether a person born on `birthDate` (ISO) is `years` old in São Paulo at `now`. The birthday
 * itself counts. A person born on 29 February has their birthday on 1 March (Código Civil, art.
 * 132, § 3).
 */
export function hasReachedAge(years: number, birthDate: string, now: Instant): boolean {
  const birthday = `${Number(birthDate.slice(0, 4)) + years}${birthDate.slice(4)}`;
  return isoDay(now) >= birthday;
}

/**
 * Returns the age of a person born on `birthDate` (ISO), in São Paulo at `now`, in years. Uses the
 * birthdays of `hasReachedAge`. Negative before the birth.
 */
export function ageInYears(birthDate: string, now: Instant): number {
  const years = Number(isoDay(now).slice(0, 4)) - Number(birthDate.slice(0, 4));
  return hasReachedAge(years, birthDate, now) ? years : years - 1;
}

/** Whether `birthDate` (ISO) is a future date in São Paulo at `now`. */
export function isBirthDateInFuture(birthDate: string, now: Instant): boolean {
  return birthDate > isoDay(now);
}
