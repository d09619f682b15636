import { Form, Link, useNavigation } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { NewPasswordField } from "#app/components/account/sign-in/new-password-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { firstPasswordSchema, passwordChangeSchema } from "#app/domain/identity/account/schema.ts";
import { asksPassword } from "#app/http/identity/account.server.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/password.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.hasPassword === false ? "Criar senha" : "Trocar senha"} · Coreto` },
];

const HERE = "/auth/account/password";

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return { hasPassword: await asksPassword(asked, HERE) };
}

/**
 * Changes or creates the password. A change asks for the current password, so it needs no recent
 * authentication. A first password has none to ask for.
 */
export async function action({ request, context }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  if (!(await asksPassword(asked, HERE))) {
    return handleForm(request, firstPasswordSchema, async ({ password }) => {
      await embedded(asked).account.makeOwnPassword({ password });
      return redirectWithToast(request, "/auth/account", {
        kind: "success",
        message: "Senha criada. Agora ela também abre a sua conta.",
      });
    });
  }
  return handleForm(request, passwordChangeSchema, async ({ currentPassword, password }) => {
    await embedded(asked).account.changeOwnPassword({ currentPassword, password });
    return redirectWithToast(request, "/auth/account", {
      kind: "success",
      message: "Senha trocada. As outras sessões foram encerradas.",
    });
  });
}

export default function ChangePassword({
  loaderData: { hasPassword },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  const errors = actionData?.errors ?? {};
  return (
    <>
      <AccountCrumb />
      <PageHeader
        title={hasPassword ? "Trocar senha" : "Criar senha"}
        lead={
          hasPassword
            ? "As sessões abertas em outros lugares serão encerradas."
            : "Para entrar também com e-mail e senha."
        }
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" noValidate className="flex flex-col gap-4">
          <FormMessage message={actionData?.message} />
          {hasPassword ? (
            <TextField
              label="Senha atual"
              name="currentPassword"
              type="password"
              autoComplete="current-password"
              required
              error={errors.currentPassword}
            />
          ) : null}
          <NewPasswordField label="Nova senha" error={errors.password} />
          <TextField
            label="Repita a nova senha"
            name="repeatedPassword"
            type="password"
            autoComplete="new-password"
            required
            error={errors.repeatedPassword}
          />
          <div className="flex flex-wrap items-center gap-4">
            <Button disabled={isBusy}>{hasPassword ? "Trocar senha" : "Criar senha"}</Button>
            {hasPassword ? <Forgotten /> : null}
          </div>
        </Form>
      </Card>
    </>
  );
}

function Forgotten() {
  return (
    <Link
      to="/auth/reset"
      className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
    >
      Esqueci minha senha
    </Link>
  );
}
