import { describe, expect, test } from "vitest";
import { isSameName } from "#app/domain/identity/registration/rules/names.ts";

describe("two names", () => {
  test.each([
    ["the same", "Ana Maria Lira", "Ana Maria Lira"],
    ["capitals, accents and spaces", "José  Antônio D'Ávila", "JOSE ANTONIO DAVILA"],
    ["particles", "Ana Maria de Souza e Lira", "ANA MARIA SOUZA LIRA"],
    ["a middle name left out", "Ana Lira", "ANA MARIA DE SOUZA LIRA"],
    ["a middle initial", "Ana M. Lira", "ANA MARIA LIRA"],
    ["a company's kind, S/A written two ways", "Gravadora Recife S/A", "GRAVADORA RECIFE S.A."],
    ["a company without its kind", "Lira & Filhos", "LIRA & FILHOS LTDA"],
    ["a MEI with its number", "Ana Maria Lira", "12.345.678 ANA MARIA LIRA"],
  ])("are the same with %s", (_, one, other) => {
    expect([isSameName(one, other), isSameName(other, one)]).toEqual([true, true]);
  });

  test.each([
    ["another first name", "Ana Lira", "JOANA LIRA"],
    ["another last name", "Ana Maria Lira", "ANA MARIA SOUZA"],
    ["a last name left out", "Ana Maria", "ANA MARIA LIRA"],
    ["a middle name that is another", "Ana Maria Lira", "ANA CLARA LIRA"],
    ["middle names in the reverse order", "Ana Maria Clara Lira", "ANA CLARA MARIA LIRA"],
    ["one word of two", "Lira", "LIRA DISCOS LTDA"],
    ["nothing to compare", "Ltda", "LIRA DISCOS LTDA"],
  ])("are different with %s", (_, one, other) => {
    expect([isSameName(one, other), isSameName(other, one)]).toEqual([false, false]);
  });
});
