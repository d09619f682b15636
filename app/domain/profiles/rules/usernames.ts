import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How many former usernames a person reserves at once. */
export const FORMER_USERNAMES_MAX = 3;
const HELD_FOR_MS = 365 * DAY_MS;

/** Returns until when a username left at `leftAt` redirects to its former owner and cannot be taken. */
export const usernameHeldUntil = (leftAt: Instant): Instant => leftAt + HELD_FOR_MS;
