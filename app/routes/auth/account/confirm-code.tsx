import { Form, redirect, useNavigation } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { CodeField } from "#app/components/account/sign-in/code-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { verifyCodeSchema } from "#app/domain/identity/account/schema.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { internalPath } from "#app/lib/own-path.ts";
import type { Route } from "./+types/confirm-code.ts";

export const meta: Route.MetaFunction = () => [{ title: "Digite o código · Coreto" }];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { account } = embedded({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  });
  return {
    to: internalPath(url.searchParams.get("to"), "/auth/account"),
    email: (await account.accountStatus()).email,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const { account } = embedded({
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  });
  const to = internalPath(url.searchParams.get("to"), "/auth/account");
  return handleForm(request, verifyCodeSchema, async (input) => {
    await account.confirmByOwnCode(input);
    return redirect(to);
  });
}

export default function ConfirmByCode({
  loaderData: { to, email },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  return (
    <>
      <AccountCrumb />
      <PageHeader
        title="Digite o código"
        lead={`Enviamos 6 dígitos para ${email}. Eles valem por 10 minutos, neste navegador.`}
      />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <Form method="post" noValidate className="flex flex-col gap-4">
          <FormMessage message={actionData?.message} link={actionData?.link} />
          <CodeField defaultValue={actionData?.values.code} error={actionData?.errors.code} />
          <Button disabled={isBusy} className="self-start">
            Confirmar
          </Button>
        </Form>
        <Form method="post" action={`/auth/confirm/code/send?to=${encodeURIComponent(to)}`}>
          <Button variant="outline" disabled={isBusy}>
            Enviar outro código
          </Button>
        </Form>
      </Card>
    </>
  );
}
