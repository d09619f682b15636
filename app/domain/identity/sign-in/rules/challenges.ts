import { MINUTE_MS, SECOND_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Source: issue 3, rules. */
export const CODE_LIFE_MS = 10 * MINUTE_MS;
export const CODE_TRIES = 5;
export const RESEND_AFTER_MS = 30 * SECOND_MS;
/** How long after a password was typed money and identity can change without typing it again. */
export const RECENT_AUTH_MS = 10 * MINUTE_MS;

/** The state of a sent code or link, for a try now. */
export type ChallengeState = "live" | "used" | "expired" | "worn-out";

/**
 * Returns the state of a challenge. `tries` counts the wrong ones so far. The last allowed one is
 * still checked.
 */
export function challengeState(
  challenge: { tries: number; expiresAt: Instant; usedAt: Instant | null },
  now: Instant,
): ChallengeState {
  if (challenge.usedAt !== null) return "used";
  if (now >= challenge.expiresAt) return "expired";
  return challenge.tries >= CODE_TRIES ? "worn-out" : "live";
}

/** Returns whole seconds until the next email can be requested; 0 when it can. */
export function resendWaitSeconds(sentAt: Instant, now: Instant): number {
  return Math.max(0, Math.ceil((sentAt + RESEND_AFTER_MS - now) / SECOND_MS));
}

/** Whether an authentication at `provedAt` is still recent enough. */
export function isRecentAuth(provedAt: Instant, now: Instant): boolean {
  return now - provedAt < RECENT_AUTH_MS;
}
