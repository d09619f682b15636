import type { ComponentProps, InputEvent } from "react";
import { maskTyped } from "#app/lib/field-masks.ts";
import type { FieldMask } from "#app/lib/field-masks.ts";
import { TextField } from "./field.tsx";

type MaskedFieldProps = ComponentProps<typeof TextField> & { mask: FieldMask };

/**
 * Field for a number that JavaScript formats while it is typed. The server accepts it with and
 * without separators. Phones show the numeric keyboard.
 */
export function MaskedField({ mask, ...field }: MaskedFieldProps) {
  return (
    <TextField
      {...(mask === "cpf-or-cnpj"
        ? { inputMode: "text", autoCapitalize: "characters" }
        : { inputMode: "numeric" })}
      {...field}
      onInput={(event: InputEvent<HTMLInputElement>) =>
        writeMasked(event.currentTarget, (typed) => maskTyped(mask, typed))
      }
    />
  );
}

/**
 * Writes the formatted value, only while the caret is at the end. A separator inserted before the
 * caret would move it.
 */
export function writeMasked(input: HTMLInputElement, mask: (typed: string) => string): void {
  if (input.selectionStart !== input.value.length) return;
  const next = mask(input.value);
  if (next !== input.value) input.value = next;
}
