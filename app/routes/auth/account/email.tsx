import { Form, useNavigation } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { EMAIL_MAX } from "#app/domain/identity/schema.ts";
import { newEmailSchema } from "#app/domain/identity/schema/account.ts";
import { confirmFirst, sendVerification, standing } from "#app/http/account.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/email.ts";

const HERE = "/auth/account/email";

export const meta: Route.MetaFunction = () => [{ title: "Trocar e-mail · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = { env: context.get(cloudflareContext).env, ctx: context.get(domainContext), request };
  await confirmFirst(asked, HERE);
  return { email: (await standing(asked)).email };
}

export async function action({ request, context }: Route.ActionArgs) {
  const asked = { env: context.get(cloudflareContext).env, ctx: context.get(domainContext), request };
  return submitted(request, newEmailSchema, async ({ email: newEmail }) => {
    await confirmFirst(asked, HERE);
    const { cookie, email } = await sendVerification(asked, { newEmail });
    const headers = new Headers({ "Set-Cookie": cookie });
    return redirectWithToast(request, "/auth/verify", { kind: "success", message: `Código enviado para ${email}.` }, headers);
  });
}

export default function ChangeEmail({ loaderData: { email }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  return (
    <>
      <AccountCrumb />
      <PageHeader title="Trocar e-mail" lead={`Hoje é ${email}. Ele só muda depois que você digitar o código que enviarmos para o novo.`} />
      <Card className="p-5 sm:p-6">
        <Form method="post" noValidate className="flex flex-col gap-4">
          <FormMessage message={actionData?.message} />
          <TextField
            label="Novo e-mail"
            name="email"
            type="email"
            inputMode="email"
            autoComplete="email"
            required
            maxLength={EMAIL_MAX}
            defaultValue={actionData?.values.email}
            error={actionData?.errors.email}
          />
          <Button disabled={isBusy} className="self-start">
            Enviar código
          </Button>
        </Form>
      </Card>
    </>
  );
}
