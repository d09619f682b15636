import { TextField } from "#app/components/ui/field.tsx";

/**
 * As `countSendTo` of the embedded identity counts them. Past it the pages say nothing of their
 * own.
 */
const LIMITS_HINT = "Não chegou? Cada endereço recebe até 10 códigos por hora e 20 por dia.";

/** Six digits from a mail. Phones offer them above the keyboard. */
export function CodeField({
  error,
  defaultValue,
  hint = LIMITS_HINT,
}: {
  error: string | undefined;
  defaultValue: string | undefined;
  hint?: string;
}) {
  return (
    <TextField
      label="Código de 6 dígitos"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      required
      maxLength={12}
      hint={hint}
      defaultValue={defaultValue}
      error={error}
    />
  );
}
