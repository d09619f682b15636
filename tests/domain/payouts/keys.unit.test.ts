import { describe, expect, test } from "vitest";
import { isOthersDocument, maskPixKey } from "#app/domain/payouts/rules.ts";
import { meantBy, typedKey } from "#app/domain/payouts/rules/keys.ts";
import { sellerDetailsAgainSchema, sellerDetailsSchema } from "#app/domain/payouts/schema.ts";

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
  ["an e-mail, whose owner the bank knows", { kind: "email", key: "ana@exemplo.test" }, company, false],
] as const)("%s, as a key (%j, %j): somebody else's is %s", (_, key, owner, isOthers) => {
  expect(isOthersDocument(key, owner)).toBe(isOthers);
});

test.each([
  ["a mobile that has the check digits of a CPF, bare", "11980000077", person, { kind: "phone", key: "+5511980000077" }],
  ["the same, of a company", "11980000077", company, { kind: "phone", key: "+5511980000077" }],
  ["the same, where it is one's own CPF", "11980000077", { taxKind: "cpf", taxId: "11980000077" }, { kind: "cpf", key: "11980000077" }],
  ["the same, written as a CPF", "119.800.000-77", person, { kind: "cpf", key: "11980000077" }],
  ["the same, written as a mobile", "(11) 98000-0077", person, { kind: "phone", key: "+5511980000077" }],
  ["one's own CPF", CPF, person, { kind: "cpf", key: CPF }],
  ["another's CPF, which is no mobile", "11144477735", person, { kind: "cpf", key: "11144477735" }],
  ["an e-mail", "ana@exemplo.test", null, { kind: "email", key: "ana@exemplo.test" }],
] as const)("%s is taken for what was meant", (_, typed, owner, meant) => {
  const key = typedKey(typed);
  expect(key && meantBy(key, owner)).toMatchObject(meant);
});

test("a key is shown so that it is recognised and not copied", () => {
  expect(maskPixKey("cnpj", CNPJ)).toBe("••.ABC.345/••••-35");
  expect(maskPixKey("cpf", CPF)).toBe("•••.982.247-••");
});

describe("the form of who sells", () => {
  const typed = { fullName: "Ana Maria Lira", cpf: CPF, birthDate: "31/01/1990", pixKey: "ana@exemplo.test" };
  const firm = { ...typed, kind: "company", companyName: " Lira  & Filhos Ltda. ", cnpj: "12.abc.345/01de-35" };
  const problems = (form: object) => Object.fromEntries((sellerDetailsSchema.safeParse(form).error?.issues ?? []).map(({ path, message }) => [path.join("."), message]));

  test("of a person asks for no company, and drops what was typed of one", () => {
    for (const kind of [undefined, "person"]) expect(sellerDetailsSchema.parse({ ...firm, kind })).toEqual({ fullName: "Ana Maria Lira", cpf: CPF, birthDate: "1990-01-31", pixKey: { kind: "email", key: "ana@exemplo.test" }, company: null });
  });

  test("takes a mobile number that looks like a CPF, typed bare, for the mobile that it is", () => {
    expect(sellerDetailsSchema.parse({ ...typed, pixKey: "11980000077" }).pixKey).toEqual({ kind: "phone", key: "+5511980000077" });
    expect(problems({ ...typed, pixKey: "11144477735" })).toEqual({ pixKey: "A chave CPF precisa ser a sua, e a CNPJ só vale para empresa: o dinheiro vai para quem enviou os documentos" });
  });

  test("of a company keeps its name, its CNPJ and who is responsible", () => {
    expect(sellerDetailsSchema.parse({ ...firm, pixKey: "12.ABC.345/01DE-35" })).toEqual({
      fullName: "Ana Maria Lira",
      cpf: CPF,
      birthDate: "1990-01-31",
      pixKey: { kind: "cnpj", key: CNPJ },
      company: { name: "Lira & Filhos Ltda.", cnpj: CNPJ },
    });
  });

  test("complains beside each field of a company at once", () => {
    expect(problems({ ...firm, companyName: "", cnpj: "12ABC34501DE36", cpf: "1" })).toEqual({ companyName: "Informe a razão social", cnpj: "Confira o CNPJ: os dígitos do fim não batem", cpf: "Confira o CPF: os números não batem" });
    expect(problems({ ...firm, companyName: "<b>Lira</b>" })).toEqual({ companyName: "Use só letras e números, como no cartão CNPJ" });
    expect(Object.keys(problems({ ...typed, kind: "other" }))).toEqual(["kind"]);
  });

  test("asks for a key once: who said a place may leave it out, and says another as ever", () => {
    const { pixKey, ...without } = typed;
    for (const form of [without, { ...without, pixKey: "" }]) {
      expect(sellerDetailsAgainSchema.parse(form).pixKey).toBeNull();
      expect(problems(form)).toEqual({ pixKey: "Informe a chave Pix" });
    }
    expect(sellerDetailsAgainSchema.parse({ ...typed, pixKey }).pixKey).toEqual({ kind: "email", key: "ana@exemplo.test" });
    expect(sellerDetailsAgainSchema.safeParse({ ...typed, pixKey: CNPJ }).success).toBe(false);
  });

  test("takes no key of another's number", () => {
    expect(Object.keys(problems({ ...firm, pixKey: CPF }))).toEqual(["pixKey"]);
    expect(Object.keys(problems({ ...typed, pixKey: CNPJ }))).toEqual(["pixKey"]);
    expect(Object.keys(problems({ ...firm, pixKey: "11.222.333/0001-81" }))).toEqual(["pixKey"]);
  });
});
