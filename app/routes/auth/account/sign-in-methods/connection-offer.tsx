import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { requireReauthentication } from "#app/http/identity/account.server.ts";
import { cloudflareContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import {
  acceptPendingLink,
  externalProviderName,
} from "#app/http/identity/external-account.server.ts";
import { CONNECTIONS } from "#app/domain/identity/external-accounts/schema.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import type { Route } from "./+types/connection-offer.ts";

const HERE = `${CONNECTIONS}/offer`;
const answerSchema = z.object({ accept: z.enum(["true", "false"]).default("true") });

export const meta: Route.MetaFunction = () => [{ title: "Ligar outra conta · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const { offer } = await embedded(asked).outside.ownWaysIn();
  if (!offer) throw redirect(CONNECTIONS);
  await requireReauthentication(asked, HERE);
  return {
    name: externalProviderName(asked.env, offer.providerId),
    label: offer.label ?? offer.accountId,
    username: context.get(memberContext).username,
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, answerSchema, async ({ accept }) => {
    if (accept === "false") {
      await embedded(asked).outside.declineOffer();
      return redirect(CONNECTIONS);
    }
    await requireReauthentication(asked, HERE);
    return acceptPendingLink(asked);
  });
}

export default function ConnectionOffer({
  loaderData: { name, label, username },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <AccountCrumb to="/auth/account/connections">Contas conectadas</AccountCrumb>
      <PageHeader
        title={`Ligar ${name} à sua conta?`}
        lead={`${label} passa a abrir a conta @${username}, em que você está agora.`}
      />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <FormMessage message={actionData?.message} />
        <Form method="post" className="flex flex-wrap gap-2">
          <Button name="accept" value="true" disabled={isBusy}>
            Ligar {name}
          </Button>
          <Button name="accept" value="false" variant="outline" disabled={isBusy}>
            Agora não
          </Button>
        </Form>
      </Card>
    </>
  );
}
