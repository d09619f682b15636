import { describe, expect, test } from "vitest";
import { addressLine, STATES } from "#app/domain/billing/details/rules.ts";
import { billingDetailsSchema } from "#app/domain/billing/details/schema.ts";
import { formatTaxId } from "#app/domain/identity/tax-ids/rules.ts";

describe("billing details", () => {
  const typed = {
    taxId: "529.982.247-25",
    name: "Bruno  Paz",
    cep: "50050-000",
    street: "Rua da Aurora",
    number: "295",
    complement: "",
    district: "Boa Vista",
    city: "Recife",
    state: "PE",
  };
  const problemOf = (fields: Partial<typeof typed>) => {
    const parsed = billingDetailsSchema.safeParse({ ...typed, ...fields });
    return parsed.success
      ? null
      : parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`)[0];
  };
  test("are saved without formatting, with the kind of the tax id", () => {
    expect(billingDetailsSchema.parse(typed)).toEqual({
      ...typed,
      taxId: { taxKind: "cpf", taxId: "52998224725" },
      name: "Bruno Paz",
      cep: "50050000",
      wantsInvoice: false,
    });
    expect(billingDetailsSchema.parse({ ...typed, taxId: "11.222.333/0001-81" }).taxId).toEqual({
      taxKind: "cnpj",
      taxId: "11222333000181",
    });
    expect(billingDetailsSchema.parse({ ...typed, taxId: "12.abc.345/01de-35" }).taxId).toEqual({
      taxKind: "cnpj",
      taxId: "12ABC34501DE35",
    });
  });
  test.each([
    [{ taxId: "" }, "taxId: Informe o CPF ou o CNPJ"],
    [{ taxId: "529.982.247-24" }, "taxId: Confira o CPF: os números não batem"],
    [{ taxId: "111.111.111-11" }, "taxId: Confira o CPF: os números não batem"],
    [{ taxId: "12.ABC.345/01DE-34" }, "taxId: Confira o CNPJ: os dígitos do fim não batem"],
    [{ taxId: "00.000.000/0000-00" }, "taxId: Confira o CNPJ: os dígitos do fim não batem"],
    [{ taxId: "12.ABC.345/01DE-3X" }, "taxId: O CPF tem 11 números; o CNPJ, 14 letras ou números"],
    [{ taxId: "123" }, "taxId: O CPF tem 11 números; o CNPJ, 14 letras ou números"],
    [{ name: " \u{200b} " }, "name: Informe o nome ou a razão social"],
    [{ name: "a".repeat(121) }, "name: Use até 120 letras"],
    [{ cep: "" }, "cep: Informe o CEP"],
    [{ cep: "5005-000" }, "cep: O CEP tem 8 números, como 50050-000"],
    [{ cep: "00000-000" }, "cep: O CEP tem 8 números, como 50050-000"],
    [{ street: "" }, "street: Informe a rua"],
    [{ number: "" }, "number: Informe o número, ou S/N"],
    [{ complement: "a".repeat(81) }, "complement: Use até 80 letras"],
    [{ district: "" }, "district: Informe o bairro"],
    [{ city: "" }, "city: Informe a cidade"],
    [{ state: "XX" }, "state: Escolha o estado"],
  ])("%j is refused at its field", (fields, message) => {
    expect(problemOf(fields)).toBe(message);
  });
  test("are shown in the Brazilian format", () => {
    expect(STATES).toHaveLength(27);
    expect(formatTaxId({ taxKind: "cnpj", taxId: "12ABC34501DE35" })).toBe("12.ABC.345/01DE-35");
    expect(addressLine({ ...typed, cep: "50050000" })).toBe(
      "Rua da Aurora, 295, Boa Vista, Recife/PE, CEP 50050-000",
    );
    expect(addressLine({ ...typed, cep: "50050000", complement: "ap. 3" })).toContain(
      "295, ap. 3, Boa Vista",
    );
  });
});
