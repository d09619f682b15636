import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskCpf } from "#app/domain/identity/tax-ids/rules.ts";
import {
  KEY_LOOKUP_VALID_MS,
  KEY_LOOKUP_REPEAT_MS,
  isMatchingOwner,
  isKeyLookupDue,
  keyVerdict,
  maskOwner,
} from "#app/domain/payouts/key-owners/rules/key-owners.ts";

const CPF = "52998224725";
const CNPJ = "12ABC34501DE35";
const ana = { name: "Ana Maria Lira de Souza", taxId: CPF };
const firm = { name: "Lira Produções Ltda.", taxId: CNPJ };

describe("the key owner that a bank reports", () => {
  test.each([
    ["the whole number, whatever the name", { name: "Outro Nome", taxId: CPF }, ana, true],
    ["the whole number as people write it", { name: "ANA", taxId: "529.982.247-25" }, ana, true],
    [
      "another whole number, whatever the name",
      { name: ana.name, taxId: "11144477735" },
      ana,
      false,
    ],
    [
      "the middle of the number, and the name in capitals",
      { name: "ANA MARIA LIRA DE SOUZA", taxId: "***.982.247-**" },
      ana,
      true,
    ],
    [
      "the middle of the number with a star too many, as Asaas's test environment has it",
      { name: "ANA MARIA", taxId: "****.982.247-**" },
      ana,
      true,
    ],
    [
      "the middle of another number, whatever the name",
      { name: ana.name, taxId: "***.982.248-**" },
      ana,
      false,
    ],
    ["the same digits in another place", { name: ana.name, taxId: "982.247.***-**" }, ana, false],
    ["the end of the number", { name: "Ana Lira", taxId: "*******4725" }, ana, true],
    ["the end of the number, its stars cut", { name: "Ana Lira", taxId: "***4725" }, ana, true],
    ["bullets for stars", { name: "Ana Lira", taxId: "•••.982.247-••" }, ana, true],
    [
      "a company's number for a person",
      { name: ana.name, taxId: "12.345.678/0001-95" },
      ana,
      false,
    ],
    ["a person's for a company", { name: firm.name, taxId: "***.982.247-**" }, firm, false],
    [
      "a company's number that has letters",
      { name: "LIRA PRODUCOES LTDA", taxId: "12.ABC.345/01DE-35" },
      firm,
      true,
    ],
    ["a company's number in small letters", { name: "", taxId: "12.abc.345/01de-35" }, firm, true],
    [
      "the middle of a company's number",
      { name: "LIRA PRODUCOES", taxId: "**.ABC.345/01**-**" },
      firm,
      true,
    ],
    [
      "the middle of the number, and another's whole name",
      { name: "OTAVIA PRADO", taxId: "***.982.247-**" },
      ana,
      false,
    ],
    ["the middle of the number, and no name", { name: "", taxId: "***.982.247-**" }, ana, true],
    [
      "the middle of the number, and the name after a wedding",
      { name: "Ana Prado", taxId: "***.982.247-**" },
      ana,
      true,
    ],
    [
      "the middle of the number, and a first name that changed beside two that did not",
      { name: "Bia Maria Lira", taxId: "***.982.247-**" },
      ana,
      true,
    ],
    [
      "the middle of the number, and one name in common that is not the first",
      { name: "Otávia Souza", taxId: "***.982.247-**" },
      ana,
      false,
    ],
    [
      "three characters of the number, which identify nobody, and another name",
      { name: "Ana Prado", taxId: "********725" },
      ana,
      false,
    ],
    [
      "three characters of the number, and the whole name",
      { name: "Ana Maria Lira", taxId: "********725" },
      ana,
      true,
    ],
    [
      "three characters of another number, and the whole name",
      { name: "Ana Maria Lira", taxId: "********726" },
      ana,
      false,
    ],
    [
      "stars alone, and the name with accents and case",
      { name: "ÁNA   maria LIRA", taxId: "***.***.***-**" },
      ana,
      true,
    ],
    ["no number, and initials", { name: "Ana M. L. Souza", taxId: "" }, ana, true],
    [
      "no number, and a name that the bank cut",
      { name: "ANA MARIA LIRA DE SOU", taxId: "" },
      ana,
      true,
    ],
    ["no number, and a first name alone", { name: "Ana", taxId: "" }, ana, false],
    ["no number, and another first name", { name: "Bia Maria Lira", taxId: "" }, ana, false],
    ["no number, and names in another order", { name: "Ana Souza Lira", taxId: "" }, ana, false],
    [
      "no number, and how a longer first name begins",
      { name: "Anabela Maria Lira", taxId: "" },
      ana,
      false,
    ],
    [
      "no number, and particles that differ",
      { name: "Ana Maria de Lira e Souza", taxId: "" },
      ana,
      true,
    ],
    [
      "no number, and a company without its form",
      { name: "LIRA PRODUCOES S/A", taxId: "" },
      firm,
      true,
    ],
    ["nothing at all", { name: "", taxId: "" }, ana, false],
    ["something that is no tax id", { name: ana.name, taxId: "n/a" }, ana, false],
  ])("%s", (_, said, documents, same) => {
    expect(isMatchingOwner(said, documents)).toBe(same);
  });

  test("a masked tax id always matches the seller's own number, and hardly ever another one", () => {
    const digits = fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 11 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(digits, digits, (one, other) => {
        expect(
          isMatchingOwner(
            { name: "ANA LIRA", taxId: maskCpf(one) },
            { name: "Ana Lira", taxId: one },
          ),
        ).toBe(true);
        expect(
          isMatchingOwner(
            { name: "ANA LIRA", taxId: maskCpf(one) },
            { name: "Ana Lira", taxId: other },
          ),
        ).toBe(one.slice(3, 9) === other.slice(3, 9));
      }),
    );
  });
});

