import { walletChallengeSchema } from "#app/domain/identity/external-accounts/schema.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { walletChallenge } from "#app/http/identity/external-account.server.ts";
import type { Route } from "./+types/wallet-challenge.ts";

/** Returns the message that a wallet must sign. */
export async function action({ request, context }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const answer = await handleForm(request, walletChallengeSchema, async (input) => {
    const { message, cookie } = await walletChallenge(asked, input);
    return Response.json({ message }, { headers: { "Set-Cookie": cookie } });
  });
  return answer instanceof Response
    ? answer
    : Response.json(answer.data, { status: answer.init?.status ?? 400 });
}
