import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { inRoot } from "#scripts/paths.ts";

const read = (path: string): string => readFileSync(inRoot(path), "utf8");
const PAGES = ["README.md", "STYLE.md", ...globSync("docs/*.md", { cwd: inRoot() }).toSorted()];

const FOLDERS = readdirSync(inRoot(), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
  .map(({ name }) => name)
  .filter((name) => name !== "node_modules" && name !== "build");
const ANY_FOLDER = `(?:${FOLDERS.join("|")})`;
const PATH = new RegExp(`(?<![\\w.#/-])${ANY_FOLDER}/[\\w./$-]*|(?<=\\]\\()[\\w./$-]+`, "g");
const FILE_OF_ROOT = /(?<=`)[.\w-]+\.(?:md|cjs|json|toml|ts)(?=`)|(?<=`)\.env\.example(?=`)/g;

/** Returns the paths that a page names from the root, in links, code and text. */
function pathsIn(page: string): string[] {
  const text = read(page);
  const linked = page.startsWith("docs/") ? "docs/" : "";
  const found = [...(text.match(PATH) ?? []), ...(text.match(FILE_OF_ROOT) ?? [])];
  return [
    ...new Set(
      found
        .map((path) => path.replace(/[./]+$/, ""))
        .map((path) => path.replace(/^\.\.\//, ""))
        .filter((path) => path !== "")
        .map((path) => (existsSync(inRoot(linked, path)) ? `${linked}${path}` : path)),
    ),
  ];
}

describe("paths in documentation", () => {
  test.each(PAGES)("every path that %s names exists", (page) => {
    expect(pathsIn(page).filter((path) => !existsSync(inRoot(path)))).toEqual([]);
  });

  test("the paths of a page are found in links, in code and in text", () => {
    expect(pathsIn("docs/money.md")).toContain("app/domain/ledger/rules.ts");
    expect(pathsIn("docs/architecture.md")).toContain("workers/payment-webhooks/receive.ts");
    expect(pathsIn("README.md")).toContain("docs/pictures/creator-page.png");
  });
});

describe("section of changes on the architecture page", () => {
  const bullets = (read("docs/architecture.md").split("## Where do I change…?")[1] ?? "")
    .split(/^## /m)[0]
    ?.matchAll(/^- (?:.|\n(?! *\n|-|#))+/gm);
  const named = [...(bullets ?? [])].flatMap(([bullet]) => {
    const words = [...bullet.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
    const files = words.filter((word) => existsSync(inRoot(word)));
    // A name with "boleto" does not exist yet.
    return words
      .filter((word) => /^[A-Za-z]\w+$/.test(word) && !/boleto/i.test(word))
      .map((name) => ({ name, files }));
  });

  test("names what is in the files of its line", () => {
    expect(named.length).toBeGreaterThan(3);
    expect(
      named.filter(({ name, files }) => !files.some((file) => read(file).includes(name))),
    ).toEqual([]);
  });
});

const pattern = z.union([z.string(), z.array(z.string()).transform(() => "")]).default("");
const { forbidden } = z
  .object({
    forbidden: z.array(
      z.object({
        name: z.string(),
        from: z.object({ path: pattern }),
        to: z.object({ pathNot: pattern }),
      }),
    ),
  })
  .parse(createRequire(import.meta.url)(inRoot(".dependency-cruiser.cjs")));

/** The modules that each module's rule lets it import, with those that every module may import. */
const allowed = forbidden.flatMap(({ name, from, to }): [string, string[]][] => {
  const module = /^\^app\/domain\/([a-z-]+)\/$/.exec(from.path)?.[1];
  const listed = /^\^app\/domain\/\((.*)\)\/$/.exec(to.pathNot)?.[1];
  return module && listed && name === `domain-${module}` ? [[module, listed.split("|")]] : [];
});
const freeToAll = allowed
  .map(([, listed]) => listed.slice(1))
  .reduce((left, listed) => left.filter((name) => listed.includes(name)));

const modules = read("docs/architecture.md").split(/^## /m).find(isModules) ?? "";
const names = (text: string): string[] =>
  [...text.matchAll(/`([a-z-]+)`/g)].map(([, name = ""]) => name);
const sales = names(/stands for: ([^.]*)\./.exec(modules)?.[1] ?? "");
const rows = [...modules.matchAll(/^\| `([a-z-]+)` *\|([^|]*)\|([^|]*)\|$/gm)];

function isModules(section: string): boolean {
  return section.startsWith("Modules\n");
}

describe("module table of the architecture page", () => {
  test("has a row with a description for every folder of app/domain", () => {
    const folders = readdirSync(inRoot("app", "domain"), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(rows.map(([, module]) => module).toSorted()).toEqual(folders.toSorted());
    expect(rows.filter(([, , holds = ""]) => holds.trim() === "")).toEqual([]);
  });

  test("lists the same allowed imports as the import rules", () => {
    const written = rows.map(([, module = "", , uses = ""]) => [
      module,
      names(uses)
        .flatMap((name) => (name === "sales" ? sales : [name]))
        .toSorted(),
    ]);
    const expected = allowed.map(([module, [, ...listed]]) => [
      module,
      listed.filter((name) => !freeToAll.includes(name)).toSorted(),
    ]);
    expect(Object.fromEntries(written)).toEqual(Object.fromEntries(expected));
  });

  test("names the modules that every module may import", () => {
    const said = /([^.]*)which are free to all/.exec(modules)?.[1] ?? "";
    expect(names(said).toSorted()).toEqual(freeToAll.toSorted());
  });
});
