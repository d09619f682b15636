import { createRequire } from "node:module";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { inRoot } from "#scripts/paths.ts";
import { inFixture, run } from "./fixture.ts";
import type { Files } from "./fixture.ts";

const config = z
  .object({ forbidden: z.array(z.object({ name: z.string() })) })
  .parse(createRequire(import.meta.url)(inRoot(".dependency-cruiser.cjs")));
const ruleNames = [...new Set(config.forbidden.map(({ name }) => name))];
const modules = ruleNames.flatMap(
  (name) => /^domain-(?!folder|file|root|is-)([a-z-]+)$/.exec(name)?.[1] ?? [],
);

const LEAF = "export const value = 1;\n";
const importing = (path: string): string =>
  `import { value } from "${path}";\nexport const other = value;\n`;

/** Files that break each rule once, by the rule's name. */
const BROKEN: Record<string, Files> = {
  "no-circular": {
    "app/http/one.ts": 'import { two } from "./two.ts";\nexport const one = () => two;\n',
    "app/http/two.ts": 'import { one } from "./one.ts";\nexport const two = () => one;\n',
  },
  "domain-folder-has-a-row": { "app/domain/wallets/rules.ts": LEAF },
  "domain-file-is-one-of-five-kinds": { "app/domain/ledger/helpers.ts": LEAF },
  "domain-root-holds-the-shared-files": { "app/domain/utils.ts": LEAF },
  "domain-is-framework-free": {
    "app/domain/posts/rules.ts":
      'import { nothing } from "react";\nexport const other = nothing;\n',
  },
  "pure-files-stay-pure": {
    "app/domain/plans/rules.ts": importing("./queries.server.ts"),
    "app/domain/plans/queries.server.ts": LEAF,
  },
  "routes-never-touch-sql": {
    "app/routes/home/feed.tsx": importing("#drizzle/schema/posts.ts"),
    "drizzle/schema/posts.ts": LEAF,
  },
  "components-are-dumb": {
    "app/components/posts/post-card.tsx": importing("#app/domain/posts/queries/feed.server.ts"),
    "app/domain/posts/queries/feed.server.ts": LEAF,
  },
  "components-know-neither-http-nor-providers": {
    "app/components/ui/fields/field.tsx": importing("#app/http/form.ts"),
    "app/http/form.ts": LEAF,
  },
  "http-asks-ports": {
    "app/http/card.ts": importing("#app/integrations/stripe/version.ts"),
    "app/integrations/stripe/version.ts": LEAF,
  },
  "http-draws-nothing": {
    "app/http/toast.ts": importing("#app/components/ui/toasts/toaster.tsx"),
    "app/components/ui/toasts/toaster.tsx": LEAF,
  },
  "integrations-satisfy-ports-only": {
    "app/integrations/clerk/provider.server.ts": importing("#app/http/session.ts"),
    "app/http/session.ts": LEAF,
  },
  "lib-uses-nothing": {
    "app/lib/ids.ts": importing("#app/domain/time.ts"),
    "app/domain/time.ts": LEAF,
  },
  "writes-stay-home": {
    "app/domain/posts/commands.server.ts": importing("#drizzle/schema/ledger.ts"),
    "drizzle/schema/ledger.ts": LEAF,
  },
  "messages-stay-home": {
    "app/domain/disputes/commands/dispute.server.ts": importing(
      "#app/domain/payments/schema/outbox.ts",
    ),
    "app/domain/payments/schema/outbox.ts": LEAF,
  },
  "drizzle-and-db-are-the-floor": {
    "app/db/client.server.ts": importing("#app/domain/money.ts"),
    "app/domain/money.ts": LEAF,
  },
  "app-does-not-import-workers": {
    "app/http/queue.ts": importing("#workers/consume.ts"),
    "workers/consume.ts": LEAF,
  },
  "the-product-does-not-import-its-tools": {
    "app/http/build.ts": importing("#scripts/build.ts"),
    "scripts/build.ts": LEAF,
  },
  ...Object.fromEntries(modules.map((name) => [`domain-${name}`, upward(name)])),
};

