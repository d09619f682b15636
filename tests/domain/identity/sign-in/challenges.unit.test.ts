import { expect, test } from "vitest";
import {
  challengeState,
  isRecentAuth,
  resendWaitSeconds,
} from "#app/domain/identity/sign-in/rules/challenges.ts";
import { passwordResetEmail, verificationEmail } from "#app/domain/identity/emails/rules/emails.ts";
import { codeSchema } from "#app/domain/identity/account/schema.ts";
import { keyedHash, randomCode, randomToken, sameHash } from "#app/lib/secrets.ts";

const SENT = 1_800_000_000_000;
const challenge = { tries: 0, expiresAt: SENT + 600_000, usedAt: null };

test.each([
  ["at once", challenge, SENT, "live"],
  ["a moment before ten minutes", challenge, SENT + 599_999, "live"],
  ["at ten minutes", challenge, SENT + 600_000, "expired"],
  ["after four wrong codes", { ...challenge, tries: 4 }, SENT, "live"],
  ["after five wrong codes", { ...challenge, tries: 5 }, SENT, "worn-out"],
  ["used", { ...challenge, usedAt: SENT }, SENT, "used"],
])("%s", (_, given, now, state) => {
  expect(challengeState(given, now)).toBe(state);
});

test.each([
  [0, 30],
  [1, 30],
  [29_999, 1],
  [30_000, 0],
  [90_000, 0],
])("%i ms after sending, %i seconds of waiting are left", (passed, wait) => {
  expect(resendWaitSeconds(SENT, SENT + passed)).toBe(wait);
});

test("a password typed counts as a recent authentication for ten minutes", () => {
  expect([0, 599_999, 600_000].map((passed) => isRecentAuth(SENT, SENT + passed))).toEqual([
    true,
    true,
    false,
  ]);
});

test.each([
  ["123456", "123456"],
  [" 123 456 ", "123456"],
  ["123-456", "123456"],
  ["", "Campo obrigatório"],
  ["12345", "Código incorreto"],
  ["1234567", "Código incorreto"],
  ["12a456", "Código incorreto"],
  ["１２３４５６", "Código incorreto"],
])("the code %j is parsed as %j", (typed, read) => {
  const parsed = codeSchema.safeParse(typed);
  expect(parsed.success ? parsed.data : parsed.error.issues[0]?.message).toBe(read);
});

test("codes are six digits, may start with zeros, and do not repeat", () => {
  const codes = Array.from({ length: 2_000 }, randomCode);
  expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true);
  expect(new Set(codes).size).toBeGreaterThan(1_980);
  expect(codes.some((code) => code.startsWith("0"))).toBe(true);
});

test("a hash depends on its key and on the boundaries between its parts", async () => {
  const [one, ...others] = await Promise.all([
    keyedHash("a", "x", "yz"),
    keyedHash("b", "x", "yz"),
    keyedHash("a", "xy", "z"),
  ]);
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(others.some((other) => sameHash(one, other))).toBe(false);
  expect(sameHash(one, one)).toBe(true);
  expect(sameHash(one, one.slice(1))).toBe(false);
  expect(randomToken()).toMatch(/^[0-9a-f]{64}$/);
});

test.each([verificationEmail, passwordResetEmail])(
  "an email has the code, its lifetime and, where there is one, the link",
  (letter) => {
    const { subject, body } = letter({ code: "012345", link: "https://coreto.test/l" });
    expect(subject).toContain("012345");
    expect(body).toMatch(/012345[\s\S]*10 minutos[\s\S]*https:\/\/coreto\.test\/l/);
    expect(letter({ code: "012345", link: null }).body).not.toContain("link");
  },
);
