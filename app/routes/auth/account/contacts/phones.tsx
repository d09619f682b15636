import { ContactsPage } from "#app/components/account/contacts/contacts-page.tsx";
import { MaskedField } from "#app/components/ui/fields/masked-field.tsx";
import { newPhoneSchema } from "#app/domain/identity/contacts/schema.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import type { Route } from "./+types/phones.ts";
import { contactAdded } from "./contacts.server.ts";

export const meta: Route.MetaFunction = () => [{ title: "Telefones · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return { contacts: await embedded(asked).contacts.ownContacts({ kind: "phone" }) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, newPhoneSchema, ({ phone }) =>
    contactAdded(asked, { kind: "phone", address: phone }),
  );
}

export default function Phones({ loaderData: { contacts }, actionData }: Route.ComponentProps) {
  return (
    <ContactsPage
      kind="phone"
      lead="Você entra com qualquer telefone confirmado, com a senha ou com um código por SMS."
      contacts={contacts}
      problem={actionData}
    >
      <MaskedField
        mask="phone"
        label="Novo telefone"
        name="phone"
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        required
        maxLength={64}
        hint="Com DDD, como (11) 91234-5678. De outro país, comece com + e o código dele."
        defaultValue={actionData?.values.phone}
        error={actionData?.errors.phone}
      />
    </ContactsPage>
  );
}
