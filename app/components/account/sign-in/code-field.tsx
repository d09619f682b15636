import { TextField } from "#app/components/ui/fields/field.tsx";

/**
 * The limits of `countSendTo` in the local identity. A page shows no message of its own when a
 * limit is reached, so the hint names the limits beforehand.
 */
const LIMITS_HINT = "Não chegou? Cada endereço recebe até 10 códigos por hora e 20 por dia.";

/** Field for the six digits of an email. Phones suggest the code above the keyboard. */
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
