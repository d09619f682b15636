import { identityPort, identityProvider } from "#app/compose-identity.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Member, OpenSession, SignIn } from "#app/domain/identity/schema.ts";
import type { Env } from "#app/configuration/env.ts";
import { memberOfProviderUser } from "./identity.server.ts";

/** The parts of a request that signing in and out need. */
export type AuthRequest = { env: Env; ctx: Context; request: Request };

/** A member, and the cookies of their session. */
export type SignedInMember = { member: Member; headers: Headers };

/** "Entrar". Refuses wrong credentials, too many attempts and a suspended account. */
export async function signIn(
  { env, ctx, request }: AuthRequest,
  input: SignIn,
): Promise<SignedInMember> {
  const port = await identityPort(env);
  const { user, headers } = await port.signIn(request, input);
  return { member: await memberOfProviderUser(ctx, port.name, user), headers };
}

/** "Sair": ends the session at the provider and in this browser. */
export async function signOut({ env, request }: Omit<AuthRequest, "ctx">): Promise<Headers> {
  const provider = await identityProvider(env);
  return provider.signOut(request);
}

/** Issues a Bearer token for the API; `expiresAt` in epoch milliseconds. Refuses like `signIn`. */
export async function issueToken(
  { env, ctx, request }: AuthRequest,
  input: SignIn,
): Promise<{ token: string; expiresAt: number }> {
  const port = await identityPort(env);
  const { token, expiresAt, user } = await port.issueToken(request, input);
  await memberOfProviderUser(ctx, port.name, user);
  return { token, expiresAt };
}

/** The person's open sessions, this browser's first. */
export async function openSessions({
  env,
  request,
}: Omit<AuthRequest, "ctx">): Promise<OpenSession[]> {
  const port = await identityPort(env);
  return port.openSessions(request);
}

/** The id of this browser's session; null where the provider does not say. */
export async function currentSessionId(asked: Omit<AuthRequest, "ctx">): Promise<string | null> {
  try {
    const sessions = await openSessions(asked);
    return sessions.find(({ isCurrent }) => isCurrent)?.id ?? null;
  } catch {
    return null;
  }
}

/** Ends every session of the person but the current one. */
export async function endOtherSessions({ env, request }: Omit<AuthRequest, "ctx">): Promise<void> {
  const port = await identityPort(env);
  await port.endOtherSessions(request);
}
