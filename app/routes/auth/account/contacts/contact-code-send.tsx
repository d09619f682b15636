import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { CONTACT_LABELS } from "#app/components/account/contacts/contact-labels.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { contactKindOf, contactsPath } from "#app/domain/identity/contacts/rules/contacts.ts";
import { requireReauthentication } from "#app/http/identity/account.server.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404, throwRefusals } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/contact-code-send.ts";

const NO_FIELDS = z.object({});

export const meta: Route.MetaFunction = () => [{ title: "Enviar código · Coreto" }];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const kind = foundOr404(contactKindOf(params.contacts));
  const { shown, isVerified } = await throwRefusals(() =>
    embedded(asked).contacts.ownContact({ kind, contactId: params.contactId }),
  );
  if (isVerified) throw redirect(contactsPath(kind));
  return { kind, shown };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const kind = foundOr404(contactKindOf(params.contacts));
  const codePath = `${contactsPath(kind)}/${params.contactId}/code`;
  return handleForm(request, NO_FIELDS, async () => {
    await requireReauthentication(asked, `${codePath}/send`);
    const { cookie, shown } = await embedded(asked).contacts.sendContactCode({
      kind,
      contactId: params.contactId,
    });
    return redirectWithToast(
      request,
      codePath,
      { kind: "success", message: `Código enviado para ${shown}.` },
      new Headers({ "Set-Cookie": cookie }),
    );
  });
}

export default function SendContactCode({
  loaderData: { kind, shown },
  actionData,
  params,
}: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  return (
    <>
      <AccountCrumb to={contactsPath(kind)}>{CONTACT_LABELS[kind].plural}</AccountCrumb>
      <PageHeader
        title="Enviar um código"
        lead={`Para ${shown}, com 6 dígitos. Ele vale por 10 minutos.`}
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-wrap gap-2">
          <FormMessage message={actionData?.message} />
          <Button disabled={isBusy}>Enviar código</Button>
          <ButtonLink to={`${contactsPath(kind)}/${params.contactId}/code`} variant="outline">
            Já tenho um código
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
