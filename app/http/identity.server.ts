import { readConfiguration } from "#app/configuration.ts";
import { commit } from "#app/db/client.server.ts";
import { UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { personOnFirstSight } from "#app/domain/identity/commands.server.ts";
import { AccountSuspended, EmailTaken } from "#app/domain/identity/errors.ts";
import { SignsInElsewhere } from "#app/domain/identity/errors/provider.ts";
import { memberByProviderUser } from "#app/domain/identity/queries.server.ts";
import type { MemberRow } from "#app/domain/identity/queries.server.ts";
import type { IdentityPort, Member, ProviderUser } from "#app/domain/identity/schema.ts";
import type { IdentityProvider, Vouched } from "#app/domain/identity/schema/provider.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { registerProfileStatements } from "#app/domain/profiles/commands.server.ts";
import type { Env } from "#app/env.ts";
import { clerkKeysGiven } from "#app/http/clerk.ts";

/**
 * The identity provider that the configuration decides: Clerk by its keys, the embedded one without any. Each is loaded only when a
 * request carries credentials or asks to sign in, and the other one never.
 */
export async function identityProvider(env: Env): Promise<IdentityProvider> {
  if (clerkKeysGiven(env)) return clerkProvider(env);
  const port = await identityPort(env);
  return {
    name: port.name,
    async recognise(request) {
      const identified = await port.session(request);
      if (!identified) return { vouched: null, headers: new Headers() };
      const { user, headers } = identified;
      return { vouched: { providerUserId: user.providerUserId, details: async () => user }, headers };
    },
    signOut: port.signOut,
  };
}

const clerkProviders = new WeakMap<Env, IdentityProvider>();

async function clerkProvider(env: Env): Promise<IdentityProvider> {
  const known = clerkProviders.get(env);
  if (known) return known;
  const checked = readConfiguration(env);
  if (!checked.ok || !checked.configuration.clerk) throw new Error("configuration: Clerk's keys are not complete");
  const { clerkIdentity } = await import("#app/integrations/clerk/provider.server.ts");
  const { clerk, appOrigin } = checked.configuration;
  const made = clerkIdentity({ ...clerk, appOrigin, apiUrl: env.CLERK_API_URL ?? "https://api.clerk.com" });
  clerkProviders.set(env, made);
  return made;
}

/** The embedded identity, which keeps passwords and sessions itself. Refuses what Clerk's own screens do when those are configured. */
export async function identityPort(env: Env): Promise<IdentityPort> {
  if (clerkKeysGiven(env)) throw new SignsInElsewhere();
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
      // Another request of the same person may have been first: then every index refuses, and names only one of them.
      const first = await memberByProviderUser(ctx, { provider, providerUserId: user.providerUserId });
      if (first) return asMember(first);
      if (error.columns.includes("people.email")) throw new EmailTaken();
    }
  }
  const made = await memberByProviderUser(ctx, { provider, providerUserId: user.providerUserId });
  if (!made) throw new Error("a person on first sight could not be made");
  return asMember(made);
}

/** The member behind whom a provider vouches for; only somebody never seen before is asked about. Refuses like `memberOf`. */
export async function memberVouched(ctx: Context, provider: string, { providerUserId, details }: Vouched): Promise<Member> {
  const known = await memberByProviderUser(ctx, { provider, providerUserId });
  return known ? asMember(known) : memberOf(ctx, provider, await details());
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
