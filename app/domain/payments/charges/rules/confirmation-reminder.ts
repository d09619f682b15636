import { MINUTE_MS } from "#app/domain/time.ts";

/**
 * Whoever is at their bank's page is not written to: after this long the tab was closed, or
 * forgotten.
 */
export const CONFIRMATION_REMINDER_AFTER_MS = 5 * MINUTE_MS;

/** The announcement, made once, that a first payment waits for its payer's bank. */
export const confirmationReminderKey = (chargeId: string): string =>
  `charge:${chargeId}:to_confirm`;
