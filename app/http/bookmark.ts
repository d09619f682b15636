import { requestCookie } from "#app/lib/cookies.ts";

const NAME = "__Host-coreto-bookmark";
/** Replicas lag by seconds, not minutes. */
const LIFE_SECONDS = 600;
const SHAPE = /^[0-9a-z-]{1,200}$/i;

/**
 * The bookmark that this person's reads must at least reach after their own writes; null if any
 * replica is recent enough.
 */
export function readBookmark(request: Request): string | null {
  const bookmark = requestCookie(request, NAME);
  return bookmark && SHAPE.test(bookmark) ? bookmark : null;
}

/** The Set-Cookie with which the next request sees the writes of this one. */
export function bookmarkCookie(bookmark: string): string {
  return `${NAME}=${bookmark}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${LIFE_SECONDS}`;
}
