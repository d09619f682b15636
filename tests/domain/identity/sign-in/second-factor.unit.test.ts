import { describe, expect, test } from "vitest";
import {
  BACKUP_CODES,
  backupCodeOf,
  backupCodeText,
  isAuthenticatorCode,
  isEnrolmentOpen,
  SECOND_FACTOR_WAIT_MS,
  totpStepsAt,
} from "#app/domain/identity/sign-in/rules/second-factor.ts";
import {
  authenticatorCodeSchema,
  secondFactorSchema,
} from "#app/domain/identity/sign-in/schema/second-factor.ts";

describe("TOTP time steps", () => {
  test.each([
    [59_000, [1, 0, 2]],
    [59_999, [1, 0, 2]],
    [60_000, [2, 1, 3]],
    [1_111_111_109_000, [37_037_036, 37_037_035, 37_037_037]],
  ])("at %i the steps are %j (RFC 6238, appendix B)", (now, steps) => {
    expect(totpStepsAt(now)).toEqual(steps);
  });
});

describe("backup codes", () => {
  test("are ten unambiguous letters and digits, in two halves", () => {
    const code = backupCodeOf(Uint8Array.from({ length: 16 }, (_, index) => index * 17));
    expect(code).toMatch(/^[a-hj-km-np-z1-9]{10}$/);
    expect(backupCodeText(code)).toBe(`${code.slice(0, 5)}-${code.slice(5)}`);
    expect(isAuthenticatorCode(code)).toBe(false);
    expect(BACKUP_CODES).toBe(10);
  });

  test("every byte maps to a character", () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    for (let start = 0; start < 250; start += 10)
      expect(backupCodeOf(bytes.slice(start, start + 10))).toHaveLength(10);
  });
});

describe("a typed second factor", () => {
  test.each([
    ["123456", "123456"],
    [" 123 456 ", "123456"],
    ["ABCDE-fghjk", "abcdefghjk"],
    ["abcde fghjk", "abcdefghjk"],
  ])("%j is parsed as %s", (typed, code) => {
    expect(secondFactorSchema.parse({ code: typed })).toEqual({ code });
  });

  test.each([
    ["", "Campo obrigatório"],
    ["   ", "Campo obrigatório"],
    ["12345", "Código incorreto"],
    ["1234567", "Código incorreto"],
    ["abcde-fghjk-l", "Código incorreto"],
    ["１２３４５６", "Código incorreto"],
    ["1".repeat(100), "Código incorreto"],
  ])("%j is refused", (typed, message) => {
    expect(secondFactorSchema.safeParse({ code: typed }).error?.issues[0]?.message).toBe(message);
  });

  test("enabling the second factor accepts only the code of the authenticator", () => {
    expect(
      authenticatorCodeSchema.safeParse({ code: "abcde-fghjk" }).error?.issues[0]?.message,
    ).toBe("Código incorreto");
  });
});

test.each([
  [0, true],
  [SECOND_FACTOR_WAIT_MS - 1, true],
  [SECOND_FACTOR_WAIT_MS, false],
])("a QR code shown %i ms ago can still be confirmed: %s", (age, still) => {
  expect(isEnrolmentOpen(1_000, 1_000 + age)).toBe(still);
});