/** Returns files that import analytics or moderation, which nobody may import, also not each other. */
function upward(name: string): Files {
  const above = name === "analytics" ? "moderation" : "analytics";
  return {
    [`app/domain/${name}/queries.server.ts`]: importing(`#app/domain/${above}/rules.ts`),
    [`app/domain/${above}/rules.ts`]: LEAF,
  };
}

type Violation = { rule: string; files: string[] };

/** Returns the violations of all files in one cruise, because starting it takes the time. */
function violationsOf(files: Files): Violation[] {
  return inFixture(files, (directory) => {
    const cruise = [
      inRoot("node_modules/dependency-cruiser/bin/dependency-cruiser.mjs"),
      "--config",
      ".dependency-cruiser.cjs",
      "--output-type",
      "json",
    ];
    const folders = [...new Set(Object.keys(files).map((path) => path.split("/")[0] ?? ""))];
    const report = run(
      directory,
      "--import",
      inRoot("scripts/typescript-6.mjs"),
      ...cruise,
      ...folders,
    );
    return cruised
      .parse(JSON.parse(report))
      .summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, files: [from, to] }));
  });
}

const cruised = z.object({
  summary: z.object({
    violations: z.array(
      z.object({ rule: z.object({ name: z.string() }), from: z.string(), to: z.string() }),
    ),
  }),
});

describe("import rules", () => {
  let violations: Violation[] = [];
  beforeAll(() => {
    violations = violationsOf(Object.assign({}, ...Object.values(BROKEN)));
  }, 60_000);

  test("each rule of the import map has a test that breaks it", () => {
    expect(Object.keys(BROKEN).toSorted()).toEqual(ruleNames.toSorted());
  });

  test.each(Object.keys(BROKEN))("%s reports a violation", (name) => {
    const [broken] = Object.keys(BROKEN[name] ?? {});
    expect(violations.filter(({ rule }) => rule === name).flatMap(({ files }) => files)).toContain(
      broken,
    );
  });
});

test("a cycle of types alone is a cycle", () => {
  const type = (name: string, other: string): string =>
    `import type { ${other} } from "./${other}.ts";\nexport type ${name} = ${other} | null;\n`;
  const files: Files = {
    "app/lib/one.ts": type("one", "two"),
    "app/lib/two.ts": type("two", "one"),
  };
  expect(violationsOf(files).map(({ rule }) => rule)).toContain("no-circular");
}, 60_000);

test("a subject is a folder within its kind, and has no subfolder", () => {
  const files: Files = {
    "app/domain/posts/queries/feed/home.server.ts": LEAF,
    "app/domain/posts/queries/feed/home/top.server.ts": LEAF,
    "app/domain/posts/commands/drafts/save.ts": LEAF,
  };
  const refused = violationsOf(files)
    .filter(({ rule }) => rule === "domain-file-is-one-of-five-kinds")
    .flatMap(({ files: [from] }) => from);
  expect([...new Set(refused)].toSorted()).toEqual([
    "app/domain/posts/commands/drafts/save.ts",
    "app/domain/posts/queries/feed/home/top.server.ts",
  ]);
}, 60_000);

test("allowed imports pass: any table for queries, the row of a module, a folder of the same name, a type of a .server file", () => {
  const allowed: Files = {
    "app/domain/posts/queries.server.ts": importing("#drizzle/schema/ledger.ts"),
    "drizzle/schema/ledger.ts": LEAF,
    "app/domain/payments/refunds/commands/refunds.server.ts": importing(
      "#app/domain/ledger/rules/fees.ts",
    ),
    "app/domain/ledger/rules/fees.ts": LEAF,
    "app/domain/plans/rules.ts":
      'import type { Plan } from "./queries.server.ts";\nexport const name = (plan: Plan) => plan;\n',
    "app/domain/plans/queries.server.ts": "export type Plan = string;\n",
  };
  expect(violationsOf(allowed)).toEqual([]);
}, 60_000);
