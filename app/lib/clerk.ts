/** The Clerk settings of a browser. None of them is secret. */
export type ClerkSettings = { publishableKey: string; jwtTemplate: string };

/** The variables of those settings. */
type Keys = { CLERK_PUBLISHABLE_KEY?: string; CLERK_JWT_TEMPLATE?: string };

const SESSION_COOKIE = /^__(?:session|client_uat)(?:_[A-Za-z0-9_-]{1,64})?$/;

/**
 * Whether Clerk signs people in. app/configuration/configuration.ts has checked that all its keys
 * are there or none. Loads nothing of Clerk.
 */
export function isClerkConfigured(env: Keys): boolean {
  return Boolean(env.CLERK_PUBLISHABLE_KEY?.trim());
}

/** Returns the Clerk settings of a page, or null where the embedded identity signs people in. */
export function clerkSettings(env: Keys): ClerkSettings | null {
  if (!isClerkConfigured(env)) return null;
  return {
    publishableKey: env.CLERK_PUBLISHABLE_KEY?.trim() ?? "",
    jwtTemplate: env.CLERK_JWT_TEMPLATE?.trim() ?? "",
  };
}

/**
 * Whether a request may have a Clerk session. Every other request costs nothing. Clerk gives a
 * browser without a session the cookie `__client_uat=0`, for years.
 */
export function hasClerkCredentials(request: Request): boolean {
  return (
    request.headers.has("Authorization") ||
    cookiePairs(request).some(
      ([name, value]) =>
        (SESSION_COOKIE.test(name) && value !== "" && value !== "0") ||
        name.startsWith("__clerk_handshake"),
    )
  );
}

/**
 * Returns the cookies that end Clerk's session in this browser, plain and suffixed. clerk-js sets
 * some for the whole site. So they are cleared here and on every parent of `hostname`.
 */
export function clearClerkCookies(request: Request, hostname: string): Headers {
  const headers = new Headers();
  const parts = hostname.split(".");
  const parents = parts.slice(0, -1).map((_, index) => `; Domain=${parts.slice(index).join(".")}`);
  for (const name of cookieNames(request).filter((candidate) => SESSION_COOKIE.test(candidate))) {
    for (const domain of ["", ...parents])
      headers.append("Set-Cookie", `${name}=; Path=/; Max-Age=0; Secure; SameSite=Lax${domain}`);
  }
  return headers;
}

/** Returns the session tokens of Clerk's cookies, plain and suffixed, whatever their age. */
export function sessionTokens(request: Request): string[] {
  return cookiePairs(request).flatMap(([name, value]) =>
    /^__session(?:_|$)/.test(name) && value !== "" ? [value] : [],
  );
}

function cookieNames(request: Request): string[] {
  return cookiePairs(request).map(([name]) => name);
}

function cookiePairs(request: Request): [name: string, value: string][] {
  return (request.headers.get("Cookie") ?? "").split(";").map((pair) => {
    const equals = Math.max(0, pair.indexOf("="));
    return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
  });
}
