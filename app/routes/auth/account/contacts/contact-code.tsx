import { Form, redirect, useNavigation } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { CodeField } from "#app/components/account/sign-in/code-field.tsx";
import { CONTACT_LABELS } from "#app/components/account/contacts/contact-labels.ts";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { contactKindOf, contactsPath } from "#app/domain/identity/contacts/rules/contacts.ts";
import { verifyCodeSchema } from "#app/domain/identity/account/schema.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404, throwRefusals } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/contact-code.ts";

export const meta: Route.MetaFunction = () => [{ title: "Digitar o código · Coreto" }];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const kind = foundOr404(contactKindOf(params.contacts));
  const { shown, isVerified, hasLiveCode } = await throwRefusals(() =>
    embedded(asked).contacts.ownContact({ kind, contactId: params.contactId }),
  );
  if (isVerified) throw redirect(contactsPath(kind));
  return { kind, shown, hasLiveCode };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const kind = foundOr404(contactKindOf(params.contacts));
  return handleForm(request, verifyCodeSchema, async ({ code }) => {
    const { shown } = await embedded(asked).contacts.verifyContactByCode({
      kind,
      contactId: params.contactId,
      code,
    });
    return redirectWithToast(request, contactsPath(kind), {
      kind: "success",
      message: `${shown} está confirmado.`,
    });
  });
}

export default function ContactCode({
  loaderData: { kind, shown, hasLiveCode },
  actionData,
  params,
}: Route.ComponentProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(actionData);
  const labels = CONTACT_LABELS[kind];
  return (
    <>
      <AccountCrumb to={contactsPath(kind)}>{labels.plural}</AccountCrumb>
      <PageHeader
        title={`Confirmar ${labels.noun}`}
        lead={
          hasLiveCode
            ? `Enviamos um código para ${shown}. Ele vale por 10 minutos.`
            : `Para confirmar ${shown}, peça um código. Ele vale por 10 minutos.`
        }
      />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        {hasLiveCode || actionData ? (
          <Form method="post" noValidate className="flex flex-col gap-4">
            <FormMessage message={actionData?.message} />
            <CodeField defaultValue={actionData?.values.code} error={actionData?.errors.code} />
            <Button disabled={isBusy} className="self-start">
              Confirmar
            </Button>
          </Form>
        ) : null}
        <Form method="post" action={`${contactsPath(kind)}/${params.contactId}/code/send`}>
          <Button variant={hasLiveCode ? "outline" : "primary"} disabled={isBusy}>
            {hasLiveCode ? "Enviar outro código" : "Enviar código"}
          </Button>
        </Form>
      </Card>
    </>
  );
}
