import { describe, expect, test } from "vitest";
import {
  matchingEntries,
  paletteActions,
  palettePages,
} from "#app/components/palette/palette-entries.ts";
import type { PaletteEntry } from "#app/components/palette/palette-entries.ts";

const FAN = {
  uncompletedFeatures: true,
  spaceId: null,
  isCreator: false,
  publishes: false,
  readsMessages: true,
  hasTeams: false,
  isModerator: false,
};
const CREATOR = { ...FAN, isCreator: true, publishes: true };
const ALL = { editsPlans: true, seesMoney: true, managesBilling: true };
const NONE = { editsPlans: false, seesMoney: false, managesBilling: false };

const pathsOf = (entries: PaletteEntry[]) =>
  entries.flatMap(({ effect }) => (effect.type === "go" ? [effect.to] : []));
const listed = (who: typeof FAN, may: typeof ALL | null) =>
  pathsOf([...paletteActions(who, may), ...palettePages(who, may)]);

describe("the palette", () => {
  test("names each page and action of a member apart", () => {
    const who = { ...CREATOR, hasTeams: true };
    const labels = [...paletteActions(who, ALL), ...palettePages(who, ALL)].map(
      ({ label }) => label,
    );
    expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([]);
  });

  test.each([
    [
      "a creator",
      CREATOR,
      ALL,
      ["/post/create", "/plan/create", "/settings/transfers"],
      ["/admin"],
    ],
    ["a fan", FAN, ALL, ["/space/create", "/explore"], ["/post/create", "/plan/create"]],
    [
      "a writer of a team",
      CREATOR,
      NONE,
      ["/post/create"],
      ["/plan/create", "/settings/transfers"],
    ],
    [
      "who may only look",
      { ...CREATOR, publishes: false },
      NONE,
      ["/analytics"],
      ["/post/create", "/me/drafts", "/me/coupons"],
    ],
    ["the staff", { ...FAN, isModerator: true }, NONE, ["/admin", "/admin/reports"], []],
    ["a member of a team", { ...FAN, hasTeams: true }, NONE, ["/settings/teams/acting"], []],
    [
      "everybody of a deployment",
      { ...CREATOR, uncompletedFeatures: false },
      ALL,
      ["/notifications", "/messages", "/events"],
      [],
    ],
    ["a creator before the server said what they may do", CREATOR, null, ["/me"], ["/plan/create"]],
  ])("lists for %s only what they may open", (_, who, may, there, missing) => {
    const paths = listed(who, may);
    expect(paths).toEqual(expect.arrayContaining(there));
    expect(missing.filter((path) => paths.includes(path))).toEqual([]);
  });

  test("lists each page once", () => {
    const pages = pathsOf(palettePages({ ...CREATOR, isModerator: true }, ALL));
    expect(new Set(pages).size).toBe(pages.length);
  });

  test.each([
    ["", 3],
    ["notif", 1],
    ["NOTIFICACOES", 1],
    ["saques", 1],
    ["prazos saldo", 1],
    ["ações", 0],
    ["otific", 0],
  ])("finds by the start of words, without accents: %s", (typed, count) => {
    const entries = palettePages(CREATOR, ALL).filter(({ effect }) =>
      ["/notifications", "/settings/transfers", "/ajuda"].includes(
        effect.type === "go" ? effect.to : "",
      ),
    );
    expect(matchingEntries(entries, typed)).toHaveLength(count);
  });
});
