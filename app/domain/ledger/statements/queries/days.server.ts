import { sql } from "drizzle-orm";
import type { SQL, SQLWrapper } from "drizzle-orm";
import { BEHIND_UTC_MS } from "#app/domain/time.ts";

const FORMATS = { day: "%Y-%m-%d", month: "%Y-%m" } as const;

/**
 * The day (`2026-12-20`) or month (`2026-12`) of São Paulo in which the instant `at` of a row is:
 * the same as every paper's.
 */
export const calendarBucketSql = (at: SQLWrapper, by: keyof typeof FORMATS): SQL<string> =>
  sql`strftime('${sql.raw(FORMATS[by])}', (${at} - ${sql.raw(String(BEHIND_UTC_MS))}) / 1000, 'unixepoch')`;
