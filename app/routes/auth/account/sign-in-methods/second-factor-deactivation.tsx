import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { PasswordForm } from "#app/components/account/sign-in/password-form.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { currentPasswordSchema } from "#app/domain/identity/sign-in/schema/second-factor.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { sendSecurityEmail } from "#app/http/identity/security-emails.server.ts";
import { asksPassword } from "#app/http/identity/account.server.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/second-factor-deactivation.ts";

export const meta: Route.MetaFunction = () => [
  { title: "Desligar a verificação em duas etapas · Coreto" },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return { asksPassword: await asksPassword(asked, "/auth/account/second-factor/deactivation") };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { removeSecondFactor } = embedded({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  }).secondFactor;
  return handleForm(request, currentPasswordSchema, async (input) => {
    await removeSecondFactor(input);
    await sendSecurityEmail(context.get(domainContext), context.get(memberContext), {
      kind: "second_factor_off",
    });
    return redirectWithToast(request, "/auth/account/second-factor", {
      kind: "success",
      message: "Verificação em duas etapas desligada.",
    });
  });
}

export default function DeactivateSecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <AccountCrumb to="/auth/account/second-factor">Verificação em duas etapas</AccountCrumb>
      <PageHeader
        title="Desligar a verificação em duas etapas?"
        lead="Para entrar na sua conta, o código do celular deixa de ser pedido."
      />
      <Card className="p-5 sm:p-6">
        <PasswordForm
          problem={actionData}
          act="Desligar"
          variant="danger"
          back="/auth/account/second-factor"
          asksPassword={loaderData.asksPassword}
        />
      </Card>
    </>
  );
}
