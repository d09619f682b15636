import { Form, redirect, useNavigation } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { passwordConfirmationSchema } from "#app/domain/identity/schema/account.ts";
import { confirmPassword } from "#app/http/account.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { ownPath } from "#app/http/own-path.ts";
import type { Route } from "./+types/confirm.ts";

export const meta: Route.MetaFunction = () => [{ title: "Confirme a sua senha · Coreto" }];

export async function action({ request, context, url }: Route.ActionArgs) {
  const asked = { env: context.get(cloudflareContext).env, ctx: context.get(domainContext), request };
  const to = ownPath(url.searchParams.get("to"), "/auth/account");
  return submitted(request, passwordConfirmationSchema, async (input) => {
    await confirmPassword(asked, input);
    return redirect(to);
  });
}

export default function ConfirmPassword({ actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  return (
    <>
      <AccountCrumb />
      <PageHeader title="Confirme a sua senha" lead="Antes de mudar a conta, queremos ter certeza de que é você. Vale por 10 minutos." />
      <Card className="p-5 sm:p-6">
        <Form method="post" noValidate className="flex flex-col gap-4">
          <FormMessage message={actionData?.message} />
          <TextField
            label="Senha"
            name="currentPassword"
            type="password"
            autoComplete="current-password"
            required
            error={actionData?.errors.currentPassword}
          />
          <Button disabled={isBusy} className="self-start">
            Continuar
          </Button>
        </Form>
      </Card>
    </>
  );
}
