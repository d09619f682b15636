import { DAY_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How many of their old usernames a person keeps from others at once. */
export const FORMER_USERNAMES_MAX = 3;
const HELD_FOR_MS = 365 * DAY_MS;

/** Until when a username that was left at `leftAt` leads to whoever had it, and may not be taken. */
export const usernameHeldUntil = (leftAt: Instant): Instant => leftAt + HELD_FOR_MS;
