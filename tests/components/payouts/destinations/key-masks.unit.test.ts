import fc from "fast-check";
import { expect, test } from "vitest";
import { maskTypedKey } from "#app/components/payouts/destinations/key-masks.ts";
import { pixKeyKinds } from "#app/domain/payments/schema.ts";
import { parsePixKey } from "#app/domain/payouts/destinations/rules/keys.ts";
import { withdrawalMethodSchema } from "#app/domain/payouts/destinations/schema.ts";

test.each([
  ["cpf", "1", "1"],
  ["cpf", "1234", "123.4"],
  ["cpf", "52998224725", "529.982.247-25"],
  ["cpf", "529.982.247-2", "529.982.247-2"],
  ["cpf", "529982247251", "529982247251"],
  ["cpf", "ana@exemplo.test", "ana@exemplo.test"],
  ["cnpj", "12abc34501de35", "12.ABC.345/01DE-35"],
  ["cnpj", "12ab", "12.AB"],
  ["phone", "11", "(11"],
  ["phone", "119", "(11) 9"],
  ["phone", "11987654321", "(11) 98765-4321"],
  ["phone", "5511987654321", "(11) 98765-4321"],
  ["phone", "+5511987654321", "+5511987654321"],
  ["evp", "9D3BFC2A0A554F0E8F0C0C5F1B2A3C4D", "9d3bfc2a-0a55-4f0e-8f0c-0c5f1b2a3c4d"],
  ["email", "Ana@Exemplo.test", "Ana@Exemplo.test"],
] as const)("a %s key typed as %s is shown as %s", (kind, typed, shown) => {
  expect(maskTypedKey(kind, typed)).toBe(shown);
});

test("masking a key twice changes nothing, and the masked key parses", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...pixKeyKinds),
      fc.string({ unit: fc.constantFrom(..."0123456789abcdefXYZ.-/()+ @"), maxLength: 40 }),
      (kind, typed) => {
        const shown = maskTypedKey(kind, typed);
        expect(maskTypedKey(kind, shown)).toBe(shown);
      },
    ),
  );
  for (const [kind, typed] of [
    ["cpf", "52998224725"],
    ["cnpj", "12ABC34501DE35"],
    ["phone", "11987654321"],
    ["evp", "9d3bfc2a0a554f0e8f0c0c5f1b2a3c4d"],
  ] as const) {
    expect(parsePixKey(kind, maskTypedKey(kind, typed))).not.toBeNull();
  }
});

test.each([
  ["cpf", "11980000077", { kind: "cpf", key: "11980000077" }],
  ["phone", "11980000077", { kind: "phone", key: "+5511980000077" }],
  ["phone", "119.800.000-77", { kind: "phone", key: "+5511980000077" }],
  ["phone", "(11) 98000-0077", { kind: "phone", key: "+5511980000077" }],
  ["phone", "+55 11 98000-0077", { kind: "phone", key: "+5511980000077" }],
  ["cnpj", "12.abc.345/01de-35", { kind: "cnpj", key: "12ABC34501DE35" }],
  ["email", "Ana@Exemplo.test", { kind: "email" }],
  ["cpf", "ana@exemplo.test", null],
  ["email", "52998224725", null],
  [
    "evp",
    "9D3BFC2A0A554F0E8F0C0C5F1B2A3C4D",
    { kind: "evp", key: "9d3bfc2a-0a55-4f0e-8f0c-0c5f1b2a3c4d" },
  ],
  ["evp", "9d3bfc2a-0a55-4f0e-8f0c-0c5f1b2a3c4", null],
  ["cpf", "５２９９８２２４７２５", null],
  ["phone", "11980000077@exemplo.test", null],
  ["phone", "11980000077 ramal 2", null],
  ["phone", "1133334444", null],
  ["cpf", "52998224726", null],
] as const)("parses a %s key typed as %s into %o", (kind, typed, key) => {
  const found = parsePixKey(kind, typed);
  if (key === null) expect(found).toBeNull();
  else expect(found).toMatchObject(key);
});

test("the destination form trusts the chosen key type and reports errors of type and key at the key field", () => {
  expect(withdrawalMethodSchema.parse({ keyKind: "phone", pixKey: "11980000077" })).toEqual({
    form: "key",
    to: { kind: "phone", key: "+5511980000077" },
  });
  expect(withdrawalMethodSchema.parse({ keyKind: "cpf", pixKey: "11980000077" })).toEqual({
    form: "key",
    to: { kind: "cpf", key: "11980000077" },
  });
  const [problem] =
    withdrawalMethodSchema.safeParse({ keyKind: "cpf", pixKey: "ana@exemplo.test" }).error
      ?.issues ?? [];
  expect([problem?.path, problem?.message]).toEqual([["pixKey"], "Confira o CPF: são 11 números"]);
  for (const keyKind of ["outro", undefined])
    expect(
      withdrawalMethodSchema
        .safeParse({ keyKind, pixKey: "x" })
        .error?.issues.map(({ path, message: said }) => [path[0], said]),
    ).toEqual([["pixKey", "Escolha o tipo da chave"]]);
});
