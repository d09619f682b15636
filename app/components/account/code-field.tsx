import { TextField } from "#app/components/ui/field.tsx";

/** Six-digit code from an e-mail. Phones suggest it above the keyboard. */
export function CodeField({
  error,
  defaultValue,
  hint,
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
