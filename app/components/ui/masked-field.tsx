import type { ComponentProps, InputEvent } from "react";
import { maskTyped } from "#app/lib/field-masks.ts";
import type { FieldMask } from "#app/lib/field-masks.ts";
import { TextField } from "./field.tsx";

type MaskedFieldProps = ComponentProps<typeof TextField> & { mask: FieldMask };

/**
 * A number whose signs come as it is typed, where there is JavaScript; the server takes it with and
 * without them. The keyboard has digits.
 */
export function MaskedField({ mask, ...field }: MaskedFieldProps) {
  return (
    <TextField
      inputMode="numeric"
      {...field}
      onInput={(event: InputEvent<HTMLInputElement>) =>
        writeMasked(event.currentTarget, (typed) => maskTyped(mask, typed))
      }
    />
  );
}

/** Only while the caret is at the end: a sign that comes in the middle would move it. */
export function writeMasked(input: HTMLInputElement, mask: (typed: string) => string): void {
  if (input.selectionStart !== input.value.length) return;
  const next = mask(input.value);
  if (next !== input.value) input.value = next;
}
