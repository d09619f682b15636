import { MINUTE_MS } from "#app/domain/time.ts";

/**
 * Delay of the reminder. A payer still at their bank's page gets none; after this long the tab is
 * closed or forgotten.
 */
export const CONFIRMATION_REMINDER_AFTER_MS = 5 * MINUTE_MS;

/** Outbox key of the reminder, sent once, that a first payment waits for confirmation. */
export const confirmationReminderKey = (chargeId: string): string =>
  `charge:${chargeId}:to_confirm`;
