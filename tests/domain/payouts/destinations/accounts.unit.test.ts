import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  encodeAccount,
  decodeAccount,
  maskAccount,
} from "#app/domain/payouts/destinations/rules/accounts.ts";
import { bankLabel, banks, findBank } from "#app/domain/payouts/destinations/rules/banks.ts";
import { isDigitDoubtful } from "#app/domain/payouts/destinations/rules/check-digits.ts";
import {
  destinationLabel,
  maskDestination,
  transferDestination,
} from "#app/domain/payouts/destinations/rules/destinations.ts";
import {
  DOUBTFUL_DIGIT_MESSAGE,
  withdrawalMethodSchema,
} from "#app/domain/payouts/destinations/schema.ts";
import { formProblemOf } from "#app/http/form.ts";

const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: min, maxLength: max });

/** The code of the bank that was found, or the codes of the candidates. */
const found = (typed: string): string | string[] => {
  const answer = findBank(typed);
  return "bank" in answer ? answer.bank.code : answer.candidates.map(({ code }) => code);
};

describe("the list of banks", () => {
  test("has each code and each label once, in the format of the Banco Central", () => {
    expect(new Set(banks.map(({ code }) => code)).size).toBe(banks.length);
    expect(new Set(banks.map(bankLabel)).size).toBe(banks.length);
    for (const { code, ispb, name } of banks)
      expect(`${code} ${ispb} ${name}`).toMatch(/^\d{3} \d{8} \S.*\S$/);
  });

  test.each([
    ["237 · Bradesco", "237"],
    ["237", "237"],
    ["1", "001"],
    ["341 Itaú Unibanco", "341"],
    ["itau", "341"],
    ["Caixa economica federal", "104"],
    ["caixa eco", "104"],
    ["NUBANK", "260"],
    ["18236120", "260"],
    ["99pay", "769"],
    ["99 Pay", "769"],
    ["099", "099"],
    ["c6", "336"],
    ["Itaú Unibanco", "341"],
    ["Itaú Unibanco S.A.", "341"],
    ["Banco Inter", "077"],
    ["inter", "077"],
    ["banco bradesco s/a", "237"],
    ["60746948 Bradesco", "237"],
  ])("finds %j", (typed, code) => {
    expect(found(typed)).toBe(code);
  });

  test.each([
    ["99", ["099", "769"]],
    ["99 Bradesco", ["099", "237"]],
    ["237 Itaú", ["237", "341"]],
    ["ame", ["755"]],
    ["iti", []],
    ["america", ["755"]],
    ["cred", ["010", "089", "097", "098", "159"]],
    ["000", []],
    ["um banco que não há", []],
    ["", []],
  ])("does not guess %j, and offers the candidates", (typed, codes) => {
    expect(found(typed)).toEqual(codes);
  });

  test("asks which bank an ambiguous word means, with at most five candidates", () => {
    expect(found("brasil")).toEqual(expect.arrayContaining(["001"]));
    for (const word of ["brasil", "pay", "credito", "ip"]) expect(found(word)).toHaveLength(5);
  });

  test("finds each bank by the label that the list offers", () => {
    for (const bank of banks)
      for (const typed of [
        bankLabel(bank),
        bank.code,
        bank.ispb,
        bank.name,
        bank.name.toUpperCase(),
      ])
        expect([typed, found(typed)]).toEqual([typed, bank.code]);
  });
});

test("a bank account survives serialisation to one line, whatever leading zeros are typed", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...banks),
      digits(1, 4),
      digits(1, 13),
      fc.constantFrom(..."0123456789XP"),
      fc.constantFrom("checking", "savings", "payment"),
      ({ code }, branch, account, accountDigit, kind) => {
        const line = encodeAccount({ bankCode: code, branch, account, accountDigit, kind });
        expect(encodeAccount(decodeAccount(line))).toBe(line);
        expect(
          encodeAccount({ ...decodeAccount(line), branch: `0${branch}`, account: `00${account}` }),
        ).toBe(line);
        expect(decodeAccount(line)).toMatchObject({ bankCode: code, accountDigit, kind });
        expect(maskAccount(line)).toMatch(/ · conta •••\d-[\dXP]$/);
      },
    ),
  );
  expect(() => decodeAccount("237 1263 999999 checking")).toThrow("no line");
});

test("a bank account is shown by its bank, branch and last digits, and a Pix key is masked as before", () => {
  const line = "237 1263 999991-2 checking";
  expect(maskDestination("bank_account", line)).toBe("Bradesco · agência 1263 · conta •••1-2");
  expect([
    destinationLabel("bank_account", line),
    destinationLabel("email", "ana@exemplo.test"),
  ]).toEqual(["Bradesco · agência 1263 · conta •••1-2", "chave a•••@exemplo.test"]);
});

