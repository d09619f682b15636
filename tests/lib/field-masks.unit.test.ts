import fc from "fast-check";
import { expect, test } from "vitest";
import { maskTyped } from "#app/lib/field-masks.ts";
import type { FieldMask } from "#app/lib/field-masks.ts";

test.each<[FieldMask, string, string]>([
  ["date", "3", "3"],
  ["date", "31", "31"],
  ["date", "310", "31/0"],
  ["date", "31/", "31"],
  ["date", "31021990", "31/02/1990"],
  ["date", "31/02/1990", "31/02/1990"],
  ["date", "1/2/1990", "1/2/1990"],
  ["date", "31/2/1990", "31/2/1990"],
  ["date", "1990-12-31", "1990-12-31"],
  ["date", "310219901", "310219901"],
  ["cpf", "52998224725", "529.982.247-25"],
  ["cpf", "529.982.", "529.982"],
  ["cpf", "529982247250", "529982247250"],
  ["cep", "50050000", "50050-000"],
  ["cep", "500", "500"],
  ["cep", "500500001", "500500001"],
  ["cep", "50050-000 apto", "50050-000 apto"],
  ["cpf-or-cnpj", "52998224725", "529.982.247-25"],
  ["cpf-or-cnpj", "12abc34501de35", "12.ABC.345/01DE-35"],
  ["cpf-or-cnpj", "529.982.247-250", "52.998.224/7250"],
  ["cpf-or-cnpj", "lia@exemplo.com", "lia@exemplo.com"],
  ["phone", "11912345678", "(11) 91234-5678"],
  ["phone", "+351912345678", "+351912345678"],
])("%s: %s is shown as %s", (mask, typed, shown) => {
  expect(maskTyped(mask, typed)).toBe(shown);
});

test("no mask drops or changes a digit, and what is masked stays so", () => {
  fc.assert(
    fc.property(
      fc.constantFrom<FieldMask>("cpf", "cpf-or-cnpj", "cep", "date", "phone"),
      fc.stringMatching(/^[0-9./() -]{0,20}$/),
      (mask, typed) => {
        const shown = maskTyped(mask, typed);
        expect(shown.replace(/\D/g, "")).toBe(typed.replace(/\D/g, ""));
        expect(maskTyped(mask, shown)).toBe(shown);
      },
    ),
  );
});
