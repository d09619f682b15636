/**
 * Returns the host of a publishable key: `pk_live_` or `pk_test_` and base64 of `host$`. Null for
 * anything else. The host always has a dot.
 */
export function frontendApiHost(publishableKey: string | undefined): string | null {
  const encoded = /^pk_(?:live|test)_([A-Za-z0-9+/]+={0,2})$/.exec(publishableKey ?? "")?.[1];
  if (!encoded) return null;
  const host = /^([a-z0-9-]+(?:\.[a-z0-9-]+)+)\$$/i.exec(decoded(encoded))?.[1];
  return host?.toLowerCase() ?? null;
}

function decoded(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return "";
  }
}
