import { useState } from "react";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { PASSWORD_STRENGTHS, strengthShown } from "#app/domain/identity/rules/passwords.ts";
import type { PasswordStrength } from "#app/domain/identity/rules/passwords.ts";
import { PASSWORD_MIN } from "#app/domain/identity/schema.ts";

const COLOURS: Record<PasswordStrength, string> = {
  fraca: "bg-refusal",
  razoável: "bg-attention",
  boa: "bg-leaf",
  forte: "bg-leaf",
};

/**
 * New password field with a strength meter. Without JavaScript, a text beside the field says what
 * is missing.
 */
export function NewPasswordField({ label, error }: { label: string; error: string | undefined }) {
  const [strength, setStrength] = useState<PasswordStrength | null>(null);
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={label}
        name="password"
        type="password"
        autoComplete="new-password"
        required
        hint={`Pelo menos ${PASSWORD_MIN} caracteres. Três ou quatro palavras fáceis de lembrar já são uma senha forte.`}
        error={error}
        onInput={({ currentTarget: { value, form } }) => {
          // What the server says of a sent password stands alone.
          if (strength === null)
            form?.addEventListener("submit", () => setStrength(null), { once: true });
          setStrength(strengthShown(value, PASSWORD_MIN));
        }}
      />
      <div role="status" aria-live="polite" className="text-small text-muted empty:hidden">
        {strength === null ? null : <Strength strength={strength} />}
      </div>
    </div>
  );
}

function Strength({ strength }: { strength: PasswordStrength }) {
  const level = PASSWORD_STRENGTHS.indexOf(strength);
  return (
    <span className="flex items-center gap-3">
      <span aria-hidden="true" className="flex flex-1 gap-1">
        {PASSWORD_STRENGTHS.map((step, index) => (
          <span
            key={step}
            className={`h-1.5 flex-1 rounded-full ${index <= level ? COLOURS[strength] : "bg-line"}`}
          />
        ))}
      </span>
      Senha {strength}
    </span>
  );
}
