import { ButtonLink } from "#app/components/ui/button.tsx";

/** Below what is not paid yet: another way to pay it, and giving up. Never a dead end. */
export function OtherWays({
  otherPath,
  abandonPath,
}: {
  otherPath: string | null;
  abandonPath: string;
}) {
  return (
    <nav aria-label="Outras saídas" className="flex flex-wrap gap-2">
      {otherPath === null ? null : (
        <ButtonLink to={otherPath} variant="outline">
          Escolher outra forma
        </ButtonLink>
      )}
      <ButtonLink to={abandonPath} variant="ghost">
        Desistir
      </ButtonLink>
    </nav>
  );
}
