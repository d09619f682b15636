import { describe, expect, test } from "vitest";
import { passwordStrength, strengthShown } from "#app/domain/identity/rules/passwords.ts";
import { newPasswordSchema, PASSWORD_MIN } from "#app/domain/identity/schema.ts";
import { isCommonPassword } from "#app/integrations/local-identity/account/common-passwords.server.ts";

const problemOf = (password: string) =>
  newPasswordSchema.safeParse(password).error?.issues[0]?.message;

test.each([
  ["", "fraca"],
  ["aaaaaaaaaaaaaaaa", "fraca"],
  ["12345678", "fraca"],
  ["98765432", "fraca"],
  ["abcdefghij", "fraca"],
  ["qwertyuiop", "fraca"],
  ["poiuytrewq", "fraca"],
  ["abababababab", "fraca"],
  ["joao1985", "razoável"],
  ["praia-azul", "boa"],
  ["Praia-azul7!", "forte"],
  ["uma senha comprida", "forte"],
  ["coreto-demo-2026", "forte"],
  ["três tigres tristes", "forte"],
])("%j is %s", (password, strength) => {
  expect(passwordStrength(password)).toBe(strength);
});

test("a password too short to be used has no strength: one sentence at a time", () => {
  for (let length = 0; length <= 12; length += 1) {
    const typed = "a".repeat(length);
    const isTooShort = /curta demais|obrigatório/.test(problemOf(typed) ?? "");
    expect(strengthShown(typed, PASSWORD_MIN)).toBe(isTooShort ? null : "fraca");
  }
});

describe("the rules of a new password", () => {
  test.each([
    ["", "Campo obrigatório"],
    ["1234567", "A senha é curta demais. Use pelo menos 8 caracteres."],
    ["12345678", "A senha é fraca. Junte mais palavras ou misture letras, números e símbolos."],
    ["é".repeat(129), "A senha é longa demais. Use até 256 bytes."],
    ["uma senha comprida", undefined],
  ])("%j", (password, problem) => {
    expect(problemOf(password)).toBe(problem);
  });
});

test.each([
  ["senha123", true],
  ["SENHA123", true],
  ["Flamengo10", true],
  ["password1", true],
  ["trustno1", true],
  ["uma senha comprida", false],
  ["coreto-demo-2026", false],
])("%j is in the list of common passwords: %s", (password, isCommon) => {
  expect(isCommonPassword(password)).toBe(isCommon);
});
