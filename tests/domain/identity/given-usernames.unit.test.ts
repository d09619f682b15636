import { describe, expect, test } from "vitest";
import {
  givenUsername,
  isGivenUsername,
  suggestedUsername,
  withUniqueSuffix,
} from "#app/domain/identity/registration/rules/usernames.ts";

const ID = "01a1cb207e747fb4a5655ba470ad8485";

describe("the username of a guest", () => {
  test("is told from one that a person chose", () => {
    expect(givenUsername(ID)).toBe("pessoa-ad8485");
    expect(isGivenUsername(givenUsername(ID))).toBe(true);
    expect(isGivenUsername(withUniqueSuffix(givenUsername(ID), ID))).toBe(true);
    for (const chosen of ["lia", "pessoa", "pessoa-lia", "outra-pessoa-ad8485", "pessoa.ad8485"])
      expect(isGivenUsername(chosen)).toBe(false);
  });

  test.each([
    ["Lia de Souza", "lia.souza"],
    ["João", "joao"],
    ["  Ana   Clara  Áçaí ", "ana.acai"],
    ["Li", ""],
    ["Ли Да", ""],
    ["Admin", ""],
  ])("of %s is suggested as %j", (name, username) => {
    expect(suggestedUsername(name)).toBe(username);
  });
});
