import type { Member } from "#app/domain/identity/schema.ts";
import type { PasskeyAnswer } from "#app/domain/identity/schema/passkeys.ts";
import { memberOf } from "#app/http/identity.server.ts";
import { secondFactors } from "#app/http/second-factor.server.ts";
import type { Asked } from "#app/http/session.server.ts";

/**
 * The passkeys' own functions, bound to who asks and to this site. Another provider has its own:
 * these pages do not exist there.
 */
export async function passkeys({ env, ctx }: Omit<Asked, "request">) {
  const { factors } = await secondFactors({ env, ctx });
  const local = await import("#app/integrations/local-identity/passkeys.server.ts");
  return { ...local, factors, site: { origin: env.APP_ORIGIN ?? "" } };
}

/**
 * "Entrar com chave de acesso". Refuses an answer that is not a passkey of ours, and a suspended
 * account.
 */
export async function signInWithPasskey(
  { env, ctx, request }: Asked,
  answer: { response: PasskeyAnswer },
): Promise<{ member: Member; headers: Headers }> {
  await secondFactors({ env, ctx });
  const { enterWithPasskey } = await import("#app/integrations/local-identity/provider.server.ts");
  const { user, headers } = await enterWithPasskey(
    { db: env.DB, secret: env.AUTH_SECRET ?? "", origin: env.APP_ORIGIN ?? "" },
    request,
    answer,
  );
  return { member: await memberOf(ctx, "local", user), headers };
}