describe("who owns a destination", () => {
  const documents = { owner: { taxKind: "cpf" as const, taxId: CPF }, ownerName: ana.name };
  const email = { kind: "email" as const, key: "ana@exemplo.test" };
  const own = { name: "ANA MARIA LIRA", taxId: "***.982.247-**", askedAt: 1 };
  test.each([
    ["the CPF of the documents", { kind: "cpf" as const, key: CPF }, null, "own"],
    ["a CPF of another", { kind: "cpf" as const, key: "11144477735" }, own, "other"],
    [
      "a bank account, which the bank checks",
      { kind: "bank_account" as const, key: "237 1263 999999-1 checking" },
      null,
      "own",
    ],
    ["an e-mail that was never looked up", email, null, "unasked"],
    ["an e-mail of the seller", email, own, "own"],
    [
      "an e-mail of another",
      email,
      { ...own, name: "OTAVIA PRADO", taxId: "***.444.777-**" },
      "other",
    ],
    ["an e-mail without an owner", email, { name: null, taxId: null, askedAt: 1 }, "not_found"],
  ] as const)("%s", (_, place, answer, verdict) => {
    expect(keyVerdict(place, documents, answer)).toBe(verdict);
  });

  test("without documents, no looked-up key counts as the seller's own", () => {
    expect(keyVerdict(email, { owner: null, ownerName: null }, own)).toBe("other");
  });

  test.each([
    ["own", KEY_LOOKUP_VALID_MS - 1, false],
    ["own", KEY_LOOKUP_VALID_MS, true],
    ["other", KEY_LOOKUP_REPEAT_MS - 1, false],
    ["other", KEY_LOOKUP_REPEAT_MS, true],
    ["not_found", KEY_LOOKUP_REPEAT_MS, true],
  ] as const)("a key found to be %s, %i ms ago, is looked up again: %s", (verdict, age, again) => {
    expect(isKeyLookupDue(verdict, { ...own, askedAt: 1_000 }, 1_000 + age)).toBe(again);
  });
});

test.each([
  [{ name: "ANA MARIA LIRA", taxId: "***.982.247-**" }, "ANA M. L., ***.982.247-**"],
  [{ name: "Ana Lira", taxId: CPF }, "Ana L., CPF ***.982.247-**"],
  [{ name: "Lira Ltda.", taxId: "12.ABC.345/01DE-35" }, "Lira L., CNPJ 12.ABC.345/01DE-35"],
  [{ name: "Ana Lira", taxId: "" }, "Ana L."],
])("staff see %o as %s", (owner, text) => {
  expect(maskOwner(owner)).toBe(text);
});
