import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  discoveryFacet,
  foldedWord,
  HEAT_HALF_LIFE_MS,
  heatScore,
  fuzzyTextQuery,
  nearestNames,
  risingHeatThreshold,
} from "#app/domain/discovery/rules.ts";
import { fullTextQuery, searchTerms } from "#app/lib/full-text.ts";
import type { HeatEvent } from "#app/domain/discovery/rules.ts";
import { exploreSchema } from "#app/domain/discovery/schema.ts";

const NOW = Date.parse("2026-11-21T12:00:00-03:00");
const event = fc.record({
  at: fc.integer({ min: NOW - 20 * HEAT_HALF_LIFE_MS, max: NOW }),
  weight: fc.constantFrom(1, 2),
});
const someEvents = fc.array(event, { minLength: 1, maxLength: 30 });

/** The definition of heat: each like and comment, halved for every half-life since. */
const worthAt = (events: readonly HeatEvent[], now: number) =>
  events.reduce((sum, { at, weight }) => sum + weight * 2 ** ((at - now) / HEAT_HALF_LIFE_MS), 0);

describe("the heat of a post", () => {
  test("orders posts like the decayed value of their likes and comments, at any time", () => {
    fc.assert(
      fc.property(someEvents, someEvents, fc.integer({ min: 0, max: 60 }), (one, other, days) => {
        const now = NOW + days * HEAT_HALF_LIFE_MS;
        const [here, there] = [worthAt(one, now), worthAt(other, now)];
        fc.pre(Math.abs(Math.log2(here / there)) > 1e-5);
        expect((heatScore(one) ?? 0) > (heatScore(other) ?? 0)).toBe(here > there);
      }),
    );
  });

  test("never falls with another like, and does not depend on their order", () => {
    fc.assert(
      fc.property(someEvents, event, (events, more) => {
        expect(heatScore([...events, more])).toBeGreaterThanOrEqual(heatScore(events) ?? 0);
        expect(heatScore(events.toReversed())).toBe(heatScore(events));
      }),
    );
  });

  test("of an older like is lower by its half-lives, and twice the likes add one", () => {
    const now = heatScore([{ at: NOW, weight: 1 }]) ?? 0;
    expect(now - (heatScore([{ at: NOW - HEAT_HALF_LIFE_MS, weight: 1 }]) ?? 0)).toBe(1_000_000);
    expect(
      (heatScore([
        { at: NOW, weight: 1 },
        { at: NOW, weight: 1 },
      ]) ?? 0) - now,
    ).toBe(1_000_000);
    expect(heatScore([{ at: NOW, weight: 2 }])).toBe(
      heatScore([
        { at: NOW, weight: 1 },
        { at: NOW, weight: 1 },
      ]),
    );
    expect(heatScore([])).toBeNull();
  });

  test("rises for ten half-lives after a single like", () => {
    const liked = (ago: number) =>
      (heatScore([{ at: NOW - ago * HEAT_HALF_LIFE_MS, weight: 1 }]) ?? 0) >=
      risingHeatThreshold(NOW);
    expect([liked(0), liked(10), liked(10.01)]).toEqual([true, true, false]);
  });
});

describe("a search query", () => {
  test("becomes words, without any syntax of the index", () => {
    expect(searchTerms('rabeca" OR title:* NEAR(x, 2) ^a -b (c')).toEqual([
      "rabeca",
      "OR",
      "title",
      "NEAR",
      "x",
      "2",
      "a",
      "b",
    ]);
    expect(searchTerms("@ana.lira_2")).toEqual(["ana", "lira", "2"]);
    expect(searchTerms("  \u0000\u202e ''\" ** 🎻 ")).toEqual([]);
    expect(fullTextQuery(searchTerms("rabeca de feira"))).toBe('"rabeca" AND "de" AND "feira"*');
    expect(fullTextQuery([])).toBeNull();
  });

  test("becomes at most eight quoted words, for any input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (typed) => {
        const terms = searchTerms(typed);
        expect(terms.length).toBeLessThanOrEqual(8);
        for (const term of terms) expect(term).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
        expect(fuzzyTextQuery(terms) ?? '"ok"').toMatch(/^"[\p{L}\p{N}]+"( OR "[\p{L}\p{N}]+")*$/u);
      }),
    );
  });
});

describe("a misspelled name", () => {
  const people = [
    "Ana Lira",
    "Tião da Cuíca",
    "Mestre Salu",
    "Jaci Folhas",
    "Conceição Andrade",
    "Zé",
  ].map((name, index) => ({ name, username: foldedWord(name), followersCount: index }));
  const near = (typed: string) =>
    nearestNames(searchTerms(typed), people, 3).map(({ name }) => name);

  test.each([
    ["tiao da cuica", "Tião da Cuíca"],
    ["tião da cuiça", "Tião da Cuíca"],
    ["mestre sallu", "Mestre Salu"],
    ["mestresaluu", "Mestre Salu"],
    ["conseicao", "Conceição Andrade"],
    ["cocneicao", "Conceição Andrade"],
    ["ana lyra", "Ana Lira"],
    ["folias", "Jaci Folhas"],
  ])("%s finds %s", (typed, name) => {
    expect(near(typed)).toContain(name);
  });

  test("needs three correct letters and at most two mistakes in a word", () => {
    expect(near("ze")).toEqual(["Zé"]);
    expect(near("xe")).toEqual([]);
    expect(near("consoicau")).toEqual([]);
    expect(near("")).toEqual([]);
  });

  test("keeps one half intact, which the index can find", () => {
    const letters = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz");
    fc.assert(
      fc.property(
        fc.array(letters, { minLength: 6, maxLength: 14 }),
        fc.nat(),
        letters,
        (word, where, letter) => {
          const wrong = word.with(where % word.length, letter).join("");
          const pieces =
            fuzzyTextQuery([wrong])
              ?.match(/\w{3,}/g)
              ?.filter((piece) => piece !== "OR") ?? [];
          expect(pieces.some((piece) => word.join("").includes(piece))).toBe(true);
        },
      ),
    );
  });
});

test("a facet is one filter, two, or none", () => {
  expect(discoveryFacet({ category: null, kind: null })).toBe("all");
  expect(discoveryFacet({ category: "music", kind: null })).toBe("category:music");
  expect(discoveryFacet({ category: null, kind: "video" })).toBe("kind:video");
  expect(discoveryFacet({ category: "music", kind: "video" })).toBe("category:music kind:video");
});

test("unknown parameters in the URL show the unfiltered explore page", () => {
  const nothing = { q: "", category: null, kind: null, sort: "rising", show: "all", cursor: null };
  expect(exploreSchema.parse({})).toEqual(nothing);
  expect(
    exploreSchema.parse({
      category: "dinossauros",
      kind: "3d",
      sort: "velhas",
      show: "tudo",
      q: "  ",
    }),
  ).toEqual(nothing);
  expect(exploreSchema.parse({ q: "a".repeat(200) }).q).toHaveLength(80);
});
