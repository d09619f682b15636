import { sql } from "drizzle-orm";
import type { SQL, SQLWrapper } from "drizzle-orm";
import { ACCENTED_LETTERS } from "#app/lib/fold-name.ts";

const LETTERS = ACCENTED_LETTERS.flatMap(([plain, accented]) =>
  [...accented].map((letter) => [plain, letter] as const),
);

/**
 * The SQL that folds a name as `foldName` does. SQLite lowercases ASCII letters only, so each
 * accented letter is replaced by name.
 */
export function foldedName(text: SQLWrapper): SQL {
  return LETTERS.reduce<SQL>(
    (folded, [plain, letter]) => sql`replace(${folded}, '${sql.raw(letter)}', '${sql.raw(plain)}')`,
    sql`lower(${text})`,
  );
}
