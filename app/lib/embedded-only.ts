/**
 * What of `/auth` is there whoever signs people in: the doors, the account with Clerk's own
 * sub-paths, and what is ours below it.
 */
const WITH_ANY_PROVIDER = [
  /^\/auth\/(?:again|login|logout|register|register\/profile)$/,
  /^\/auth\/account$/,
  /^\/auth\/account\/(?:security|billing|api-keys)(?:\/|$)/,
  /^\/auth\/account\/(?:keys|deletion)(?:\/|$)/,
];

/**
 * True for pages that only the embedded identity has: passwords, passkeys, codes and the like live
 * elsewhere with Clerk.
 */
export function isEmbeddedOnly(pathname: string): boolean {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, "") : pathname;
  return path.startsWith("/auth/") && !WITH_ANY_PROVIDER.some((known) => known.test(path));
}
