const BASE = "https://own.invalid";
const LONGEST_PATH = 2_000;

/** Anything that a browser drops, folds into a slash or reads as the start of a host. */
// oxlint-disable-next-line no-control-regex -- control characters are exactly what must be seen
const NEVER_IN_A_PATH = /[\u0000-\u0020\u007f-\u00a0\\\u2028\u2029\ufeff]/;

/**
 * `candidate` when it is a path of our own site, and else `fallback`. Refuses other hosts in every
 * disguise that browsers accept (`//host`, `/\host`, tabs, dot segments that leave `//`), schemes,
 * and the sign-in pages, which would loop.
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

/** `/auth/login?to=<path>`, for whoever must sign in first. */
export const loginPath = (to: string): string => withReturnPath("/auth/login", to);

/** `/auth/register?to=<path>`, for whoever has no account yet. */
export const registerPath = (to: string): string => withReturnPath("/auth/register", to);

/** `/auth/register/profile?to=<path>`, for whoever is signed in and has not finished their profile. */
export const finishPath = (to: string): string => withReturnPath("/auth/register/profile", to);

/** A page on the way in, and where the way leads afterwards. */
export function withReturnPath(path: string, to: string): string {
  const own = internalPath(to, "/");
  return own === "/" ? path : `${path}?to=${encodeURIComponent(own)}`;
}
