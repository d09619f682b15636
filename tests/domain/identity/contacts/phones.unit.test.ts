import { describe, expect, test } from "vitest";
import {
  formatPhone,
  phoneOfIdentifier,
  formatIdentifier,
  parsePhone,
} from "#app/domain/identity/contacts/rules/phones.ts";
import { usernameSchema } from "#app/domain/identity/schema.ts";

describe("a typed phone number", () => {
  test.each([
    ["Brazil, as people write it", "(11) 91234-5678", "+5511912345678"],
    ["Brazil, digits alone", "11912345678", "+5511912345678"],
    ["Brazil, with the zero of a long-distance call", "011912345678", "+5511912345678"],
    ["Brazil, with its code and no sign", "5511912345678", "+5511912345678"],
    ["Brazil, with its code", "+55 11 91234-5678", "+5511912345678"],
    ["Brazil, with spaces around", "  (81) 99876-5432 ", "+5581998765432"],
    ["Portugal", "+351 912 345 678", "+351912345678"],
    ["Argentina", "+54 9 11 2345-6789", "+5491123456789"],
    ["the United States", "+1 (201) 555-0123", "+12015550123"],
    ["Mexico", "+52 222 123 4567", "+522221234567"],
    ["the United Kingdom", "+44 7400 123456", "+447400123456"],
    ["Germany", "+49 1512 3456789", "+4915123456789"],
    ["France", "+33 6 12 34 56 78", "+33612345678"],
    ["Spain", "+34 612 34 56 78", "+34612345678"],
    ["Italy", "+39 312 345 6789", "+393123456789"],
    ["Japan", "+81 90-1234-5678", "+819012345678"],
    ["India", "+91 81234 56789", "+918123456789"],
    ["Angola", "+244 923 123 456", "+244923123456"],
    ["Mozambique", "+258 82 123 4567", "+258821234567"],
    ["Uruguay", "+598 94 231 234", "+59894231234"],
    ["Paraguay", "+595 961 456789", "+595961456789"],
    ["Chile", "+56 9 2212 3456", "+56922123456"],
  ])("of %s is saved in E.164", (_, typed, phone) => {
    expect(parsePhone(typed)).toEqual({ ok: true, phone });
    expect(phoneOfIdentifier(typed)).toBe(phone);
  });

  test.each([
    ["nothing", "", "invalid"],
    ["a word", "telefone", "invalid"],
    ["letters that a keypad has", "0800 CORETO", "invalid"],
    ["an e-mail", "ana@exemplo.test", "invalid"],
    ["a sign alone", "+", "invalid"],
    ["digits after text", "meu número é 11912345678", "invalid"],
    ["an extension", "+55 11 91234-5678 ramal 2", "invalid"],
    ["two digits", "19", "impossible"],
    ["an emergency", "190", "impossible"],
    ["eight digits without the city", "91234-5678", "impossible"],
    ["a city that does not exist", "(20) 91234-5678", "impossible"],
    ["a mobile without its nine", "(11) 8123-456", "impossible"],
    ["a digit too many", "(11) 91234-56789", "impossible"],
    ["a country that does not exist", "+999 123 456 789", "invalid"],
    ["twenty digits", "+55119123456781234567", "invalid"],
    ["a fixed line", "(11) 3123-4567", "no_messages"],
    ["a fixed line of Portugal", "+351 212 345 678", "no_messages"],
    ["0800", "0800 123 4567", "no_messages"],
  ])("that is %s is refused", (_, typed, problem) => {
    expect(parsePhone(typed)).toEqual({ ok: false, problem });
  });

  test("is shown in the format of its country", () => {
    expect(["+5511912345678", "+351912345678", "+12015550123"].map(formatPhone)).toEqual([
      "+55 (11) 91234-5678",
      "+351 912 345 678",
      "+1 201 555 0123",
    ]);
  });
});

test.each([
  ["+5511912345678", "+55 (11) 91234-5678"],
  ["lia@exemplo.test", "lia@exemplo.test"],
  ["ana+5511912345678@exemplo.test", "ana+5511912345678@exemplo.test"],
  ["lia", "lia"],
])("%s typed in a search is shown as %s", (identifier, shown) => {
  expect(formatIdentifier(identifier)).toBe(shown);
});

test.each(["lia", "ana.souza", "lia@exemplo.test", "rua8", "+lia"])(
  "%s is not a valid phone number",
  (identifier) => {
    expect(phoneOfIdentifier(identifier)).toBeNull();
  },
);

test.each(["11912345678", "1234567", "11.91234-5678"])(
  "%s is refused as a username: it looks like a phone number",
  (username) => {
    expect(usernameSchema.safeParse(username).error?.issues[0]?.message).toContain(
      "pelo menos uma letra",
    );
  },
);
