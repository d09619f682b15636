import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRoot } from "#scripts/paths.ts";

/**
 * Within a layer (rules, queries, commands) the slices of a module import one another in one
 * direction. The files in the module's root count as one more slice; its scheduled steps, which
 * call every slice, as another.
 */
const LAYER_OF: Record<string, Layer> = {
  schema: "rules",
  rules: "rules",
  errors: "rules",
  queries: "queries",
  commands: "commands",
};
type Layer = "rules" | "queries" | "commands";
type Place = { slice: string; layer: Layer };

const IMPORT = /^(?:import|export) [^;]*?from "(?:#(app\/domain\/[^"]+)|\.\/([^"]+))";/gm;

test("the slices of a module form no cycle in any layer", () => {
  expect(cyclesOf(importsOfDomain())).toEqual([]);
});

test("a cycle of slices is found", () => {
  expect(
    cyclesOf([
      ["app/domain/plans/coupons/rules.ts", "app/domain/plans/seats/schema.ts"],
      ["app/domain/plans/seats/rules/free.ts", "app/domain/plans/rules.ts"],
      ["app/domain/plans/schema.ts", "app/domain/plans/coupons/errors.ts"],
      // Another layer is another graph.
      ["app/domain/plans/seats/commands.server.ts", "app/domain/plans/coupons/rules.ts"],
    ]),
  ).toEqual(["rules: plans/coupons, plans/root, plans/seats"]);
});

function placeOf(file: string): Place | null {
  const [module = "", ...rest] = file.replace("app/domain/", "").split("/");
  const [first = "", second = ""] = rest.map((part) => part.replace(/(\.server)?\.ts$/, ""));
  if (rest.join("/") === "commands/steps.server.ts")
    return { slice: `${module}/steps`, layer: "commands" };
  const ofRoot = LAYER_OF[first];
  if (ofRoot) return { slice: `${module}/root`, layer: ofRoot };
  const layer = LAYER_OF[second];
  return layer ? { slice: `${module}/${first}`, layer } : null;
}

function importsOfDomain(): [string, string][] {
  return globSync("app/domain/*/**/*.ts", { cwd: inRoot(".") }).flatMap((file) =>
    [...readFileSync(inRoot(file), "utf8").matchAll(IMPORT)].map(
      ([, absolute, beside = ""]): [string, string] => [
        file,
        absolute ?? file.replace(/[^/]+$/, beside),
      ],
    ),
  );
}

/** Names each group of slices that reach one another, by layer. */
function cyclesOf(imports: readonly (readonly [string, string])[]): string[] {
  const reached = new Map<string, Set<string>>();
  for (const [from, to] of imports) {
    const [a, b] = [placeOf(from), placeOf(to)];
    const isEdge =
      a &&
      b &&
      a.layer === b.layer &&
      a.slice !== b.slice &&
      a.slice.split("/")[0] === b.slice.split("/")[0];
    if (!isEdge) continue;
    const key = `${a.layer}: ${a.slice}`;
    reached.set(key, (reached.get(key) ?? new Set()).add(`${b.layer}: ${b.slice}`));
  }
  const from = (start: string): Set<string> => {
    const seen = new Set<string>();
    const next = [start];
    for (let node = next.pop(); node !== undefined; node = next.pop())
      for (const to of reached.get(node) ?? []) if (!seen.has(to)) next.push((seen.add(to), to));
    return seen;
  };
  const reach = new Map([...reached.keys()].map((node) => [node, from(node)]));
  const groups = [...reach].flatMap(([node, to]) =>
    to.has(node) ? [[...to].filter((other) => reach.get(other)?.has(node)).toSorted()] : [],
  );
  return [
    ...new Set(
      groups.map(
        ([first = "", ...more]) =>
          `${[first, ...more.map((one) => one.split(": ")[1])].join(", ")}`,
      ),
    ),
  ];
}
