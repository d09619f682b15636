import type { MemberRow } from "#app/domain/identity/schema.ts";
import type { DbStatement, BatchWrite } from "#app/db/client.server.ts";
import type { ProviderUser } from "#app/domain/identity/schema.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * Somebody whom a provider vouches for. What it knows of them may take a call, so it is asked only
 * on first sight.
 */
export type VouchedUser = {
  providerUserId: string;
  details(): Promise<ProviderUser>;
  /** The person, where the provider read them in the same round trip as their session. */
  member?: MemberRow | undefined;
};

/**
 * What every request needs of the configured provider, the embedded one or Clerk. The rest of
 * `IdentityPort` belongs to who keeps passwords here.
 */
export type IdentityProvider = {
  name: string;
  /**
   * The person of a request's cookie or Bearer token, or null, with the cookies to set. Never
   * throws for a bad token; may throw a redirect (a Response) that the provider needs before it can
   * tell.
   */
  recognise(request: Request): Promise<{ vouched: VouchedUser | null; headers: Headers }>;
  /**
   * When who asks last proved who they are, where the provider keeps that; null when it does not
   * say.
   */
  provedAt?(request: Request): Promise<Instant | null>;
  /** Ends the session at the provider, and gives the cookies that end it in this browser. */
  signOut(request: Request): Promise<Headers>;
};

type ProviderUserRef = { provider: string; providerUserId: string };

/** What deleting a person asks of whoever keeps passwords and sessions. */
export type AccountErasure = {
  /**
   * The statements that take away every way in, for the batch that erases the person. None where a
   * hosted provider keeps them.
   */
  erasureStatements(user: ProviderUserRef): DbStatement[];
  /**
   * Has a hosted provider forget its user; one that is gone already counts. Throws while the
   * provider does not answer.
   */
  forget(user: ProviderUserRef): Promise<void>;
  /** The e-mails that are proven to be a person's; `email` is their primary one. */
  verifiedEmails(person: { personId: string; email: string }): Promise<string[]>;
  /**
   * What gives the sign-in of a person the same name and username as their profile, for its batch.
   * None where a hosted provider keeps them.
   */
  renameWrites(named: {
    personId: string;
    username: string;
    name: string;
    at: Instant;
  }): BatchWrite[];
  /** What takes away what was typed at registrations that nobody ended in time, a page at a time. */
  abandonedStatement(now: Instant): DbStatement;
};
