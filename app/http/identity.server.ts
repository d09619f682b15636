import { commit } from "#app/db/client.server.ts";
import { UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { personOnFirstSight } from "#app/domain/identity/commands.server.ts";
import { AccountSuspended, EmailTaken } from "#app/domain/identity/errors.ts";
import { memberByProviderUser } from "#app/domain/identity/queries.server.ts";
import type { MemberRow } from "#app/domain/identity/queries.server.ts";
import type { IdentityPort, Member, ProviderUser } from "#app/domain/identity/schema.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { registerProfileStatements } from "#app/domain/profiles/commands.server.ts";
import type { Env } from "#app/env.ts";

/**
 * The identity provider that the configuration decides: none of Clerk's keys means the embedded one, and keys without an adapter
 * never fall back to it. Loaded only when a request carries credentials or asks to sign in.
 */
export async function identityPort(env: Env): Promise<IdentityPort> {
  if (env.CLERK_SECRET_KEY) throw new Error("configuration: no adapter for the identity provider clerk");
  const { localIdentity } = await import("#app/integrations/local-identity/provider.server.ts");
  if (!env.AUTH_SECRET) throw new Error("configuration: AUTH_SECRET is missing");
  return localIdentity({ db: env.DB, secret: env.AUTH_SECRET, origin: env.APP_ORIGIN ?? "" });
}

/**
 * The member behind a provider's user. Whoever the product has not seen yet becomes a person with a profile in one batch, which also
 * repairs a sign-up that was cut off between the provider and us. Refuses a suspended account.
 */
export async function memberOf(ctx: Context, provider: string, user: ProviderUser): Promise<Member> {
  const known = await memberByProviderUser(ctx, { provider, providerUserId: user.providerUserId });
  if (known) return asMember(known);
  for (const username of usernameCandidates(ctx, user.username)) {
    try {
      const personId = ctx.newId();
      await commit(ctx.db, [
        ...personOnFirstSight(ctx, { personId, provider, user }),
        ...registerProfileStatements(ctx, { personId, username, name: user.name }),
      ]);
      ctx.log("identity.person_made", { personId, provider });
      break;
    } catch (error) {
      if (!(error instanceof UniqueViolation)) throw error;
      if (error.columns.includes("people.email")) throw new EmailTaken();
      if (error.columns.includes("people.provider")) break; // another request of the same person was first
    }
  }
  const made = await memberByProviderUser(ctx, { provider, providerUserId: user.providerUserId });
  if (!made) throw new Error("a person on first sight could not be made");
  return asMember(made);
}

/** The wanted name, then the same with an ending that nobody else has. */
function usernameCandidates(ctx: Context, wanted: string): string[] {
  const endings = [ctx.newId(), ctx.newId()].map((id) => id.slice(-6));
  return [wanted, ...endings.map((ending) => `${wanted.slice(0, 200)}-${ending}`)];
}

/** Refuses a suspended account. */
export function asMember(row: MemberRow): Member {
  if (row.bannedAt !== null) throw new AccountSuspended();
  return {
    id: row.id,
    email: row.email,
    username: row.username,
    name: row.name,
    avatarUrl: row.avatarMediaId ? mediaUrl(row.avatarMediaId, "320") : null,
    isCreator: row.isCreator,
    isModerator: row.isModerator,
  };
}
