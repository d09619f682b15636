import { Form, redirect, useNavigation } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { ExternalSignInButtons } from "#app/components/account/external-accounts/external-sign-in-buttons.tsx";
import { WalletButtons } from "#app/components/account/wallets/wallet-buttons.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { passwordConfirmationSchema } from "#app/domain/identity/account/schema.ts";
import { oidcProviderId, WALLET } from "#app/domain/identity/external-accounts/schema.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { externalProviderOptions } from "#app/http/identity/external-providers.ts";
import { internalPath } from "#app/lib/own-path.ts";
import type { Route } from "./+types/confirm.ts";

export const meta: Route.MetaFunction = () => [{ title: "Confirme que é você · Coreto" }];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { env } = context.get(cloudflareContext);
  const own = embedded({ env, ctx: context.get(domainContext), request });
  const [{ hasPassword, outside }, { email }] = await Promise.all([
    own.outside.ownWaysIn(),
    own.account.accountStatus(),
  ]);
  const isOwn = (providerId: string) =>
    outside.some((account) => account.providerId === providerId);
  const choices = (externalProviderOptions(env) ?? []).filter(({ id }) =>
    isOwn(oidcProviderId(id)),
  );
  return {
    hasPassword,
    email,
    choices,
    hasWallet: isOwn(WALLET),
    to: internalPath(url.searchParams.get("to"), "/auth/account"),
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const to = internalPath(url.searchParams.get("to"), "/auth/account");
  return handleForm(request, passwordConfirmationSchema, async (input) => {
    await embedded(asked).account.confirmPassword(input);
    return redirect(to);
  });
}

export default function Confirm({
  loaderData: { hasPassword, email, choices, hasWallet, to },
  actionData,
}: Route.ComponentProps) {
  useFirstError(actionData);
  return (
    <>
      <AccountCrumb />
      <PageHeader
        title={hasPassword ? "Confirme a sua senha" : "Confirme que é você"}
        lead="Antes de mudar a conta, queremos ter certeza de que é você. Vale por 10 minutos."
      />
      <Card className="flex flex-col gap-6 p-5 sm:p-6">
        {hasPassword ? (
          <PasswordForm problem={actionData} />
        ) : (
          <CodeByEmail email={email} to={to} />
        )}
        {choices.length > 0 || hasWallet ? (
          <div className="flex flex-col items-start gap-3">
            <h2 className="text-heading">Ou de outra forma</h2>
            <ExternalSignInButtons
              choices={choices}
              purpose="confirm"
              verb="Confirmar com"
              to={to}
            />
            {hasWallet ? (
              <WalletButtons
                purpose="confirm"
                action={`/auth/wallet?to=${encodeURIComponent(to)}`}
                verb="Confirmar com"
                problem={null}
              />
            ) : null}
          </div>
        ) : null}
      </Card>
    </>
  );
}

function PasswordForm({ problem }: { problem: Route.ComponentProps["actionData"] }) {
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <Form method="post" noValidate className="flex flex-col gap-4">
      <FormMessage message={problem?.message} />
      <TextField
        label="Senha"
        name="currentPassword"
        type="password"
        autoComplete="current-password"
        required
        error={problem?.errors.currentPassword}
      />
      <Button disabled={isBusy} className="self-start">
        Continuar
      </Button>
    </Form>
  );
}

/** For an account without a password. */
function CodeByEmail({ email, to }: { email: string; to: string }) {
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <Form
      method="post"
      action={`/auth/confirm/code/send?to=${encodeURIComponent(to)}`}
      className="flex flex-col items-start gap-4"
    >
      <p className="wrap-anywhere">A sua conta não tem senha. O código vai para {email}.</p>
      <Button disabled={isBusy}>Receber um código por e-mail</Button>
    </Form>
  );
}
