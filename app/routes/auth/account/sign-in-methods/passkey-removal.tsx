import { quoted } from "#app/domain/text.ts";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { PasswordForm } from "#app/components/account/sign-in/password-form.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { currentPasswordSchema } from "#app/domain/identity/sign-in/schema/second-factor.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { asksPassword } from "#app/http/identity/account.server.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { sendSecurityEmail } from "#app/http/identity/security-emails.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/passkey-removal.ts";

export const meta: Route.MetaFunction = () => [{ title: "Remover chave de acesso · Coreto" }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const own = await embedded(asked).passkeys.ownPasskeys();
  const { id, name } = foundOr404(
    own.find((passkey) => passkey.id === params.passkeyId),
    "Esta chave de acesso não existe ou já foi removida.",
  );
  return {
    name,
    asksPassword: await asksPassword(asked, `/auth/account/passkeys/${id}/removal`),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { removePasskey } = embedded({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  }).passkeys;
  return handleForm(request, currentPasswordSchema, async ({ currentPassword }) => {
    const { name } = await removePasskey({
      passkeyId: params.passkeyId,
      currentPassword,
    });
    await sendSecurityEmail(context.get(domainContext), context.get(memberContext), {
      kind: "passkey_removed",
      name,
    });
    return redirectWithToast(request, "/auth/account/passkeys", {
      kind: "success",
      message: "Chave de acesso removida.",
    });
  });
}

export default function RemovePasskey({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <AccountCrumb to="/auth/account/passkeys">Chaves de acesso</AccountCrumb>
      <PageHeader
        title={`Remover ${quoted(loaderData.name)}?`}
        lead="O aparelho deixa de abrir a sua conta."
      />
      <Card className="p-5 sm:p-6">
        <PasswordForm
          problem={actionData}
          act="Remover"
          variant="danger"
          back="/auth/account/passkeys"
          asksPassword={loaderData.asksPassword}
        />
      </Card>
    </>
  );
}
