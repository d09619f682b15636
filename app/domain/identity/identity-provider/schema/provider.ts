import type { MemberRow } from "#app/domain/identity/schema.ts";
import type { DbStatement, BatchWrite } from "#app/db/client.server.ts";
import type { ProviderUser } from "#app/domain/identity/schema.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * A user whom a provider vouches for. Reading its data may take a call, so it is asked only on
 * first sight.
 */
export type VouchedUser = {
  providerUserId: string;
  details(): Promise<ProviderUser>;
  /** The member, where the provider read it in the same round trip as the session. */
  member?: MemberRow | undefined;
};

/**
 * What every request needs of the configured provider, the embedded one or Clerk. The rest of
 * `IdentityPort` belongs to a provider that stores passwords here.
 */
export type IdentityProvider = {
  name: string;
  /**
   * Returns the person of a request's cookie or Bearer token, or null, with the cookies to set.
   * Never throws for a bad token. May throw a redirect (a Response) that the provider needs first.
   */
  recognise(request: Request): Promise<{ vouched: VouchedUser | null; headers: Headers }>;
  /** Returns when the person last authenticated, where the provider stores it; otherwise null. */
  provedAt?(request: Request): Promise<Instant | null>;
  /** Ends the session at the provider, and returns the cookies that end it in this browser. */
  signOut(request: Request): Promise<Headers>;
};

type ProviderUserRef = { provider: string; providerUserId: string };

/** What the deletion of a person needs from the provider of passwords and sessions. */
export type AccountErasure = {
  /**
   * Builds the statements that remove every sign-in method, for the batch that erases the person.
   * Empty for a hosted provider.
   */
  erasureStatements(user: ProviderUserRef): DbStatement[];
  /**
   * Deletes the user at a hosted provider. Succeeds if it is gone already. Throws while the
   * provider does not answer.
   */
  forget(user: ProviderUserRef): Promise<void>;
  /** Returns the verified e-mails of a person. `email` is their primary one. */
  verifiedEmails(person: { personId: string; email: string }): Promise<string[]>;
  /**
   * Builds the writes that copy name and username of a profile to the sign-in account, for its
   * batch. Empty for a hosted provider.
   */
  renameWrites(named: {
    personId: string;
    username: string;
    name: string;
    at: Instant;
  }): BatchWrite[];
  /** Builds the statement that purges expired registrations, page by page. */
  abandonedStatement(now: Instant): DbStatement;
};
