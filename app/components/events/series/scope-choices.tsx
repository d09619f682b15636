import { Choices } from "#app/components/ui/fields/choice.tsx";
import { SCOPE_LABELS, SCOPES } from "#app/domain/events/series/rules.ts";

/** Which dates of a repeating event a form is for. */
export function ScopeChoices({
  legend,
  chosen = "one",
  error,
  hint,
}: {
  legend: string;
  chosen?: string | undefined;
  error?: string | undefined;
  hint?: string;
}) {
  return (
    <Choices
      className="basis-full"
      legend={legend}
      name="scope"
      defaultValue={chosen}
      error={error}
      hint={hint}
      options={SCOPES.map((scope) => ({ value: scope, label: SCOPE_LABELS[scope] }))}
    />
  );
}
