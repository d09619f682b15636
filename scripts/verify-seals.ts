import { DatabaseSync } from "node:sqlite";
import type { SQLInputValue } from "node:sqlite";
import { openDatabase } from "#app/db/client.server.ts";
import type { Database } from "#app/db/client.server.ts";
import { verifySeals } from "#app/domain/ledger/months/queries/seals.server.ts";
import type { SealVerification } from "#app/domain/ledger/months/queries/seals.server.ts";
import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import { sha256Hex } from "#app/lib/digest.ts";

/**
 * Verifies every sealed month of `file` from `from` on, oldest first, with the product's own code.
 * Never writes to `file`.
 */
export async function* verifySealsOfFile(
  file: string,
  from?: Month,
): AsyncGenerator<SealVerification> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    yield* verifySeals({ db: sqliteDatabase(database) }, { digest: sha256Hex, from });
  } finally {
    database.close();
  }
}

/** Opens the product's database over a SQLite file, with the interface of D1. */
export function sqliteDatabase(database: DatabaseSync): Database {
  const statement = (query: string, values: SQLInputValue[] = []) => {
    const asked = (areArrays: boolean) => {
      const prepared = database.prepare(query);
      prepared.setReturnArrays(areArrays);
      return prepared.all(...values);
    };
    return {
      bind: (...bound: SQLInputValue[]) => statement(query, bound),
      all: async () => ({ success: true, results: asked(false), meta: { changes: 0 } }),
      run: async () => ({ success: true, results: asked(false), meta: { changes: 0 } }),
      raw: async () => asked(true),
    };
  };
  const binding = {
    prepare: (query: string) => statement(query),
    async batch(statements: ReturnType<typeof statement>[]) {
      database.exec("BEGIN");
      try {
        const answers = [];
        for (const one of statements) answers.push(await one.all());
        database.exec("COMMIT");
        return answers;
      } catch (error) {
        database.exec("ROLLBACK");
        throw error;
      }
    },
  };
  return openDatabase(binding as unknown as D1Database);
}
