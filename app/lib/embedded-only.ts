/**
 * The pages of `/auth` with any provider. They are sign-in and sign-up, the account with Clerk's
 * own sub-paths, and our pages below it.
 */
const WITH_ANY_PROVIDER = [
  /^\/auth\/(?:again|login|logout|register|register\/profile)$/,
  /^\/auth\/account$/,
  /^\/auth\/account\/(?:security|billing|api-keys)(?:\/|$)/,
  /^\/auth\/account\/(?:keys|deletion)(?:\/|$)/,
];

/**
 * True for pages that only the embedded identity has: Clerk has its own for passwords, passkeys,
 * codes and the like.
 */
export function isEmbeddedOnly(pathname: string): boolean {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, "") : pathname;
  return path.startsWith("/auth/") && !WITH_ANY_PROVIDER.some((pattern) => pattern.test(path));
}
