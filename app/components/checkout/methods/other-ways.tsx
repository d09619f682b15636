import { ButtonLink } from "#app/components/ui/button.tsx";

/**
 * Below what is not paid: another way to pay it, and giving up. Where nothing is left to give up,
 * `abandonLabel` says where the link leads.
 */
export function OtherWays({
  otherPath,
  abandonPath,
  abandonLabel = "Desistir",
}: {
  otherPath: string | null;
  abandonPath: string;
  abandonLabel?: string;
}) {
  return (
    <nav aria-label="Outras saídas" className="flex flex-wrap gap-2">
      {otherPath === null ? null : (
        <ButtonLink to={otherPath} variant="outline">
          Escolher outra forma
        </ButtonLink>
      )}
      <ButtonLink to={abandonPath} variant="ghost">
        {abandonLabel}
      </ButtonLink>
    </nav>
  );
}
