import { ButtonLink } from "#app/components/ui/button.tsx";

/** Leads back to the first steps from a page that one of them sent to; null shows nothing. */
export function FirstStepsLink({
  to,
  variant = "outline",
}: {
  to: string | null;
  variant?: "primary" | "outline";
}) {
  return to === null ? null : (
    <ButtonLink to={to} variant={variant}>
      Continuar os primeiros passos
    </ButtonLink>
  );
}
