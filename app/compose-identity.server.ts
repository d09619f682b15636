import { checkedConfiguration } from "#app/configuration/configuration.ts";
import type { Context } from "#app/domain/context.ts";
import { HostedSignInOnly } from "#app/domain/identity/identity-provider/errors.ts";
import type { IdentityPort } from "#app/domain/identity/schema.ts";
import type { EmbeddedIdentity } from "#app/domain/identity/embedded/schema.ts";
import type { IdentityProvider } from "#app/domain/identity/identity-provider/schema/provider.ts";
import type { Env } from "#app/configuration/env.ts";
import { embeddedIdentity } from "#app/integrations/local-identity/embedded.server.ts";
import { isClerkConfigured } from "#app/lib/clerk.ts";
import { readExternalProviders } from "#app/configuration/external-providers.ts";

/**
 * Loads the configured identity provider: Clerk by its keys, otherwise the embedded one. Loads it
 * only when a request has credentials or signs in, and never the other one.
 */
export async function identityProvider(env: Env): Promise<IdentityProvider> {
  if (isClerkConfigured(env)) return clerkProvider(env);
  const port = await identityPort(env);
  return {
    name: port.name,
    async recognise(request) {
      const identified = await port.session(request);
      if (!identified) return { vouched: null, headers: new Headers() };
      const { user, headers, member } = identified;
      return {
        vouched: { providerUserId: user.providerUserId, details: async () => user, member },
        headers,
      };
    },
    signOut: port.signOut,
  };
}

const clerkProviders = new WeakMap<Env, IdentityProvider>();

async function clerkProvider(env: Env): Promise<IdentityProvider> {
  const cached = clerkProviders.get(env);
  if (cached) return cached;
  const checked = checkedConfiguration(env);
  if (!checked.ok || !checked.configuration.clerk)
    throw new Error("configuration: Clerk's keys are not complete");
  const { clerkIdentity } = await import("#app/integrations/clerk/provider.server.ts");
  const { clerk, appOrigin } = checked.configuration;
  const made = clerkIdentity({
    ...clerk,
    appOrigin,
    apiUrl: env.CLERK_API_URL ?? "https://api.clerk.com",
  });
  clerkProviders.set(env, made);
  return made;
}

/**
 * Loads the embedded identity, which stores passwords and sessions itself. Throws HostedSignInOnly
 * when Clerk, with its own screens, is configured.
 */
export async function identityPort(env: Env): Promise<IdentityPort> {
  if (isClerkConfigured(env)) throw new HostedSignInOnly();
  const { localIdentity } = await import("#app/integrations/local-identity/provider.server.ts");
  if (!env.AUTH_SECRET) throw new Error("configuration: AUTH_SECRET is missing");
  return localIdentity({ db: env.DB, secret: env.AUTH_SECRET, origin: env.APP_ORIGIN ?? "" });
}

/**
 * Returns what the screens of the embedded identity call, for this request. Null where another
 * provider has its own screens.
 */
export function embeddedScreens({
  env,
  ctx,
  request,
}: {
  env: Env;
  ctx: Context;
  request: Request;
}): EmbeddedIdentity | null {
  if (isClerkConfigured(env) || !env.AUTH_SECRET) return null;
  const local = {
    db: env.DB,
    secret: env.AUTH_SECRET,
    origin: env.APP_ORIGIN ?? "",
    providers: readExternalProviders(env).providers,
  };
  return embeddedIdentity({ local, ctx, request });
}
