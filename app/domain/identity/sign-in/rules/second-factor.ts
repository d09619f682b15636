import { MINUTE_MS, SECOND_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** RFC 6238, section 4: what every authenticator takes without asking. */
const STEP_MS = 30 * SECOND_MS;

/** Between the password and the code, and between the QR code and its first code. */
export const SECOND_FACTOR_WAIT_MS = 10 * MINUTE_MS;

/** Wrong codes of one account in ten minutes. */
export const SECOND_FACTOR_TRIES = 5;

export const BACKUP_CODES = 10;
const BACKUP_CODE_LENGTH = 10;
/** 32 letters and digits, none of which passes for another: five bits each. */
const BACKUP_ALPHABET = "abcdefghjkmnpqrstuvwxyz123456789";

/**
 * The time steps whose code is right at `now`: this one, and its neighbours for clocks that differ
 * (RFC 6238, section 5.2).
 */
export function totpStepsAt(now: Instant): number[] {
  const step = Math.floor(now / STEP_MS);
  return [step, step - 1, step + 1];
}

/** A backup code from at least ten random bytes. */
export function backupCodeOf(bytes: Uint8Array): string {
  return Array.from(bytes.slice(0, BACKUP_CODE_LENGTH), (byte) =>
    BACKUP_ALPHABET.charAt(byte % BACKUP_ALPHABET.length),
  ).join("");
}

/** As it is read and written down: `abcde-fghjk`. */
export function backupCodeText(code: string): string {
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}

/** Whether what was typed is a code of an authenticator, and not a backup code. */
export function isAuthenticatorCode(code: string): boolean {
  return /^\d{6}$/.test(code);
}

/** Whether a secret that was shown at `shownAt` may still be confirmed. */
export function isEnrolmentOpen(shownAt: Instant, now: Instant): boolean {
  return now - shownAt < SECOND_FACTOR_WAIT_MS;
}
