import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { usernameDistance } from "#app/domain/profiles/rules.ts";
import {
  correctedSearches,
  spellingsOf,
  spellingProbes,
  writtenWord,
} from "#app/domain/discovery/rules/spelling.ts";

const word = fc.stringMatching(/^[a-z]{4,20}$/);

describe("the spellings of a word", () => {
  test.each([
    ["a doubled letter", "rabecca", "rabeca"],
    ["a missing letter", "sanfna", "sanfona"],
    ["a wrong letter", "ceramicta", "ceramista"],
    ["two letters swapped", "vioal", "viola"],
    ["a missing last letter", "berimba", "berimbau"],
    ["another spelling of a sound", "lassos", "lacos"],
    ["and back", "xapeu", "chapeu"],
  ])("include the right one for %s", (_, typed, meant) => {
    expect(spellingsOf(typed)).toContain(meant);
  });

  test("are all words one letter away, and never the word itself", () => {
    fc.assert(
      fc.property(word, word, (one, other) => {
        const spellings = spellingsOf(one);
        expect(spellings).not.toContain(one);
        if (usernameDistance(one, other) === 1) expect(spellings).toContain(other);
      }),
    );
  });

  test("are none of short and of very long words, and a bounded number of a search", () => {
    expect(spellingsOf("rua")).toEqual([]);
    expect(spellingsOf("a".repeat(21))).toEqual([]);
    const longest = ["abcdefghijklmnopqrst", "bcdefghijklmnopqrstu", "cdefghijklmnopqrstuv"];
    const search = [...longest, ...longest.map((term) => `${term.slice(1)}z`)];
    expect(spellingProbes(search).length).toBeLessThan(4 * 54 * 21);
  });
});

describe("corrected searches", () => {
  const known = [
    { term: "rabeca", count: 9 },
    { term: "rabecas", count: 2 },
    { term: "roda", count: 5 },
    { term: "rodas", count: 1 },
  ];

  test.each([
    ["the commonest word first", ["rabecaa"], [["rabeca"], ["rabecas"]]],
    ["accents folded", ["RABÉCCA"], [["rabeca"]]],
    [
      "the unknown word before the known one",
      ["roda", "rabecca"],
      [
        ["roda", "rabeca"],
        ["rodas", "rabecca"],
      ],
    ],
    [
      "two unknown words together first",
      ["rroda", "rabecca"],
      [
        ["roda", "rabeca"],
        ["roda", "rabecca"],
        ["rroda", "rabeca"],
      ],
    ],
    ["nothing where nothing is near", ["xilofone"], []],
  ])("have %s", (_, terms, expected) => {
    expect(correctedSearches(terms, known)).toEqual(expected);
  });

  test("are at most six", () => {
    const many = spellingsOf("rabeca").map((term) => ({ term, count: 1 }));
    expect(correctedSearches(["rabeca"], many)).toHaveLength(6);
  });
});

test("a suggestion is written as the text writes it", () => {
  expect(writtenWord("musica", "Roda de Música")).toBe("música");
  expect(writtenWord("viola", "Roda de Música")).toBe("viola");
});
