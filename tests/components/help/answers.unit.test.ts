import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ACCOUNT_GROUPS } from "#app/components/help/account.ts";
import { creatorGroups } from "#app/components/help/creators.ts";
import { FAN_GROUPS } from "#app/components/help/fans.ts";
import { searchHelp } from "#app/components/help/search.ts";
import { routeCandidates } from "#app/http/routing/candidates.ts";
import { readRouteTable } from "#tests/support/route-table.ts";

const GROUPS = [...FAN_GROUPS, ...creatorGroups(500), ...ACCOUNT_GROUPS];
const ANSWERS = GROUPS.flatMap(({ answers }) => answers);
const idsFor = (query: string) =>
  searchHelp(GROUPS, query).flatMap(({ answers }) => answers.map(({ id }) => id));

describe("the answers", () => {
  test("are at least thirty, short, each with an anchor of its own", () => {
    expect(ANSWERS.length).toBeGreaterThanOrEqual(30);
    const anchors = [...GROUPS, ...ANSWERS].map(({ id }) => id);
    expect(anchors.length).toBe(new Set(anchors).size);
    for (const { id, asked, text } of ANSWERS) {
      expect([id, asked.endsWith("?"), text.length < 420]).toEqual([id, true, true]);
      expect(id).toMatch(/^[a-z0-9-]+$/);
    }
  });

  test("lead only to pages that exist", async () => {
    const table = await readRouteTable();
    const candidatesOf = routeCandidates(table);
    const known = table.map(({ id }) => id);
    for (const { link } of ANSWERS) {
      if (!link) continue;
      const own = [...candidatesOf(link.to)].filter((id) => !/layout|not-found|root/.test(id));
      expect([link.to, own.length > 1, own.every((id) => known.includes(id))]).toEqual([
        link.to,
        true,
        true,
      ]);
    }
  });

  test("are there for every link of the screens", () => {
    const asked = globSync("app/{components,routes}/**/*.tsx")
      .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/<HelpLink answer="([^"]+)"/g)])
      .map(([, id]) => id);
    expect(asked.length).toBeGreaterThanOrEqual(5);
    const ids = ANSWERS.map(({ id }) => id);
    expect(asked.filter((id) => id !== undefined && !ids.includes(id))).toEqual([]);
  });

  test("state the configured fee", () => {
    const text = JSON.stringify(creatorGroups(499));
    expect(text).toContain("4,99% do que foi realmente pago");
    expect(text).not.toContain("5% do que");
  });
});

describe("a search", () => {
  test.each([
    ["férias", "ferias"],
    ["FERIAS", "ferias"],
    ["reembolso", "arrependimento"],
    ["passkey", "chave-de-acesso"],
    ["excluir conta", "excluir-conta"],
    ["chargeback", "contestacao"],
    ["cupo", "cupom"],
    ["bloqueada", "conta-suspensa"],
    ["imposto", "impostos"],
  ])("for %s finds %s", (query, id) => {
    expect(idsFor(query)).toContain(id);
  });

  test("needs every word, and finds nothing for nonsense", () => {
    expect(idsFor("pix xyzabc")).toEqual([]);
    expect(idsFor("pix").length).toBeLessThan(ANSWERS.length);
    expect(idsFor("").length).toBe(ANSWERS.length);
    expect(idsFor("?!").length).toBe(ANSWERS.length);
  });
});
