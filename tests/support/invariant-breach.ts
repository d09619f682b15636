import type { Context } from "#app/domain/context.ts";
import {
  invariantFinding,
  invariantFindings,
  invariants,
} from "#app/domain/audit/queries/invariants.server.ts";
import { testEnv } from "./worker-env.ts";

type Row = Record<string, unknown>;

const prepared = (query: string) => testEnv.DB.prepare(query);
const DEFERRED = "PRAGMA defer_foreign_keys = on";

/**
 * The names of the invariants that `statements` break. Drops the triggers and unique indexes first,
 * because they would refuse the statements. Restores the tables, the triggers and the indexes
 * afterwards.
 */
export async function invariantsBrokenBy(
  ctx: Context,
  statements: readonly string[],
): Promise<string[]> {
  return await withoutGuards(
    async () =>
      await undone(statements, async () =>
        (await invariantFindings(ctx))
          .filter(({ rows }) => rows.length > 0)
          .map(({ name }) => name),
      ),
  );
}

/**
 * Names of the breaches that their invariant does not find. A name is the invariant's, with an
 * optional case after a colon. Each breach is undone before the next.
 */
export async function undetectedBreaches(
  ctx: Context,
  breaches: Readonly<Record<string, readonly string[]>>,
): Promise<string[]> {
  return await withoutGuards(async () => {
    const missed: string[] = [];
    for (const [name, statements] of Object.entries(breaches)) {
      const invariant = invariants.find((one) => one.name === name.split(":")[0]);
      const rows = invariant
        ? await undone(
            statements,
            async () => (await invariantFinding(ctx, invariant, { kind: "whole" })).rows,
          )
        : [];
      if (rows.length === 0) missed.push(name);
    }
    return missed;
  });
}

/** Runs `work` without the triggers and unique indexes, and recreates them. */
async function withoutGuards<Result>(work: () => Promise<Result>): Promise<Result> {
  const guards = (
    await prepared(
      "SELECT type, name, sql FROM sqlite_schema WHERE type = 'trigger' OR (type = 'index' AND sql LIKE 'CREATE UNIQUE INDEX%') ORDER BY type, name",
    ).all<{ type: string; name: string; sql: string }>()
  ).results;
  await testEnv.DB.batch(guards.map(({ type, name }) => prepared(`DROP ${type} "${name}"`)));
  try {
    return await work();
  } finally {
    await testEnv.DB.batch(guards.map(({ sql }) => prepared(sql)));
  }
}

/** Runs `statements` and then `work`, and restores the tables. Returns the result of `work`. */
async function undone<Result>(
  statements: readonly string[],
  work: () => Promise<Result>,
): Promise<Result> {
  const tables = [
    ...new Set(
      statements.map(
        (statement) => /(?:UPDATE|INTO|DELETE FROM)\s+(\w+)/.exec(statement)?.[1] ?? "",
      ),
    ),
  ];
  const before = await Promise.all(
    tables.map(async (table) => ({
      table,
      columns: await writable(table),
      rows: (await prepared(`SELECT * FROM "${table}"`).all<Row>()).results,
    })),
  );
  try {
    await testEnv.DB.batch(
      [DEFERRED, "PRAGMA ignore_check_constraints = on", ...statements].map(prepared),
    );
    return await work();
  } finally {
    await testEnv.DB.batch([
      prepared(DEFERRED),
      ...tables.map((table) => prepared(`DELETE FROM "${table}"`)),
      ...before.flatMap(({ table, columns, rows }) =>
        rows.map((row) =>
          prepared(
            `INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
          ).bind(...columns.map((column) => row[column])),
        ),
      ),
      prepared("PRAGMA ignore_check_constraints = off"),
    ]);
  }
}

/** The columns of a table, except generated ones. */
async function writable(table: string): Promise<string[]> {
  return (
    await prepared(`SELECT name FROM pragma_table_xinfo('${table}') WHERE hidden = 0`).all<{
      name: string;
    }>()
  ).results.map(({ name }) => name);
}
