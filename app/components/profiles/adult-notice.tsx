import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { ADULT_PAGE_LABEL } from "#app/domain/age/schema.ts";

type AdultNoticeProps = { name: string; username: string; reloadDocument?: boolean };

/**
 * Notice on an adult page for a visitor without an age check: only its name, and a link to the
 * check.
 */
export function AdultNotice({ name, username, reloadDocument = false }: AdultNoticeProps) {
  return (
    <Card
      as="section"
      label={ADULT_PAGE_LABEL}
      className="flex flex-col items-start gap-4 p-5 sm:p-8"
    >
      <h1 className="text-display wrap-anywhere">{name}</h1>
      <p className="text-heading font-semibold">{ADULT_PAGE_LABEL}</p>
      <p className="max-w-prose text-muted">
        Para ver o que há nela, confirme uma vez que você tem 18 anos ou mais. Dizer a idade não
        basta.
      </p>
      <ButtonLink to={ageCheckPath(`/space/${username}`)} reloadDocument={reloadDocument} size="lg">
        Confirmar minha idade
      </ButtonLink>
    </Card>
  );
}

const ageCheckPath = (to: string): string => `/age-check?to=${encodeURIComponent(to)}`;
