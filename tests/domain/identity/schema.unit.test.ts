import type { RouteConfigEntry } from "@react-router/dev/routes";
import { describe, expect, test } from "vitest";
import { TERMS_VERSION } from "#app/domain/identity/registration/rules/terms.ts";
import {
  isReservedUsername,
  nameSchema,
  signInSchema,
  usernameSchema,
  usernameSkeleton,
} from "#app/domain/identity/schema.ts";
import { signUpSchema } from "#app/domain/identity/registration/schema/registration.ts";
import { profileSchema } from "#app/domain/profiles/schema.ts";
import routes from "#app/routes.ts";

/** The first URL segments of a route. A layout has none of its own. */
function firstSegments(entry: RouteConfigEntry): string[] {
  if (!entry.path) return (entry.children ?? []).flatMap(firstSegments);
  const word = entry.path.split("/")[0] ?? "";
  return /^[a-z]/.test(word) ? [word] : [];
}

describe("usernames", () => {
  test.each([
    ["ana", "ana"],
    ["Ana", "ana"],
    ["  ana.lira ", "ana.lira"],
    ["a_b-c.9", "a_b-c.9"],
    ["a".repeat(256), "a".repeat(256)],
    ["123", "123"],
    ["postal", "postal"],
    ["mediador", "mediador"],
  ])("%j is parsed as %j", (typed, saved) => {
    expect(usernameSchema.parse(typed)).toBe(saved);
  });

  test.each([
    [""],
    ["ab"],
    ["a".repeat(257)],
    ["ana lira"],
    ["joão"],
    ["ana@lira"],
    [".ana"],
    ["ana."],
    ["-ana"],
    ["ana/lira"],
    ["аna"],
    ["ana\u200b"],
    ["%61na"],
  ])("%j is refused", (typed) => {
    expect(usernameSchema.safeParse(typed).success).toBe(false);
  });

  test("the first segment of every route is reserved", () => {
    const top = new Set(routes.flatMap(firstSegments));
    expect(top.size).toBeGreaterThan(15);
    for (const word of top) expect([word, isReservedUsername(word)]).toEqual([word, true]);
  });

  test.each([
    ["admin"],
    ["Admin"],
    ["adm1n"],
    ["a.d.m.i.n"],
    ["adrnin"],
    ["c0reto"],
    ["co_re_to"],
    ["suport3"],
    ["5uporte"],
    ["webhooks"],
    ["sandbox"],
    ["api"],
  ])("%s looks like the platform", (username) => {
    expect(isReservedUsername(username)).toBe(true);
  });

  test.each([["ana"], ["coretodapraca"], ["suportando"], ["apito"], ["administra"]])(
    "%s does not look like the platform",
    (username) => {
      expect(isReservedUsername(username)).toBe(false);
    },
  );

  test("the skeleton of a skeleton is itself", () => {
    for (const username of ["ana", "c0ret0", "ad-min", "1l1l", "vvvv"]) {
      expect(usernameSkeleton(usernameSkeleton(username))).toBe(usernameSkeleton(username));
    }
  });
});

describe("sign-up and sign-in", () => {
  const person = {
    name: " Ana ",
    username: "ANA.L",
    email: " Ana@Exemplo.Test ",
    password: "praia-azul",
    birthDate: "31/12/1990",
    termsVersion: TERMS_VERSION,
  };

  test("trims and lower-cases the fields, and keeps the password unchanged", () => {
    expect(signUpSchema.parse({ ...person, password: "  oito  " })).toEqual({
      name: "Ana",
      username: "ana.l",
      email: "ana@exemplo.test",
      password: "  oito  ",
      birthDate: "1990-12-31",
      termsVersion: TERMS_VERSION,
    });
  });

  test.each([
    [7, false],
    [8, true],
    [256, true],
    [257, false],
  ])("a password of %i bytes: %s", (length, accepted) => {
    expect(
      signUpSchema.safeParse({ ...person, password: "praia-azul-".repeat(24).slice(0, length) })
        .success,
    ).toBe(accepted);
  });

  test.each([
    [0, false],
    [1, true],
    [256, true],
    [257, false],
  ])("a name of %i characters: %s", (length, accepted) => {
    expect(signUpSchema.safeParse({ ...person, name: "x".repeat(length) }).success).toBe(accepted);
  });

  test("sign-in ignores letter case", () => {
    expect(signInSchema.parse({ identifier: " ANA ", password: "x" })).toEqual({
      identifier: "ana",
      password: "x",
    });
    expect(
      signInSchema
        .safeParse({ identifier: "", password: "" })
        .error?.issues.map((issue) => issue.message),
    ).toEqual(["Campo obrigatório", "Campo obrigatório"]);
  });
});

test.each([["create"], ["public"]])("/space/%s is already a page", (username) => {
  expect(isReservedUsername(username)).toBe(true);
});

describe("display names", () => {
  test.each([["Ana Lira"], ["Zé do Côco 🥁"], ["李小龍"], ["Família 👨‍👩‍👧"], ["D'Ávila-Souza"]])(
    "%s is a valid name",
    (name) => {
      expect(nameSchema.parse(` ${name} `)).toBe(name);
    },
  );

  test.each([
    ["a second line, which would be an email header", "Ana\r\nBcc: todos@exemplo.test"],
    ["another control character", "Ana\u0000"],
    ["a line separator", "Ana\u2028Lira"],
    ["characters that reverse the text direction", "Ana \u202e0002$R"],
    ["nothing visible", "\u200b\u200d"],
  ])("%s is refused", (_, name) => {
    expect(nameSchema.safeParse(name).success).toBe(false);
    expect(profileSchema.shape.name.safeParse(name).success).toBe(false);
  });
});
