import { Form, redirect, useNavigation } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { CodeField } from "#app/components/account/code-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { verifyCodeSchema } from "#app/domain/identity/schema/account.ts";
import { standing, verifyByCode } from "#app/http/account.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/verify.ts";

export const meta: Route.MetaFunction = () => [{ title: "Confirmar e-mail · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const account = await standing({ env: context.get(cloudflareContext).env, ctx: context.get(domainContext), request });
  if (account.newEmail === null && account.isEmailVerified) throw redirect("/auth/account");
  return { email: account.newEmail ?? account.email, isChange: account.newEmail !== null };
}

export async function action({ request, context }: Route.ActionArgs) {
  const asked = { env: context.get(cloudflareContext).env, ctx: context.get(domainContext), request };
  return submitted(request, verifyCodeSchema, async (input) => {
    const email = await verifyByCode(asked, input);
    return redirectWithToast(request, "/auth/account", { kind: "success", message: `${email} está confirmado.` });
  });
}

export default function Verify({ loaderData: { email, isChange }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  return (
    <>
      <AccountCrumb />
      <PageHeader title={isChange ? "Confirmar o novo e-mail" : "Confirmar e-mail"} lead={`O código vai para ${email} e vale por 10 minutos.`} />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <Form method="post" noValidate className="flex flex-col gap-4">
          <FormMessage message={actionData?.message} />
          <CodeField defaultValue={actionData?.values.code} error={actionData?.errors.code} />
          <Button disabled={isBusy} className="self-start">
            Confirmar
          </Button>
        </Form>
        <Form method="post" action="/auth/verify/send">
          <Button variant="outline" disabled={isBusy}>
            Enviar outro código
          </Button>
        </Form>
      </Card>
    </>
  );
}
