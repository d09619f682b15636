import { requestCookie } from "#app/lib/cookies.ts";

const NAME = "__Host-coreto-bookmark";
/** Replicas are seconds behind, not minutes. */
const LIFE_SECONDS = 600;
const SHAPE = /^[0-9a-z-]{1,200}$/i;

/**
 * Where this person's reads must at least be, after their own writes; null when any replica will
 * do.
 */
export function readBookmark(request: Request): string | null {
  const bookmark = requestCookie(request, NAME);
  return bookmark && SHAPE.test(bookmark) ? bookmark : null;
}

/** The Set-Cookie that lets the next request see what this one wrote. */
export function bookmarkCookie(bookmark: string): string {
  return `${NAME}=${bookmark}; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=${LIFE_SECONDS}`;
}
