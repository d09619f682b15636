import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { ExternalAccountList } from "#app/components/account/external-accounts/external-accounts.tsx";
import { ExternalSignInButtons } from "#app/components/account/external-accounts/external-sign-in-buttons.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { externalProviderOptions } from "#app/http/identity/external-providers.ts";
import { externalProviderName } from "#app/http/identity/external-account.server.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { externalAccountViews } from "#app/components/account/external-accounts/shown-outside.ts";
import type { Route } from "./+types/connections.ts";

export const meta: Route.MetaFunction = () => [{ title: "Contas conectadas · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { env } = context.get(cloudflareContext);
  const { outside, offer } = await embedded({
    env,
    ctx: context.get(domainContext),
    request,
  }).outside.ownWaysIn();
  const accounts = externalAccountViews(outside, (id) => externalProviderName(env, id)).filter(
    ({ isWallet }) => !isWallet,
  );
  return {
    accounts,
    choices: externalProviderOptions(env) ?? [],
    offered: offer && externalProviderName(env, offer.providerId),
  };
}

export default function Connections({
  loaderData: { accounts, choices, offered },
}: Route.ComponentProps) {
  return (
    <>
      <AccountCrumb />
      <PageHeader
        title="Contas conectadas"
        lead="Contas de outros lugares que também abrem a sua."
      />
      <div className="flex flex-col gap-4">
        {offered ? (
          <Card className="flex flex-wrap items-center justify-between gap-3 p-5">
            <p className="font-semibold">{offered} espera a sua confirmação.</p>
            <ButtonLink to="/auth/account/connections/offer">Ver</ButtonLink>
          </Card>
        ) : null}
        <ExternalAccountList
          accounts={accounts}
          empty={
            choices.length > 0
              ? "Nenhuma ainda. Ligue uma e entre com um toque."
              : "Nenhuma. Por enquanto, o Coreto não aceita contas de outros lugares."
          }
        />
        {choices.length > 0 ? (
          <Card className="flex flex-col gap-3 p-5 sm:p-6">
            <h2 className="text-heading">Ligar uma conta</h2>
            <p className="text-muted">
              Vamos até lá e voltamos. Não guardamos acesso nenhum à outra conta: só quem você é
              nela.
            </p>
            <div className="flex flex-wrap gap-3">
              <ExternalSignInButtons choices={choices} purpose="connect" verb="Ligar" />
            </div>
          </Card>
        ) : null}
      </div>
    </>
  );
}
