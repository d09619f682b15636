import { sql } from "drizzle-orm";
import type { Database } from "#app/db/client.server.ts";
import type { Instant } from "#app/domain/time.ts";
import { authPendingRegistrations } from "#drizzle/schema/local-registrations.ts";

const SWEPT_AT_ONCE = 20;

/**
 * Deletes expired registrations in pages, so that abandoned input is not stored. Runs at each start
 * of a registration, and every minute. In a separate module, because the rest of registrations
 * would load all of the identity into every worker.
 */
export function sweepStatement(db: Database, now: Instant) {
  return db.delete(authPendingRegistrations).where(sql`id IN
    (SELECT id FROM auth_pending_registrations WHERE expires_at <= ${now} ORDER BY expires_at LIMIT ${SWEPT_AT_ONCE})`);
}
