import { MINUTE_MS, SECOND_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** Source: issue 3, rules. */
export const CODE_LIFE_MS = 10 * MINUTE_MS;
export const CODE_TRIES = 5;
export const RESEND_AFTER_MS = 30 * SECOND_MS;
/** How long after a password was typed money and identity may be changed without typing it again. */
export const RECENT_AUTH_MS = 10 * MINUTE_MS;

/** What became of something sent, as far as a try now is concerned. */
export type ChallengeState = "live" | "used" | "expired" | "worn-out";

/** `tries` are the wrong ones so far; the last allowed one is still answered. */
export function challengeState(
  challenge: { tries: number; expiresAt: Instant; usedAt: Instant | null },
  now: Instant,
): ChallengeState {
  if (challenge.usedAt !== null) return "used";
  if (now >= challenge.expiresAt) return "expired";
  return challenge.tries >= CODE_TRIES ? "worn-out" : "live";
}

/** Whole seconds until the next mail may be asked for; 0 when it may. */
export function resendWaitSeconds(sentAt: Instant, now: Instant): number {
  return Math.max(0, Math.ceil((sentAt + RESEND_AFTER_MS - now) / SECOND_MS));
}

/** Whether somebody who proved who they are at `provedAt` still need not do it again. */
export function isRecentAuth(provedAt: Instant, now: Instant): boolean {
  return now - provedAt < RECENT_AUTH_MS;
}
