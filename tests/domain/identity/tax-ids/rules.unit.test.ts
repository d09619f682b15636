import { isValidCnpj } from "@brazilian-utils/brazilian-utils/is-valid-cnpj";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  formatCnpj,
  formatTaxId,
  sellerWithTaxId,
  publicSeller,
} from "#app/domain/identity/tax-ids/rules.ts";
import { cnpjSchema, taxIdSchema } from "#app/domain/identity/tax-ids/schema.ts";

const CHARACTERS = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
const WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
const digit = (base: string): string => {
  const weights = WEIGHTS.slice(WEIGHTS.length - base.length);
  const rest =
    [...base].reduce(
      (sum, character, index) => sum + (character.charCodeAt(0) - 48) * (weights[index] ?? 0),
      0,
    ) % 11;
  return String(rest < 2 ? 0 : 11 - rest);
};
/**
 * CNPJs of digits and letters. Their check digits follow Nota Técnica COCAD 49/2024 and are
 * computed here independently.
 */
const cnpjs = fc
  .array(fc.constantFrom(...CHARACTERS), { minLength: 12, maxLength: 12 })
  .map((parts) => {
    const base = parts.join("");
    const withFirst = base + digit(base);
    return withFirst + digit(withFirst);
  })
  .filter((one) => !/^(.)\1+$/.test(one));

describe("a CNPJ", () => {
  test.each([
    ["11.222.333/0001-81", "11222333000181"],
    ["11222333000181", "11222333000181"],
    ["12.ABC.345/01DE-35", "12ABC34501DE35"],
    [" 12abc34501de35 ", "12ABC34501DE35"],
  ])("%j is saved as %j", (typed, saved) => {
    expect(cnpjSchema.parse(typed)).toBe(saved);
  });

  test.each([
    "",
    "11.222.333/0001-82",
    "12ABC34501DE36",
    "00000000000000",
    "12ABC34501DEF5",
    "1122233300018",
    "52998224725",
    "12ÁBC34501DE35",
  ])("%j is refused", (typed) => {
    expect(cnpjSchema.safeParse(typed).success).toBe(false);
  });

  test("with its check digits is accepted in any typed form, and with any other check digits refused", () => {
    fc.assert(
      fc.property(cnpjs, fc.integer({ min: 1, max: 99 }), (one, off) => {
        for (const typed of [one, one.toLowerCase(), formatCnpj(one)]) {
          expect(cnpjSchema.parse(typed)).toBe(one);
          expect(taxIdSchema.parse(typed)).toEqual({ taxKind: "cnpj", taxId: one });
        }
        const wrong =
          one.slice(0, 12) + String((Number(one.slice(12)) + off) % 100).padStart(2, "0");
        expect(cnpjSchema.safeParse(wrong).success).toBe(false);
        expect(isValidCnpj(one, { version: 2 })).toBe(true);
      }),
    );
  });
});

describe("the seller's legal name", () => {
  test("shows a person with a masked CPF, a company with its whole CNPJ, and nothing without documents", () => {
    expect(publicSeller({ sellerName: "Ana Lira", taxKind: "cpf", taxId: "52998224725" })).toEqual({
      name: "Ana Lira",
      taxIdShown: "CPF ***.982.247-**",
    });
    expect(
      publicSeller({ sellerName: "Lira & Filhos Ltda", taxKind: "cnpj", taxId: "12ABC34501DE35" }),
    ).toEqual({ name: "Lira & Filhos Ltda", taxIdShown: "CNPJ 12.ABC.345/01DE-35" });
    expect(publicSeller({ sellerName: null, taxKind: null, taxId: null })).toBeNull();
    expect(
      sellerWithTaxId({ sellerName: "Ana Lira", taxKind: "cpf", taxId: "52998224725" }),
    ).toEqual({
      name: "Ana Lira",
      taxKind: "cpf",
      taxId: "52998224725",
    });
    expect(formatTaxId({ taxKind: "cpf", taxId: "52998224725" })).toBe("529.982.247-25");
  });
});
