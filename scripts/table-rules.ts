import { globSync } from "node:fs";
import { createRequire } from "node:module";
import ts from "dependency-cruiser-typescript";
import { z } from "zod";
import { inRoot, ROOT } from "./paths.ts";
import { nodesOf, parsedFile } from "./source-files.ts";

/** Modules whose purpose is to read everybody's tables. They write none but their own. */
const READS_ALL = ["access", "audit"];

/** The nightly checks of the books are stored where the pages of the ledger show them. */
const OPEN_WRITES = ["audit writes ledgerChecks"];

/** By their reason: reads of tables whose owner the reader's row of allowed imports does not list. */
export const OPEN_READS: Readonly<Record<string, readonly string[]>> = {
  "a name stands beside the row": [
    "documents, fiscal, identity, ledger, payments, payouts read profiles",
  ],
  "a charge loads what it pays for, and who pays, in one call": [
    "payments reads billing, documents, events, payouts, plans, purchases, subscriptions",
    "subscriptions reads billing, documents, payouts",
    "ledger reads payments, payouts",
    "fiscal reads documents, payments",
    "plans reads payouts, subscriptions",
  ],
  "what is sold, used or hidden belongs to a module above": [
    "purchases reads collections, events, media, messages, payouts, posts",
    "media reads collections, events, moderation, posts",
    "age reads collections, plans, posts",
    "posts reads collections",
    "disputes reads posts",
    "discovery reads comments",
  ],
  "a notification is sent only while it holds": [
    "notifications reads comments, messages, outbox, posts, purchases, subscriptions",
  ],
  "counts and searches of staff and creators": [
    "analytics reads billing, newsletters",
    "billing reads analytics",
    "profiles reads analytics, billing, documents, subscriptions",
  ],
  "who may see or keep a person's data": ["identity reads teams", "documents reads payments"],
};

/** Which module owns a table: that of the schema file which declares it. */
export type TableOwners = {
  byName: ReadonlyMap<string, string>;
  /** The modules that each module may import, as `.dependency-cruiser.cjs` says. */
  allowed: ReadonlyMap<string, readonly string[]>;
};

export type TableUse = { table: string; owner: string; line: number; isWrite: boolean };

/**
 * Lists the uses of tables in the modules' files that no rule allows, and the entries of the open
 * list that nothing needs, one per line.
 *
 * A module reads its own tables, those of the modules that it may import, and what the open list
 * names. It writes its own alone.
 */
export function problemsOfTables(
  sources: readonly ts.SourceFile[] = domainFiles(),
  openReads = OPEN_READS,
): string[] {
  const owners = tableOwners();
  const open = new Set(Object.values(openReads).flat().flatMap(readsOf));
  const refused = sources.flatMap((source) => {
    const reader = moduleOf(source.fileName);
    return tableUsesIn(source, owners)
      .filter(({ table, owner, isWrite }) =>
        isWrite
          ? !OPEN_WRITES.includes(`${reader} writes ${table}`)
          : !mayRead(reader, owner, owners),
      )
      .map((use) => ({
        ...use,
        file: source.fileName,
        reader,
        read: `${reader} reads ${use.owner}`,
      }));
  });
  const needed = new Set(refused.map(({ read }) => read));
  return [
    ...refused
      .filter(({ read, isWrite }) => isWrite || !open.has(read))
      .map(
        ({ file, line, reader, table, owner, isWrite }) =>
          `${file}:${line}: ${reader} ${isWrite ? "writes" : "reads"} ${table}, a table of ${owner}`,
      ),
    ...[...open]
      .filter((read) => !needed.has(read))
      .map((read) => `OPEN_READS: nothing needs “${read}” any more`),
  ];
}

const domainFiles = (): ts.SourceFile[] =>
  globSync("app/domain/*/**/*.ts", { cwd: ROOT }).toSorted().map(parsedFile);

/** "a, b read c" as "a reads c" and "b reads c". */
function readsOf(entry: string): string[] {
  const [readers = [], owners = []] = entry.split(/ reads? /).map((names) => names.split(", "));
  return readers.flatMap((reader) => owners.map((owner) => `${reader} reads ${owner}`));
}

const moduleOf = (file: string): string => file.split("/")[2] ?? "";

const mayRead = (reader: string, owner: string, { allowed }: TableOwners): boolean =>
  reader === owner || READS_ALL.includes(reader) || (allowed.get(reader) ?? []).includes(owner);

/** Files of `drizzle/schema` that have further tables of a module. */
const FURTHER_FILES: Readonly<Record<string, string>> = { "events-people": "events" };

