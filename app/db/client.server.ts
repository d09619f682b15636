import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { BatchItem, BatchResponse } from "drizzle-orm/batch";
import { drizzle } from "drizzle-orm/d1";
import type { DrizzleD1Database } from "drizzle-orm/d1";
import { batchClient, executeTogether } from "./batch-client.ts";
import type { Binding, Executable } from "./batch-client.ts";
import { gatherReads } from "./gathered-reads.ts";
import { withUniqueNames } from "./select-names.ts";
import { RuleViolation, StaleWrite, UniqueViolation } from "./errors.ts";

export type Database = DrizzleD1Database & {
  /** Number of calls to D1 since it was opened; a batch counts as one. */
  callsMade(): number;
  /** Number of rows that its calls have inserted, changed or deleted, by triggers too. */
  rowsChanged(): number;
  /**
   * The same database, whose reads of one tick are one call. For reads that do not depend on each
   * other, such as what is due of each step of a cron.
   */
  gathering(): Database;
};
export type DbStatement = BatchItem<"sqlite">;

/**
 * A statement that must change exactly `count` rows; otherwise the whole batch is refused as
 * `StaleWrite`.
 */
export type ConditionalWrite = { conditional: DbStatement; count: number };
/**
 * A statement that explains why its batch was refused. `refused` gets the rule that refused it,
 * after the rollback. It may read, and may return a more precise rule.
 */
export type ExplainedWrite = {
  explained: DbStatement;
  refused(rule: string): Promise<string | null>;
};
export type BatchWrite = DbStatement | ConditionalWrite | ExplainedWrite;

/** Opens Drizzle over D1, or over a D1 session, which has the same interface. */
export function openDatabase(binding: Binding): Database {
  let [calls, changed] = [0, 0];
  const count = ({ meta }: D1Result) => void (changed += meta.changes);
  const named: Binding = {
    // A prepared statement runs once: alone, or in a batch. A batch is one call for all of its
    // statements.
    prepare: (query: string) => {
      calls += 1;
      return binding.prepare(withUniqueNames(query));
    },
    batch: async <Row>(statements: D1PreparedStatement[]) => {
      calls += 1 - statements.length;
      const results = await binding.batch<Row>(statements);
      results.forEach(count);
      return results;
    },
  };
  const over = (alone: Pick<Binding, "prepare">): Database =>
    Object.assign(drizzle(batchClient(alone, count)), {
      batch: <Item extends DbStatement, Items extends Readonly<[Item, ...Item[]]>>(items: Items) =>
        // Drizzle's types leave out that each of its queries has `execute`.
        executeTogether(named, items as unknown as Executable[]) as Promise<BatchResponse<Items>>,
      callsMade: () => calls,
      rowsChanged: () => changed,
      gathering: () => over(gatherReads(named)),
    });
  return over(named);
}

/** Builds queries for the batches of other databases. It runs none itself. */
export const databaseForBatches: Database = Object.assign(drizzle(batchClient(null)), {
  callsMade: () => 0,
  rowsChanged: () => 0,
  gathering: () => databaseForBatches,
});

/** Marks `statement` as one that must match exactly one row. */
export function mustChangeOne(statement: DbStatement): ConditionalWrite {
  return mustChange(1, statement);
}

/** Marks `statement` as one that must match exactly `count` rows. */
export function mustChange(count: number, statement: DbStatement): ConditionalWrite {
  return { conditional: statement, count };
}

/**
 * Runs `writes` as one transaction. An UPDATE that matches nothing does not abort a D1 batch. A
 * guard therefore follows each conditional write, and its error becomes `StaleWrite`. Refusals of
 * an index become `UniqueViolation`; those of a CHECK or a trigger become `RuleViolation`.
 */
export async function commit(db: Database, writes: readonly BatchWrite[]): Promise<void> {
  const statements = writes.flatMap((write) =>
    "conditional" in write
      ? [write.conditional, staleGuard(db, write.count)]
      : "explained" in write
        ? [write.explained]
        : [write],
  );
  const [first, ...rest] = statements;
  if (!first) return;
  try {
    await db.batch([first, ...rest]);
  } catch (error) {
    const refusal = refusalOf(error);
    throw refusal instanceof RuleViolation
      ? await explainedBy(writes, refusal)
      : (refusal ?? error);
  }
}

/** Returns the first more precise explanation of a refusal, or the database's own. */
async function explainedBy(
  writes: readonly BatchWrite[],
  refusal: RuleViolation,
): Promise<RuleViolation> {
  for (const write of writes) {
    const rule = "explained" in write ? await write.refused(refusal.rule) : null;
    if (rule !== null) return new RuleViolation(rule);
  }
  return refusal;
}

/**
 * Builds a statement that refuses the whole batch as `StaleWrite` unless `condition` holds. For
 * decisions by rows that the batch does not write.
 */
export function guardStatement(db: Database, condition: SQL): DbStatement {
  return db
    .select({ holds: sql`CASE WHEN ${condition} THEN 1 ELSE json('stale') END`.as("holds") })
    .from(sql`(SELECT 1)`);
}

/** `json('stale')` fails at run time, which aborts the batch. */
function staleGuard(db: Database, count: number): DbStatement {
  return db.run(sql`SELECT CASE WHEN changes() = ${count} THEN 1 ELSE json('stale') END`);
}

function refusalOf(error: unknown): Error | null {
  const text = messages(error);
  if (text.includes("malformed JSON")) return new StaleWrite();
  const unique = /UNIQUE constraint failed: ([\w., ]+?)(?::|\n|$)/.exec(text);
  if (unique) return new UniqueViolation((unique[1] ?? "").trim());
  const check = /CHECK constraint failed: (\w+)/.exec(text);
  if (check) return new RuleViolation(check[1] ?? "");
  const raised =
    /\b(ledger_\w+|team_\w+|collection_(?:full|foreign|price)|price_(?:not_agreed|not_sold|ask_too_soon)|checkout_open|documents_not_regular|own_fee|event_full|unknown_state|immutable_\w+)\b/.exec(
      text,
    );
  return raised ? new RuleViolation(raised[1] ?? "") : null;
}

function messages(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause ? `${error.message}\n${messages(error.cause)}` : error.message;
}
