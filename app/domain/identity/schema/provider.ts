import type { ProviderUser } from "#app/domain/identity/schema.ts";

/** Somebody whom a provider vouches for. What it knows of them may take a call, so it is asked only on first sight. */
export type Vouched = { providerUserId: string; details(): Promise<ProviderUser> };

/**
 * What every request needs of the configured provider, the embedded one or Clerk. The rest of `IdentityPort` belongs to who keeps
 * passwords here.
 */
export type IdentityProvider = {
  name: string;
  /**
   * The person of a request's cookie or Bearer token, or null, with the cookies to set. Never throws for a bad token; may throw a
   * redirect (a Response) that the provider needs before it can tell.
   */
  recognise(request: Request): Promise<{ vouched: Vouched | null; headers: Headers }>;
  /** Ends the session at the provider, and gives the cookies that end it in this browser. */
  signOut(request: Request): Promise<Headers>;
};
