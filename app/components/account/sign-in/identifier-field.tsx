import { TextField } from "#app/components/ui/fields/field.tsx";

const IDENTIFIER_MAX = 256;

/** Identifier of an account, of any kind that can sign in. */
export function IdentifierField({
  defaultValue,
  error,
}: {
  defaultValue: string | undefined;
  error: string | undefined;
}) {
  return (
    <TextField
      label="Telefone, e-mail ou nome de usuário"
      name="identifier"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      required
      maxLength={IDENTIFIER_MAX}
      defaultValue={defaultValue}
      error={error}
    />
  );
}
