import { MINUTE_MS, SECOND_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** RFC 6238, section 4: the value that every authenticator supports. */
const STEP_MS = 30 * SECOND_MS;

/** The time between the password and the code, and between the QR code and its first code. */
export const SECOND_FACTOR_WAIT_MS = 10 * MINUTE_MS;

/** Wrong codes of one account in ten minutes. */
export const SECOND_FACTOR_TRIES = 5;

export const BACKUP_CODES = 10;
const BACKUP_CODE_LENGTH = 10;
/** 32 letters and digits without look-alikes: five bits each. */
const BACKUP_ALPHABET = "abcdefghjkmnpqrstuvwxyz123456789";

/**
 * Returns the time steps whose code is valid at `now`. They are this one, and its neighbours for
 * clocks that differ (RFC 6238, section 5.2).
 */
export function totpStepsAt(now: Instant): number[] {
  const step = Math.floor(now / STEP_MS);
  return [step, step - 1, step + 1];
}

/** Builds a backup code from at least ten random bytes. */
export function backupCodeOf(bytes: Uint8Array): string {
  return Array.from(bytes.slice(0, BACKUP_CODE_LENGTH), (byte) =>
    BACKUP_ALPHABET.charAt(byte % BACKUP_ALPHABET.length),
  ).join("");
}

/** Formats a backup code for reading and writing down: `abcde-fghjk`. */
export function backupCodeText(code: string): string {
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}

/** Whether a typed code is an authenticator's, and not a backup code. */
export function isAuthenticatorCode(code: string): boolean {
  return /^\d{6}$/.test(code);
}

/** Whether a secret shown at `shownAt` can still be confirmed. */
export function isEnrolmentOpen(shownAt: Instant, now: Instant): boolean {
  return now - shownAt < SECOND_FACTOR_WAIT_MS;
}
