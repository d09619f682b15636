import type { Instant } from "#app/domain/time.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { isAddressOpen } from "./addresses.ts";
import type { AddressStatus } from "./addresses.ts";
import { isUrgent, isWanted } from "./kinds.ts";
import type { NotificationChannel, NotificationChoice, NotificationKind } from "./kinds.ts";
import { quietUntil } from "./quiet-hours.ts";
import type { NotificationHours } from "./quiet-hours.ts";

/** What the recipient of a delivery is and wants at the moment of sending. */
export type RecipientSnapshot = {
  /** False for deleted and banned people. */
  isReachable: boolean;
  choices: readonly NotificationChoice[];
  hours: NotificationHours;
  /** They muted the post, or muted or blocked whom it comes from, or were blocked by them. */
  isSilenced: boolean;
  /** What it is about was withdrawn, hidden or removed, or they read it already. */
  isOutdated: boolean;
  address: AddressStatus;
};

export type SendingDecision = { do: "send" } | { do: "skip" } | { do: "wait"; until: Instant };

/**
 * Decides whether a delivery is sent at `now`, is not wanted any more, or waits for the end of the
 * person's quiet hours. What is urgent never waits.
 */
export function decideSending(
  { kind, channel }: { kind: NotificationKind; channel: NotificationChannel },
  recipient: RecipientSnapshot,
  now: Instant,
): SendingDecision {
  if (!recipient.isReachable || recipient.isSilenced || recipient.isOutdated) return { do: "skip" };
  if (!isWanted(recipient.choices, kind, channel)) return { do: "skip" };
  if (channel === "mail" && !isAddressOpen(recipient.address, kind)) return { do: "skip" };
  const until = isUrgent(kind) ? null : quietUntil(recipient.hours, now);
  return until === null ? { do: "send" } : { do: "wait", until };
}

/** How long a newsletter waits for a post that was taken down or is held. */
const PAUSED_AT_MOST_MS = 6 * DAY_MS;
const PAUSE_MS = 30 * MINUTE_MS;

/**
 * Returns when a newsletter, asked for at `createdAt`, is looked at again while its post is down;
 * or null when it has waited for six days.
 */
export const pausedUntil = (createdAt: Instant, now: Instant): Instant | null =>
  now - createdAt >= PAUSED_AT_MOST_MS ? null : now + PAUSE_MS;

const LONGEST_BACKOFF_MS = 60 * MINUTE_MS;
/** A push says what is new; an email may come late. */
const GIVEN_UP_AFTER_MS: Record<string, number> = { mail: 7 * DAY_MS, push: 2 * DAY_MS };
/** A worker that stood still for days does not end a delivery. */
const ATTEMPTS_AT_LEAST = 12;

/**
 * Returns when a delivery that failed at `now` is tried again, after 1, 2, 4 … up to 60 minutes; or
 * null when it is given up, an email after seven days and a push after two, and not before twelve
 * attempts.
 */
export function nextSendingAt(
  { channel, attempts, createdAt }: { channel: string; attempts: number; createdAt: Instant },
  now: Instant,
): Instant | null {
  const isOver = now - createdAt >= (GIVEN_UP_AFTER_MS[channel] ?? 0);
  if (isOver && attempts >= ATTEMPTS_AT_LEAST) return null;
  return now + Math.min(LONGEST_BACKOFF_MS, MINUTE_MS * 2 ** Math.min(attempts - 1, 10));
}
