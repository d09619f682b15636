import { data } from "react-router";
import { ExternalSignInError } from "#app/components/account/external-accounts/external-sign-in-error.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { cloudflareContext, domainContext, viewerContext } from "#app/http/contexts.ts";
import { loginPath } from "#app/lib/own-path.ts";
import {
  completeExternalSignIn,
  externalProvider,
} from "#app/http/identity/external-account.server.ts";
import { CONNECTIONS } from "#app/domain/identity/external-accounts/schema.ts";
import { refusalOf, httpStatusOf } from "#app/http/refusal.ts";
import type { Route } from "./+types/external-callback.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Entrar com ${loaderData?.name ?? "outra conta"} · Coreto` },
];

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const { name } = externalProvider(asked.env, params.provider);
  const back = context.get(viewerContext) ? CONNECTIONS : loginPath("/");
  try {
    const arrived = await completeExternalSignIn(asked, {
      id: params.provider,
      answer: url.searchParams,
    });
    if (arrived instanceof Response) return arrived;
    return { name, back: loginPath(`${CONNECTIONS}/offer`), message: null, taken: arrived.taken };
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return data(
      { name, back, message: refusal.message, taken: null },
      { status: httpStatusOf(refusal.kind) },
    );
  }
}

export default function OutsideCallback({
  loaderData: { name, back, message, taken },
}: Route.ComponentProps) {
  if (taken === null) return <ExternalSignInError name={name} message={message} back={back} />;
  return (
    <>
      <h1 className="text-title">Você já tem uma conta</h1>
      <p className="mt-2 text-muted wrap-anywhere">
        {taken} já tem uma conta no Coreto. Por segurança, não ligamos contas sozinhos: entre como
        de costume e confirme. Depois disso, basta um toque em {name}.
      </p>
      <div className="mt-6 flex flex-col gap-3">
        <ButtonLink to={back} size="lg">
          Entrar para ligar {name}
        </ButtonLink>
        <ButtonLink to="/auth/reset" variant="outline" size="lg">
          Esqueci minha senha
        </ButtonLink>
      </div>
    </>
  );
}
