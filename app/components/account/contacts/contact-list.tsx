import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";

export type ListedContact = {
  id: string;
  shown: string;
  isPrimary: boolean;
  isVerified: boolean;
  acts: { mayVerify: boolean; mayBePrimary: boolean; mayBeRemoved: boolean };
};

type ContactListProps = {
  label: string;
  /** Path of the list; the actions of a contact are below it. */
  path: string;
  contacts: readonly ListedContact[];
};

/** E-mails or phones of the account, each with its actions. */
export function ContactList({ label, path, contacts }: ContactListProps) {
  return (
    <Card as="section" label={label} className="px-5 py-1">
      <ul className="divide-y divide-line">
        {contacts.map((contact) => (
          <li key={contact.id} className="flex flex-col gap-3 py-4">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <span className="min-w-0 font-semibold wrap-anywhere">{contact.shown}</span>
              {contact.isPrimary ? <Badge>Principal</Badge> : null}
              <Badge tone={contact.isVerified ? "good" : "attention"}>
                {contact.isVerified ? "Confirmado" : "Falta confirmar"}
              </Badge>
            </p>
            <ContactActs path={`${path}/${contact.id}`} {...contact} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function ContactActs({
  path,
  shown,
  acts: { mayVerify, mayBePrimary, mayBeRemoved },
}: ListedContact & { path: string }) {
  if (!mayVerify && !mayBePrimary && !mayBeRemoved) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {mayVerify ? (
        <ButtonLink to={`${path}/code`} size="sm" aria-label={`Confirmar ${shown}`}>
          Confirmar
        </ButtonLink>
      ) : null}
      {mayBePrimary ? (
        <ButtonLink
          to={`${path}/primary`}
          variant="outline"
          size="sm"
          aria-label={`Tornar principal ${shown}`}
        >
          Tornar principal
        </ButtonLink>
      ) : null}
      {mayBeRemoved ? (
        <ButtonLink
          to={`${path}/removal`}
          variant="outline"
          size="sm"
          aria-label={`Remover ${shown}`}
        >
          Remover
        </ButtonLink>
      ) : null}
    </div>
  );
}
