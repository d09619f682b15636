import { sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { authPendingRegistrations } from "#drizzle/schema/local-registrations.ts";

const SWEPT_AT_ONCE = 20;

/**
 * Takes away those that are over, a page at a time, so that what was typed and left does not stay:
 * at each beginning, and every minute. Apart from the rest of registrations, which would bring all
 * of the identity into every worker.
 */
export function sweepStatement(db: Database, now: Instant) {
  return db.delete(authPendingRegistrations).where(sql`id IN
    (SELECT id FROM auth_pending_registrations WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE})`);
}
