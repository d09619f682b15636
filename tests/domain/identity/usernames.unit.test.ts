import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { usernameFrom, withEnding } from "#app/domain/identity/rules/usernames.ts";
import { usernameSchema } from "#app/domain/identity/schema.ts";

describe("a username made of a name", () => {
  test.each([
    ["Lia de Souza", "lia-de-souza"],
    ["  José  D’Ávila ", "jose-d-avila"],
    ["Çelebi Ünal", "celebi-unal"],
    ["Lu", null],
    ["李明", null],
    ["Admin", null],
    ["1198888-7777", null],
    [`Ana ${"Maria ".repeat(20)}`, "ana-maria-maria-maria-maria-maria-maria"],
  ])("%j is %j", (name, username) => {
    expect(usernameFrom(name)).toBe(username);
  });

  test("is one that its person could have typed, with an ending too", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.uuid(), (name, id) => {
        const username = usernameFrom(name);
        if (username !== null) expect(usernameSchema.parse(username)).toBe(username);
        const ended = withEnding(username ?? "pessoa", id);
        expect(usernameSchema.parse(ended)).toBe(ended);
      }),
    );
  });
});
