import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { ExternalAccountList } from "#app/components/account/external-accounts/external-accounts.tsx";
import { WalletButtons } from "#app/components/account/wallets/wallet-buttons.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { walletAnswerSchema } from "#app/domain/identity/external-accounts/schema.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import {
  externalProviderName,
  completeWalletSignIn,
} from "#app/http/identity/external-account.server.ts";
import { WALLETS } from "#app/domain/identity/external-accounts/schema.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { externalAccountViews } from "#app/components/account/external-accounts/shown-outside.ts";
import type { Route } from "./+types/wallets.ts";

export const meta: Route.MetaFunction = () => [{ title: "Carteiras · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { env } = context.get(cloudflareContext);
  const { outside } = await embedded({
    env,
    ctx: context.get(domainContext),
    request,
  }).outside.ownWaysIn();
  return {
    wallets: externalAccountViews(outside, (id) => externalProviderName(env, id)).filter(
      ({ isWallet }) => isWallet,
    ),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, walletAnswerSchema, async (answer) =>
    completeWalletSignIn(asked, answer, { to: WALLETS }),
  );
}

export default function Wallets({ loaderData: { wallets }, actionData }: Route.ComponentProps) {
  const problem = actionData ? (actionData.message ?? Object.values(actionData.errors)[0]) : null;
  return (
    <>
      <AccountCrumb />
      <PageHeader
        title="Carteiras"
        lead="Carteiras Ethereum que abrem a sua conta. Servem só para entrar: nada aqui é pago por elas."
      />
      <div className="flex flex-col gap-4">
        <ExternalAccountList accounts={wallets} empty="Nenhuma ainda." />
        <Card className="flex flex-col gap-3 p-5 sm:p-6">
          <h2 className="text-heading">Ligar uma carteira</h2>
          <WalletButtons
            purpose="connect"
            action="/auth/account/wallets"
            verb="Ligar"
            problem={problem}
          />
        </Card>
      </div>
    </>
  );
}