test("a bank account is sent to a provider only with the name and tax id of its owner", () => {
  const to = { pixKeyKind: "bank_account" as const, pixKey: "237 1263 999991-2 savings" };
  expect(transferDestination({ ...to, ownerName: "Ana Lira", ownerTaxId: "52998224725" })).toEqual({
    bankAccount: {
      bankCode: "237",
      branch: "1263",
      account: "999991",
      accountDigit: "2",
      kind: "savings",
      ownerName: "Ana Lira",
      ownerTaxId: "52998224725",
    },
  });
  expect(() => transferDestination({ ...to, ownerName: null, ownerTaxId: null })).toThrow(
    "nobody owns",
  );
  expect(
    transferDestination({
      pixKeyKind: "email",
      pixKey: "ana@exemplo.test",
      ownerName: null,
      ownerTaxId: null,
    }),
  ).toEqual({ pixKeyKind: "email", pixKey: "ana@exemplo.test" });
});

describe("a check digit", () => {
  test.each([
    ["Banco do Brasil", "001", "1584", "00210169", "6"],
    ["Banco do Brasil without its zeros", "001", "1584", "210169", "6"],
    ["Bradesco", "237", "1425", "0238069", "2"],
    ["Itaú", "341", "2545", "02366", "1"],
    ["Santander", "033", "0189", "01017417", "9"],
  ])(
    "of %s follows the bank's own rule, and any other digit is doubtful",
    (_, bankCode, branch, account, right) => {
      for (const accountDigit of "0123456789X")
        expect(isDigitDoubtful({ bankCode, kind: "checking", branch, account, accountDigit })).toBe(
          accountDigit !== right,
        );
    },
  );

  test("is never doubted for other banks, savings accounts or numbers of another length", () => {
    const bb = { bankCode: "001", branch: "1584", account: "210169", accountDigit: "7" };
    expect(
      [
        { ...bb, kind: "savings" },
        { ...bb, kind: "checking", bankCode: "260" },
        { ...bb, kind: "checking", account: "123456789" },
      ].map(isDigitDoubtful),
    ).toEqual([false, false, false]);
  });
});

describe("the bank account form", () => {
  const typed = {
    way: "account",
    bank: "bradesco",
    branch: "1425-7",
    account: "238.069",
    accountDigit: "2",
    accountKind: "checking",
  };
  const problems = (form: object) => {
    const parsed = withdrawalMethodSchema.safeParse(form);
    return parsed.success ? {} : formProblemOf(parsed.error).errors;
  };

  test("parses an account from what people type", () => {
    expect(withdrawalMethodSchema.parse(typed)).toEqual({
      form: "account",
      to: { kind: "bank_account", key: "237 1425 238069-2 checking" },
    });
    expect(
      withdrawalMethodSchema.parse({
        ...typed,
        way: "pix",
        keyKind: "email",
        pixKey: "ana@exemplo.test",
      }),
    ).toEqual({ form: "key", to: { kind: "email", key: "ana@exemplo.test" } });
    expect(withdrawalMethodSchema.parse({ schedule: "weekly" })).toEqual({
      form: "schedule",
      schedule: "weekly",
    });
  });

  test("shows what is missing beside each field", () => {
    expect(Object.keys(problems({ way: "account" })).toSorted()).toEqual([
      "account",
      "accountDigit",
      "accountKind",
      "bank",
      "branch",
    ]);
    expect(problems({ ...typed, bank: "zz" })).toEqual({
      bank: "Escolha o banco da lista, pelo nome ou pelo número",
    });
    expect(problems({ ...typed, bank: "99" })).toEqual({
      bank: "Qual destes? 099 · Uniprime, 769 · 99Pay. Escreva o número.",
    });
    expect(problems({ ...typed, branch: "14257" })).toEqual({
      branch: "A agência tem até 4 números",
    });
    expect(problems({ ...typed, account: "238069-2" })).toEqual({
      account: "Só os números da conta; o dígito vai ao lado",
    });
    expect(problems({ ...typed, accountDigit: "?" })).toEqual({
      accountDigit: "Um número, X ou P",
    });
  });

  test("asks for confirmation once when a digit does not follow the bank's rule", () => {
    expect(problems({ ...typed, accountDigit: "3" })).toEqual({
      accountDigit: DOUBTFUL_DIGIT_MESSAGE,
    });
    expect(problems({ ...typed, accountDigit: "3", digitSure: "on" })).toEqual({});
  });
});
