import { Link } from "react-router";
import { WalletButtons } from "#app/components/account/wallets/wallet-buttons.tsx";
import { walletAnswerSchema } from "#app/domain/identity/external-accounts/schema.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { loginPath } from "#app/lib/own-path.ts";
import { completeWalletSignIn, returnPathOf } from "#app/http/identity/external-account.server.ts";
import type { Route } from "./+types/wallet.ts";

export const meta: Route.MetaFunction = () => [{ title: "Entrar com carteira Ethereum · Coreto" }];

export function loader({ url }: Route.LoaderArgs) {
  const to = returnPathOf(url);
  return { back: loginPath(to), action: url.pathname + url.search };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, walletAnswerSchema, async (answer) =>
    completeWalletSignIn(asked, answer, { to: returnPathOf(url) }),
  );
}

export default function WalletSignIn({
  loaderData: { back, action },
  actionData,
}: Route.ComponentProps) {
  const problem = actionData ? (actionData.message ?? Object.values(actionData.errors)[0]) : null;
  return (
    <>
      <h1 className="text-title">Entrar com carteira Ethereum</h1>
      <p className="mt-1 text-muted">
        A carteira assina uma mensagem. Não custa nada e não movimenta dinheiro.
      </p>
      <div className="mt-6">
        <WalletButtons purpose="sign-in" action={action} verb="Entrar com" problem={problem} />
      </div>
      <p className="mt-6 text-muted">
        <Link
          to={back}
          className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
        >
          Entrar de outra forma
        </Link>
      </p>
    </>
  );
}
