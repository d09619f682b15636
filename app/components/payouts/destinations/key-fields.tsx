import { useState } from "react";
import type { InputEvent } from "react";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { writeMasked } from "#app/components/ui/fields/masked-field.tsx";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { pixKeyKinds } from "#app/domain/payments/schema.ts";
import type { PixKeyKind } from "#app/domain/payments/schema.ts";
import { KEY_INPUTS, KEY_KIND_LABELS, maskTypedKey } from "./key-masks.ts";

const OPTIONS = pixKeyKinds.map((value) => ({ value, label: KEY_KIND_LABELS[value] }));
const kindOf = (typed: string | undefined): PixKeyKind | null =>
  pixKeyKinds.find((kind) => kind === typed) ?? null;

const ANY_HINT =
  "CPF ou CNPJ dos seus documentos, e-mail, celular com DDD ou chave aleatória, como o tipo diz.";

type KeyFieldsProps = {
  values: Record<string, string>;
  errors: Record<string, string>;
  /** Type of the current key. */
  kind: PixKeyKind | null;
};

/**
 * Pix key with its type, which decides how the text is read. JavaScript adds separators during
 * typing; the server accepts keys with and without them.
 */
export function KeyFields({ values, errors, kind: current }: KeyFieldsProps) {
  const first = kindOf(values.keyKind) ?? current ?? "cpf";
  const [kind, setKind] = useState<PixKeyKind>(first);
  // Without JavaScript the page cannot follow the choice: the hint covers every type.
  const { placeholder, inputMode, hint } = useHydrated()
    ? KEY_INPUTS[kind]
    : { placeholder: undefined, inputMode: undefined, hint: ANY_HINT };
  return (
    <>
      <Choices
        legend="Tipo da chave"
        name="keyKind"
        options={OPTIONS}
        defaultValue={first}
        onValueChange={(value) => setKind(kindOf(value) ?? kind)}
        className="sm:grid sm:grid-cols-2 lg:grid-cols-3"
      />
      <TextField
        label="Chave Pix"
        name="pixKey"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={77}
        required
        placeholder={placeholder}
        inputMode={inputMode}
        onInput={(event: InputEvent<HTMLInputElement>) =>
          writeMasked(event.currentTarget, (typed) => maskTypedKey(kind, typed))
        }
        defaultValue={values.pixKey}
        error={errors.pixKey}
        hint={hint}
      />
    </>
  );
}
