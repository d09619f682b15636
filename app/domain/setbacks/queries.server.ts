import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";

/** For the query of something due: the row with this id did not fail, or waited long enough since. */
export const hasTurn = (ctx: Context, id: SQLiteColumn): SQL => sql`NOT EXISTS (SELECT 1 FROM setbacks late WHERE late.subject_id = ${id} AND late.next_attempt_at > ${ctx.now()})`;
