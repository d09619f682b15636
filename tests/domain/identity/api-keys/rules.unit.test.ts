import { describe, expect, test } from "vitest";
import {
  formatApiKey,
  expiryOf,
  isExpired,
  isUseDueForUpdate,
  isWellFormedApiKey,
  looksLikeApiKey,
  scopesOf,
  scopesText,
} from "#app/domain/identity/api-keys/rules.ts";
import { apiKeySchema, API_SCOPES, KEY_LIFETIMES } from "#app/domain/identity/api-keys/schema.ts";
import type { KeyLifetime } from "#app/domain/identity/api-keys/schema.ts";

const SECRET = "0123456789abcdef0123456789abcdef01234567";
const at = (text: string) => Date.parse(`${text}-03:00`);

describe("the expiration of an API key", () => {
  test.each<[KeyLifetime, string, string]>([
    ["1d", "2026-11-21T10:00:00", "2026-11-22T10:00:00"],
    ["7d", "2026-12-28T10:00:00", "2027-01-04T10:00:00"],
    ["30d", "2027-02-01T00:00:00", "2027-03-03T00:00:00"],
    ["60d", "2026-11-21T10:00:00", "2027-01-20T10:00:00"],
    ["90d", "2026-11-21T10:00:00", "2027-02-19T10:00:00"],
    ["180d", "2026-11-21T10:00:00", "2027-05-20T10:00:00"],
    ["1y", "2026-11-21T10:00:00", "2027-11-21T10:00:00"],
    ["1y", "2028-02-29T10:00:00", "2029-02-28T10:00:00"],
  ])("%s from %s ends at %s", (lifetime, made, ends) => {
    expect(expiryOf(lifetime, at(made))).toBe(at(ends));
  });

  test("a key without expiration never expires", () => {
    expect(expiryOf("never", at("2026-11-21T10:00:00"))).toBeNull();
    expect(isExpired({ expiresAt: null }, Number.MAX_SAFE_INTEGER)).toBe(false);
  });

  test.each([
    [999, false],
    [1_000, true],
    [1_001, true],
  ])("at %i a key that expires at 1000 is expired: %s", (now, over) => {
    expect(isExpired({ expiresAt: 1_000 }, now)).toBe(over);
  });

  test("the choices are those of the specification", () => {
    expect(KEY_LIFETIMES).toEqual(["1d", "7d", "30d", "60d", "90d", "180d", "1y", "never"]);
  });
});

describe("the last use of an API key", () => {
  test.each<[number | null, number, boolean]>([
    [null, 0, true],
    [0, 59_999, false],
    [0, 60_000, true],
    [60_000, 0, false],
  ])("saved at %s, used at %i: written %s", (lastUsedAt, now, written) => {
    expect(isUseDueForUpdate({ lastUsedAt }, now)).toBe(written);
  });
});

describe("the format of an API key", () => {
  test("has our prefix and no prefix of an identity provider", () => {
    const key = formatApiKey(SECRET);
    expect(key).toBe(`coreto_${SECRET}`);
    expect(key).not.toMatch(/^(ak|mt|oat|sk|pk|m2m)_/);
    expect([looksLikeApiKey(key), isWellFormedApiKey(key)]).toEqual([true, true]);
  });

  test.each([
    [""],
    ["coreto_"],
    [`coreto_${SECRET}0`],
    [`coreto_${SECRET.slice(1)}`],
    [`coreto_${SECRET.toUpperCase()}`],
    [`ak_${SECRET}`],
    [`coreto_${SECRET}\n`],
  ])("%j is rejected without a query", (text) => {
    expect(isWellFormedApiKey(text)).toBe(false);
  });
});

describe("the scopes of an API key", () => {
  test("are read back as they were saved", () => {
    expect(scopesOf(scopesText(["posts:read", "profile:read"]))).toEqual([
      "profile:read",
      "posts:read",
    ]);
  });

  test.each([[""], ["posts:write"], ["posts:readx"], ["*"]])("%j allows nothing", (text) => {
    expect(scopesOf(text)).toEqual([]);
  });
});

describe("the API key form", () => {
  const typed = { name: " Meu site ", description: "", lifetime: "30d", scopes: ["posts:read"] };

  test("reads one or several check boxes, each once", () => {
    expect(apiKeySchema.parse({ ...typed, scopes: "posts:read" })).toEqual({
      name: "Meu site",
      description: "",
      lifetime: "30d",
      scopes: ["posts:read"],
    });
    expect(apiKeySchema.parse({ ...typed, scopes: [...API_SCOPES, ...API_SCOPES] }).scopes).toEqual(
      [...API_SCOPES],
    );
  });

  test.each([
    ["name", "", "Campo obrigatório"],
    ["name", "   ", "Campo obrigatório"],
    ["name", undefined, "Campo obrigatório"],
    ["name", "a".repeat(257), "Use até 256 caracteres."],
    ["description", "a".repeat(501), "Use até 500 caracteres."],
    ["lifetime", undefined, "Escolha até quando a chave vale."],
    ["lifetime", "2y", "Escolha até quando a chave vale."],
    ["scopes", undefined, "Escolha pelo menos uma permissão."],
    ["scopes", "everything", "Escolha entre as permissões da lista."],
  ])("%s %j is refused with a Portuguese message", (field, value, message) => {
    const parsed = apiKeySchema.safeParse({ ...typed, [field]: value });
    expect(parsed.error?.issues[0]).toMatchObject({ message });
    expect(parsed.error?.issues[0]?.path[0]).toBe(field);
  });
});