/** The module whose tables a file of `drizzle/schema` has, by its name. */
const ownerOf = (name: string): string => FURTHER_FILES[name] ?? name;

/** Reads the owners of all tables from `drizzle/schema`, and the allowed imports. */
export function tableOwners(): TableOwners {
  const byName = new Map<string, string>();
  for (const file of globSync("drizzle/schema/*.ts", { cwd: ROOT })) {
    const owner = ownerOf(file.replace(/^.*\/|\.ts$/g, ""));
    for (const node of nodesOf(parsedFile(file)))
      if (isTableCall(node)) byName.set(node.arguments[0].text, owner);
  }
  return { byName, allowed: allowedImports() };
}

type TableCall = ts.CallExpression & { arguments: readonly [ts.StringLiteral] };
const isTableCall = (node: ts.Node): node is TableCall =>
  ts.isCallExpression(node) &&
  node.expression.getText() === "sqliteTable" &&
  node.arguments[0] !== undefined &&
  ts.isStringLiteral(node.arguments[0]);

const rulesSchema = z.object({
  forbidden: z.array(
    z.object({ name: z.string(), to: z.object({ pathNot: z.unknown() }).partial() }),
  ),
});

/** The modules that each module may import, itself and those that are free to all included. */
export function allowedImports(): Map<string, readonly string[]> {
  const { forbidden } = rulesSchema.parse(
    createRequire(import.meta.url)(inRoot(".dependency-cruiser.cjs")),
  );
  return new Map(
    forbidden.flatMap(({ name, to: { pathNot } }): [string, string[]][] => {
      const listed = /^\^app\/domain\/\((.*)\)\/$/.exec(String(pathNot))?.[1]?.split("|") ?? [];
      const [module = ""] = listed;
      return name === `domain-${module}` ? [[module, listed]] : [];
    }),
  );
}

/**
 * Finds the tables of other modules that a file of a module uses: those it imports, and those that
 * its SQL names.
 */
export function tableUsesIn(source: ts.SourceFile, { byName }: TableOwners): TableUse[] {
  const reader = moduleOf(source.fileName);
  const imported = importedTables(source);
  return [...nodesOf(source)].flatMap((node) => {
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    return [...tablesInSql(node, byName), ...tablesInCode(node, imported)]
      .filter(({ owner }) => owner !== reader)
      .map((use) => ({ ...use, line }));
  });
}

type Use = Omit<TableUse, "line">;

const SCHEMA_FILE = /^#drizzle\/schema\/([a-z-]+)\.ts$/;

/** The tables that a file imports, by their local name, with their owner. */
function importedTables(source: ts.SourceFile): Map<string, string> {
  return new Map(
    source.statements.flatMap((statement): [string, string][] => {
      if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier))
        return [];
      const owner = SCHEMA_FILE.exec(statement.moduleSpecifier.text)?.[1];
      const bindings = statement.importClause?.namedBindings;
      if (!owner || !bindings || !ts.isNamedImports(bindings)) return [];
      return bindings.elements.map(({ name }) => [name.text, ownerOf(owner)]);
    }),
  );
}

const NAMED_TABLE = /\b(INSERT (?:OR [A-Z]+ )?INTO|UPDATE|DELETE FROM|FROM|JOIN)\s+"?([a-z_]+)/g;

/** The tables that the text of a statement names, such as `JOIN people`. */
function tablesInSql(node: ts.Node, byName: TableOwners["byName"]): Use[] {
  if (!ts.isTemplateLiteralToken(node) && !ts.isStringLiteral(node)) return [];
  return [...node.text.matchAll(NAMED_TABLE)].flatMap(([, verb = "", table = ""]) => {
    const owner = byName.get(table);
    return owner ? [{ table, owner, isWrite: /^(INSERT|UPDATE|DELETE)/.test(verb) }] : [];
  });
}

/** The imported tables that code names, such as `sql\`… ${people.id}\``or`.from(people)`. */
function tablesInCode(node: ts.Node, imported: ReadonlyMap<string, string>): Use[] {
  if (!ts.isIdentifier(node) || ts.isImportSpecifier(node.parent)) return [];
  const owner = imported.get(node.text);
  const isMember = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node;
  return owner && !isMember ? [{ table: node.text, owner, isWrite: isWritten(node) }] : [];
}

/** Is it the argument of `db.insert`, `db.update` or `db.delete`? */
function isWritten({ parent }: ts.Identifier): boolean {
  return (
    ts.isCallExpression(parent) &&
    ts.isPropertyAccessExpression(parent.expression) &&
    /^(insert|update|delete)$/.test(parent.expression.name.text)
  );
}
