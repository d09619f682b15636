import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";

/** A day, and the hours by which a nightly check may be late. */
const WHOLE_LIMIT_MS = 26 * HOUR_MS;

/**
 * Notifies people if checks run but no whole check succeeds: by day only recent changes are
 * checked.
 */
export const checkInvariants: readonly Invariant[] = [
  {
    name: "looked_at_whole",
    title: "Cada regra foi conferida inteira desde ontem",
    sql: (ctx) => sql`
      SELECT name, whole_at FROM ledger_checks WHERE whole_at > 0 AND whole_at < ${ctx.realNow() - WHOLE_LIMIT_MS} AND EXISTS (SELECT 1 FROM ledger_checks other WHERE other.checked_at > ${ctx.realNow() - HOUR_MS})`,
  },
];
