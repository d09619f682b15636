import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { requireReauthentication } from "#app/http/identity/account.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import {
  disconnectExternalAccount,
  externalProviderName,
} from "#app/http/identity/external-account.server.ts";
import { CONNECTIONS, WALLETS } from "#app/domain/identity/external-accounts/schema.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { throwRefusals } from "#app/http/refusal.ts";
import { externalAccountViews } from "#app/components/account/external-accounts/shown-outside.ts";
import type { Route } from "./+types/connection-removal.ts";

const NO_FIELDS = z.object({});

export const meta: Route.MetaFunction = () => [{ title: "Desligar conta · Coreto" }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  await requireReauthentication(asked, `${CONNECTIONS}/${params.accountId}/removal`);
  const account = await throwRefusals(() =>
    embedded(asked).outside.ownOutsideAccount({ id: params.accountId }),
  );
  const [shown] = externalAccountViews([account], (id) => externalProviderName(asked.env, id));
  const isWallet = shown?.isWallet ?? false;
  return {
    name: shown?.name ?? "",
    label: shown?.label ?? "",
    isWallet,
    back: isWallet ? WALLETS : CONNECTIONS,
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, NO_FIELDS, async () => {
    await requireReauthentication(asked, `${CONNECTIONS}/${params.accountId}/removal`);
    return disconnectExternalAccount(asked, { id: params.accountId });
  });
}

export default function Disconnect({
  loaderData: { name, label, back, isWallet },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <AccountCrumb to={back}>{isWallet ? "Carteiras" : "Contas conectadas"}</AccountCrumb>
      <PageHeader
        title={`Desligar ${name}?`}
        lead={`${label} deixa de abrir a sua conta. Nada muda do lado de lá, e você pode ligar de novo quando quiser.`}
      />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <FormMessage message={actionData?.message} />
        <Form method="post" className="flex flex-wrap gap-2">
          <Button variant="danger" disabled={isBusy}>
            Desligar
          </Button>
          <ButtonLink to={back} variant="outline">
            Manter
          </ButtonLink>
        </Form>
        {actionData?.message ? (
          <ButtonLink to="/auth/account/password" variant="outline" className="self-start">
            Criar senha
          </ButtonLink>
        ) : null}
      </Card>
    </>
  );
}
