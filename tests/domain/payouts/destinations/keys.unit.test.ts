import { describe, expect, test } from "vitest";
import { maskPixKey } from "#app/domain/payouts/rules.ts";
import { isOthersDocument } from "#app/domain/payouts/destinations/rules/keys.ts";
import {
  sellerDetailsAgainSchema,
  sellerDetailsSchema,
} from "#app/domain/payouts/destinations/schema.ts";

const CPF = "52998224725";
const CNPJ = "12ABC34501DE35";
const person = { taxKind: "cpf", taxId: CPF } as const;
const company = { taxKind: "cnpj", taxId: CNPJ } as const;

test.each([
  ["a person's own CPF", { kind: "cpf", key: CPF }, person, false],
  ["another's CPF", { kind: "cpf", key: "11144477735" }, person, true],
  ["a CNPJ of a person", { kind: "cnpj", key: CNPJ }, person, true],
  ["a company's own CNPJ", { kind: "cnpj", key: CNPJ }, company, false],
  ["another's CNPJ", { kind: "cnpj", key: "11222333000181" }, company, true],
  ["the CPF of who is responsible for a company", { kind: "cpf", key: CPF }, company, true],
  ["a CPF where nothing was sent", { kind: "cpf", key: CPF }, null, true],
  [
    "an e-mail, whose owner only the bank can tell",
    { kind: "email", key: "ana@exemplo.test" },
    company,
    false,
  ],
] as const)("%s, as a key (%j, %j): belongs to somebody else: %s", (_, key, owner, isOthers) => {
  expect(isOthersDocument(key, owner)).toBe(isOthers);
});

test("a key is masked so that its owner recognises it and nobody can copy it", () => {
  expect(maskPixKey("cnpj", CNPJ)).toBe("••.ABC.345/••••-35");
  expect(maskPixKey("cpf", CPF)).toBe("•••.982.247-••");
});

describe("the seller's documents form", () => {
  const typed = {
    fullName: "Ana Maria Lira",
    cpf: CPF,
    birthDate: "31/01/1990",
    keyKind: "email",
    pixKey: "ana@exemplo.test",
  };
  const firm = {
    ...typed,
    kind: "company",
    companyName: " Lira  & Filhos Ltda. ",
    cnpj: "12.abc.345/01de-35",
  };
  const problems = (form: object) =>
    Object.fromEntries(
      (sellerDetailsSchema.safeParse(form).error?.issues ?? []).map(({ path, message }) => [
        path[0],
        message,
      ]),
    );

  test("of a person needs no company, and drops typed company fields", () => {
    for (const kind of [undefined, "person"])
      expect(sellerDetailsSchema.parse({ ...firm, kind })).toEqual({
        fullName: "Ana Maria Lira",
        cpf: CPF,
        birthDate: "1990-01-31",
        contests: false,
        pixKey: { kind: "email", key: "ana@exemplo.test" },
        company: null,
      });
  });

  test("trusts the chosen key type: a mobile that looks like a CPF stays a mobile, and another person's CPF is refused", () => {
    expect(
      sellerDetailsSchema.parse({ ...typed, keyKind: "phone", pixKey: "11980000077" }).pixKey,
    ).toEqual({ kind: "phone", key: "+5511980000077" });
    expect(problems({ ...typed, keyKind: "cpf", pixKey: "ana@exemplo.test" })).toEqual({
      pixKey: "Confira o CPF: são 11 números",
    });
    expect(problems({ ...typed, keyKind: "cpf", pixKey: "11144477735" })).toEqual({
      pixKey:
        "A chave CPF precisa ser a sua, e a CNPJ só vale para empresa: o dinheiro vai para quem enviou os documentos",
    });
  });

  test("of a company stores its name, its CNPJ and its representative", () => {
    expect(
      sellerDetailsSchema.parse({ ...firm, keyKind: "cnpj", pixKey: "12.ABC.345/01DE-35" }),
    ).toEqual({
      fullName: "Ana Maria Lira",
      cpf: CPF,
      birthDate: "1990-01-31",
      contests: false,
      pixKey: { kind: "cnpj", key: CNPJ },
      company: { name: "Lira & Filhos Ltda.", cnpj: CNPJ },
    });
  });

  test("shows errors beside all company fields at once", () => {
    expect(
      problems({ ...firm, companyName: "", cnpj: "12ABC34501DE36", cpf: "1", pixKey: "ana" }),
    ).toEqual({
      pixKey: "Confira o e-mail, como voce@exemplo.com.br",
      companyName: "Informe a razão social",
      cnpj: "Confira o CNPJ: os dígitos do fim não batem",
      cpf: "Confira o CPF: os números não batem",
    });
    expect(problems({ ...firm, companyName: "<b>Lira</b>" })).toEqual({
      companyName: "Use só letras e números, como no cartão CNPJ",
    });
    expect(Object.keys(problems({ ...typed, kind: "other" }))).toEqual(["kind"]);
  });

  test("asks for a key once: a seller with a destination may omit it, or give another", () => {
    const { pixKey, ...without } = typed;
    for (const form of [without, { ...without, pixKey: "" }]) {
      expect(sellerDetailsAgainSchema.parse(form).pixKey).toBeNull();
      expect(problems(form)).toEqual({ pixKey: "Informe a chave Pix" });
    }
    expect(sellerDetailsAgainSchema.parse({ ...typed, pixKey }).pixKey).toEqual({
      kind: "email",
      key: "ana@exemplo.test",
    });
    expect(
      sellerDetailsAgainSchema.safeParse({ ...typed, keyKind: "cnpj", pixKey: CNPJ }).success,
    ).toBe(false);
    expect(
      sellerDetailsAgainSchema
        .safeParse({ ...typed, keyKind: undefined })
        .error?.issues.map(({ path, message }) => [path[0], message]),
    ).toEqual([["pixKey", "Escolha o tipo da chave"]]);
  });

  test("refuses a key with another person's tax id", () => {
    expect(Object.keys(problems({ ...firm, keyKind: "cpf", pixKey: CPF }))).toEqual(["pixKey"]);
    expect(Object.keys(problems({ ...typed, keyKind: "cnpj", pixKey: CNPJ }))).toEqual(["pixKey"]);
    expect(
      Object.keys(problems({ ...firm, keyKind: "cnpj", pixKey: "11.222.333/0001-81" })),
    ).toEqual(["pixKey"]);
  });
});
