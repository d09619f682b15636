const BASE = "https://own.invalid";
const LONGEST_PATH = 2_000;

/** Anything that a browser drops, folds into a slash or parses as the start of a host. */
// oxlint-disable-next-line no-control-regex -- control characters are exactly what must be seen
const NEVER_IN_A_PATH = /[\u0000-\u0020\u007f-\u00a0\\\u2028\u2029\ufeff]/;

/**
 * Returns `candidate` when it is a path of our own site, else `fallback`. Refuses other hosts in
 * every form that browsers accept (`//host`, `/\host`, tabs, dot segments that leave `//`). Refuses
 * schemes, and the sign-in pages, which would loop.
 */
export function internalPath(candidate: string | null | undefined, fallback = "/"): string {
  if (!candidate || candidate.length > LONGEST_PATH) return fallback;
  if (!candidate.startsWith("/") || candidate.startsWith("//") || NEVER_IN_A_PATH.test(candidate))
    return fallback;
  const parsed = URL.parse(candidate, BASE);
  if (!parsed || parsed.origin !== BASE || parsed.pathname.startsWith("//")) return fallback;
  if (/^\/auth\/(login|logout|register)(\/|$)/i.test(parsed.pathname)) return fallback;
  return parsed.pathname + parsed.search + parsed.hash;
}

/** Returns `/auth/login?to=<path>`, for a person who must sign in first. */
export const loginPath = (to: string): string => withReturnPath("/auth/login", to);

/** Returns `/auth/register?to=<path>`, for a person without an account. */
export const registerPath = (to: string): string => withReturnPath("/auth/register", to);

/**
 * Returns `/auth/register/profile?to=<path>`, for a signed-in person who must finish their
 * registration.
 */
export const finishPath = (to: string): string => withReturnPath("/auth/register/profile", to);

/** Adds the return path to a page of the sign-in. */
export function withReturnPath(path: string, to: string): string {
  const own = internalPath(to, "/");
  return own === "/" ? path : `${path}?to=${encodeURIComponent(own)}`;
}
