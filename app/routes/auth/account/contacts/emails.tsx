import { ContactsPage } from "#app/components/account/contacts/contacts-page.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { EMAIL_MAX } from "#app/domain/identity/schema.ts";
import { newEmailSchema } from "#app/domain/identity/account/schema.ts";
import { embedded } from "#app/http/identity/embedded.server.ts";
import { cloudflareContext, domainContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import type { Route } from "./+types/emails.ts";
import { contactAdded } from "./contacts.server.ts";

export const meta: Route.MetaFunction = () => [{ title: "E-mails · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return { contacts: await embedded(asked).contacts.ownContacts({ kind: "email" }) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const asked = {
    env: context.get(cloudflareContext).env,
    ctx: context.get(domainContext),
    request,
  };
  return handleForm(request, newEmailSchema, ({ email }) =>
    contactAdded(asked, { kind: "email", address: email }),
  );
}

export default function Emails({ loaderData: { contacts }, actionData }: Route.ComponentProps) {
  return (
    <ContactsPage
      kind="email"
      lead="Você entra com qualquer e-mail confirmado. Recibos e avisos vão para o principal."
      contacts={contacts}
      problem={actionData}
    >
      <TextField
        label="Novo e-mail"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        required
        maxLength={EMAIL_MAX}
        hint="Enviamos um código de 6 dígitos para lá."
        defaultValue={actionData?.values.email}
        error={actionData?.errors.email}
      />
    </ContactsPage>
  );
}
