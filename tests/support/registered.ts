import { composeContext } from "#app/compose.server.ts";
import { commit } from "#app/db/client.server.ts";
import { newPersonStatements } from "#app/domain/identity/commands.server.ts";
import { registerProfileStatements } from "#app/domain/profiles/commands.server.ts";
import { localAuth } from "#app/integrations/local-identity/auth.server.ts";
import { enterNewcomer } from "#app/integrations/local-identity/provider.server.ts";
import {
  passwordHashOf,
  registrationStatements,
} from "#app/integrations/local-identity/registration/registration.server.ts";
import type { SignUpFields } from "./call-route.ts";
import { testEnv } from "./worker-env.ts";

/** Hash of each password, computed once. */
const hashes = new Map<string, Promise<string>>();

/**
 * Inserts a member with the statements that a sign-up commits, for tests that are not about signing
 * up. Returns the ids of the user and of the person.
 */
export async function insertMember(
  newcomer: SignUpFields,
  { isEmailVerified = true } = {},
): Promise<{ userId: string; personId: string }> {
  const { ctx } = await composeContext(testEnv);
  const { name, username, email, password, termsVersion } = newcomer;
  const hash = hashes.get(password) ?? passwordHashOf(password);
  hashes.set(password, hash);
  const [userId, personId] = [ctx.newId(), ctx.newId()];
  const by = { kind: "password", passwordHash: await hash } as const;
  await commit(ctx.db, [
    ...registrationStatements(ctx.db, {
      userId,
      name,
      username,
      email,
      createdAt: ctx.now(),
      by,
      isEmailVerified,
    }),
    ...newPersonStatements(ctx, {
      personId,
      provider: "local",
      user: { providerUserId: userId, email, name, username },
      registered: { birthDate: "1990-01-31", termsVersion },
    }),
    ...registerProfileStatements(ctx, { personId, username, name }),
  ]);
  return { userId, personId };
}

/** Inserts a member and signs them in. Returns the Cookie header. */
export async function memberCookies(newcomer: SignUpFields): Promise<string> {
  const { userId } = await insertMember(newcomer);
  return sessionCookies(userId);
}

/** Starts a session of a local user. Returns the Cookie header. */
export async function sessionCookies(userId: string): Promise<string> {
  const auth = localAuth({
    db: testEnv.DB,
    secret: testEnv.AUTH_SECRET ?? "",
    origin: testEnv.APP_ORIGIN ?? "",
  });
  const headers = await enterNewcomer(
    { auth, secret: testEnv.AUTH_SECRET ?? "" },
    new Request(testEnv.APP_ORIGIN ?? ""),
    userId,
  );
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
}
