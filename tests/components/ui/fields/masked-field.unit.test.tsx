import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { MaskedField, writeMasked } from "#app/components/ui/fields/masked-field.tsx";
import { maskTyped } from "#app/lib/field-masks.ts";

/** A field with this text and the caret at `caret`, after the mask of a CPF was written. */
function written(value: string, caret: number): string {
  const input = { value, selectionStart: caret } as HTMLInputElement;
  writeMasked(input, (typed) => maskTyped("cpf", typed));
  return input.value;
}

test("a mask writes at the end of the text, and leaves a correction in the middle alone", () => {
  expect(written("52998224725", 11)).toBe("529.982.247-25");
  expect(written("529.9824725", 5)).toBe("529.9824725");
});

test("a number shows the numeric keyboard, unless its field asks for another", () => {
  const field = (inputMode?: "text") =>
    renderToStaticMarkup(
      <MaskedField mask="cep" label="CEP" name="cep" {...(inputMode ? { inputMode } : {})} />,
    );
  expect(field()).toContain('inputMode="numeric"');
  expect(field("text")).toContain('inputMode="text"');
});

test("a CNPJ with letters can be typed on a phone", () => {
  const field = renderToStaticMarkup(<MaskedField mask="cpf-or-cnpj" label="CNPJ" name="taxId" />);
  expect(field).toContain('inputMode="text"');
  expect(field).toContain('autoCapitalize="characters"');
});
