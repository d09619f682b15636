import type { ReactNode } from "react";
import { Form, useNavigation } from "react-router";
import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { ContactList } from "./contact-list.tsx";
import type { ListedContact } from "./contact-list.tsx";
import { CONTACT_LABELS } from "./contact-labels.ts";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { contactsPath } from "#app/domain/identity/contacts/rules/contacts.ts";
import type { ContactKind } from "#app/domain/identity/contacts/rules/contacts.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";

type ContactsPageProps = {
  kind: ContactKind;
  lead: string;
  contacts: readonly ListedContact[];
  problem: FormProblem | undefined;
  /** Form that adds a contact. */
  children: ReactNode;
};

/** E-mails or phones of the account, with the form that adds one. */
export function ContactsPage({ kind, lead, contacts, problem, children }: ContactsPageProps) {
  const isBusy = useNavigation().formMethod === "POST";
  useFirstError(problem);
  const { noun, plural, none } = CONTACT_LABELS[kind];
  return (
    <>
      <AccountCrumb />
      <PageHeader title={plural} lead={lead} />
      <div className="flex flex-col gap-4">
        {contacts.length === 0 ? (
          <EmptyState title={`Nenhum ${noun} ainda`}>{none}</EmptyState>
        ) : (
          <ContactList
            label={`Seus ${plural.toLowerCase()}`}
            path={contactsPath(kind)}
            contacts={contacts}
          />
        )}
        <Card as="section" label={`Adicionar ${noun}`} className="p-5 sm:p-6">
          <h2 className="text-heading">Adicionar {noun}</h2>
          <Form method="post" noValidate className="mt-3 flex flex-col gap-4">
            <FormMessage message={problem?.message} link={problem?.link} />
            {children}
            <Button disabled={isBusy} className="self-start">
              Enviar código
            </Button>
          </Form>
        </Card>
      </div>
    </>
  );
}
