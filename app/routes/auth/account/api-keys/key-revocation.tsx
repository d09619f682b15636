import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { ApiKeyDetails } from "#app/components/account/api-keys/api-key-details.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { revokeApiKey } from "#app/domain/identity/api-keys/commands.server.ts";
import { apiKeyById } from "#app/domain/identity/api-keys/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { apiKeyView } from "#app/components/account/api-keys/shown-key.ts";
import { sendSecurityEmail } from "#app/http/identity/security-emails.server.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/key-revocation.ts";

const NO_FIELDS = z.object({});

export const meta: Route.MetaFunction = () => [{ title: "Revogar chave de API · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const key = foundOr404(
    await apiKeyById(ctx, { personId: context.get(memberContext).id, keyId: params.keyId }),
    "Esta chave não existe ou já foi revogada.",
  );
  return { apiKey: apiKeyView(key, ctx.now()) };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return handleForm(request, NO_FIELDS, async () => {
    const [ctx, member] = [context.get(domainContext), context.get(memberContext)];
    const { name } = await revokeApiKey(ctx, { personId: member.id, keyId: params.keyId });
    await sendSecurityEmail(ctx, member, { kind: "key_revoked", name });
    return redirectWithToast(request, "/auth/account/keys", {
      kind: "success",
      message: "Chave revogada. Ela já não abre nada.",
    });
  });
}

export default function RevokeApiKey({ loaderData: { apiKey }, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <AccountCrumb to="/auth/account/keys">Chaves de API</AccountCrumb>
      <PageHeader
        title="Revogar esta chave?"
        lead="O programa que a usa para de ler na hora. Não dá para desfazer."
      />
      <Card className="flex flex-col gap-5 p-5 sm:p-6">
        <ApiKeyDetails apiKey={apiKey} />
        <Form method="post" className="flex flex-wrap gap-2">
          <FormMessage message={actionData?.message} />
          <Button variant="danger" disabled={isBusy}>
            Revogar chave
          </Button>
          <ButtonLink to="/auth/account/keys" variant="outline">
            Manter
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
