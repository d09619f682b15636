import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { internalPath } from "#app/lib/own-path.ts";
import type { Route } from "./+types/confirm-code-send.ts";

export const meta: Route.MetaFunction = () => [{ title: "Receber um código · Coreto" }];

export async function action({ request, context, url }: Route.ActionArgs) {
  const { env, ctx: execution } = context.get(cloudflareContext);
  const asked = {
    env,
    ctx: context.get(domainContext),
    request,
    waitUntil: (work: Promise<unknown>) => execution.waitUntil(work),
  };
  const to = internalPath(url.searchParams.get("to"), "/auth/account");
  return handleForm(request, z.object({}), async () => {
    const { cookie } = await embedded(asked).account.requestOwnCode(asked);
    return redirect(`/auth/confirm/code?to=${encodeURIComponent(to)}`, {
      headers: { "Set-Cookie": cookie },
    });
  });
}

export default function SendConfirmationCode({ actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <>
      <AccountCrumb />
      <PageHeader
        title="Receber um código"
        lead="São 6 dígitos, que valem por 10 minutos neste navegador."
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col items-start gap-4">
          <FormMessage message={actionData?.message} link={actionData?.link} />
          <Button disabled={isBusy}>Receber um código por e-mail</Button>
        </Form>
      </Card>
    </>
  );
}
