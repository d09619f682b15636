import { ExternalSignInButtons } from "#app/components/account/external-accounts/external-sign-in-buttons.tsx";
import { ExternalSignInError } from "#app/components/account/external-accounts/external-sign-in-error.tsx";
import { externalSignInStartSchema } from "#app/domain/identity/external-accounts/schema.ts";
import { cloudflareContext, domainContext, viewerContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { loginPath } from "#app/lib/own-path.ts";
import {
  startExternalSignIn,
  externalProvider,
  returnPathOf,
} from "#app/http/identity/external-account.server.ts";
import { CONNECTIONS } from "#app/domain/identity/external-accounts/schema.ts";
import type { Route } from "./+types/external-sign-in.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Entrar com ${loaderData?.name ?? "outra conta"} · Coreto` },
];

export function loader({ context, params, url }: Route.LoaderArgs) {
  const { id, name } = externalProvider(context.get(cloudflareContext).env, params.provider);
  const to = returnPathOf(url);
  return { id, name, to, back: context.get(viewerContext) ? CONNECTIONS : loginPath(to) };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, externalSignInStartSchema, async ({ purpose }) =>
    startExternalSignIn(asked, { id: params.provider, purpose, to: returnPathOf(url) }),
  );
}

/** Shows a refusal, or the button to people who open the address directly. */
export default function Outside({
  loaderData: { id, name, to, back },
  actionData,
}: Route.ComponentProps) {
  return (
    <ExternalSignInError name={name} message={actionData?.message ?? null} back={back}>
      <ExternalSignInButtons choices={[{ id, name }]} to={to} />
    </ExternalSignInError>
  );
}
