import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { sendVerification, standing } from "#app/http/account.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/verify-send.ts";

const NO_FIELDS = z.object({});

export const meta: Route.MetaFunction = () => [{ title: "Enviar código · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const account = await standing({ env: context.get(cloudflareContext).env, ctx: context.get(domainContext), request });
  if (account.newEmail === null && account.isEmailVerified) throw redirect("/auth/account");
  return { email: account.newEmail ?? account.email };
}

export async function action({ request, context }: Route.ActionArgs) {
  const asked = { env: context.get(cloudflareContext).env, ctx: context.get(domainContext), request };
  return submitted(request, NO_FIELDS, async () => {
    const { cookie, email } = await sendVerification(asked);
    const headers = new Headers({ "Set-Cookie": cookie });
    return redirectWithToast(request, "/auth/verify", { kind: "success", message: `Código enviado para ${email}.` }, headers);
  });
}

export default function SendCode({ loaderData: { email }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <>
      <AccountCrumb />
      <PageHeader title="Enviar um código" lead={`Para ${email}, com 6 dígitos e um link.`} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-wrap gap-2">
          <FormMessage message={actionData?.message} />
          <Button disabled={isBusy}>Enviar código</Button>
          <ButtonLink to="/auth/verify" variant="outline">
            Já tenho um código
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
