import { redirect } from "react-router";
import { z } from "zod";
import { ContactConfirmation } from "#app/components/account/contacts/contact-confirmation.tsx";
import { CONTACT_LABELS } from "#app/components/account/contacts/contact-labels.ts";
import { contactKindOf, contactsPath } from "#app/domain/identity/contacts/rules/contacts.ts";
import { requireReauthentication } from "#app/http/identity/account.server.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404, throwRefusals } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/contact-primary.ts";

const NO_FIELDS = z.object({});

export const meta: Route.MetaFunction = () => [{ title: "Tornar principal · Coreto" }];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const kind = foundOr404(contactKindOf(params.contacts));
  const { shown, acts } = await throwRefusals(() =>
    embedded(asked).contacts.ownContact({ kind, contactId: params.contactId }),
  );
  if (!acts.mayBePrimary) throw redirect(contactsPath(kind));
  return { kind, shown };
}

export async function action({
  request,
  context,
  params: { contacts, contactId },
}: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  const kind = foundOr404(contactKindOf(contacts));
  return handleForm(request, NO_FIELDS, async () => {
    await requireReauthentication(asked, `${contactsPath(kind)}/${contactId}/primary`);
    const { shown } = await embedded(asked).contacts.makeContactPrimary({ kind, contactId });
    return redirectWithToast(request, contactsPath(kind), {
      kind: "success",
      message: `${shown} é o principal agora.`,
    });
  });
}

export default function MakeContactPrimary({
  loaderData: { kind, shown },
  actionData,
}: Route.ComponentProps) {
  const labels = CONTACT_LABELS[kind];
  return (
    <ContactConfirmation
      back={contactsPath(kind)}
      list={labels.plural}
      question={`Tornar ${shown} o ${labels.noun} principal?`}
      lead={labels.primary}
      act="Tornar principal"
      problem={actionData}
    />
  );
}
