import { sql } from "drizzle-orm";
import type { SQL, SQLWrapper } from "drizzle-orm";
import { BEHIND_UTC_MS } from "#app/domain/time.ts";

const FORMATS = { day: "%Y-%m-%d", month: "%Y-%m" } as const;

/**
 * SQL of the São Paulo day (`2026-12-20`) or month (`2026-12`) of the instant `at`, as every
 * statement uses it.
 */
export const calendarBucketSql = (at: SQLWrapper, by: keyof typeof FORMATS): SQL<string> =>
  sql`strftime('${sql.raw(FORMATS[by])}', (${at} - ${sql.raw(String(BEHIND_UTC_MS))}) / 1000, 'unixepoch')`;
