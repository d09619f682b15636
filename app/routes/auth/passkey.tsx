import { redirect } from "react-router";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { passkeyAnswerSchema } from "#app/domain/identity/sign-in/schema/passkeys.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { loginPath, internalPath } from "#app/lib/own-path.ts";
import { signInWithPasskey } from "#app/http/identity/passkeys.server.ts";
import { asIdentityUnavailable } from "#app/http/identity/identity-unavailable.ts";
import type { Route } from "./+types/passkey.ts";

export const meta: Route.MetaFunction = () => [{ title: "Entrar com chave de acesso · Coreto" }];

export function loader({ url }: Route.LoaderArgs) {
  return { back: loginPath(internalPath(url.searchParams.get("to"))) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, passkeyAnswerSchema, async (answer) => {
    const { headers } = await asIdentityUnavailable(asked.ctx, () =>
      signInWithPasskey(asked, answer),
    );
    return redirect(internalPath(url.searchParams.get("to")), { headers });
  });
}

/** Shows a refusal. The button itself is on the sign-in page. */
export default function PasskeySignIn({ loaderData: { back }, actionData }: Route.ComponentProps) {
  return (
    <>
      <h1 className="text-title">Entrar com chave de acesso</h1>
      <div className="mt-6 flex flex-col gap-4">
        <FormMessage
          message={
            actionData?.message ??
            (actionData
              ? "Não reconhecemos esta chave de acesso. Tente de novo, ou entre com a senha."
              : null)
          }
        />
        <ButtonLink to={back} size="lg">
          Ir para a entrada
        </ButtonLink>
      </div>
    </>
  );
}
