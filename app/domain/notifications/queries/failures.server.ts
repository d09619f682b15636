import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { FailedDelivery } from "#app/domain/notifications/schema.ts";
import { truncateList } from "#app/domain/page.ts";
import type { TruncatedList } from "#app/domain/page.ts";

/**
 * Returns what could not be delivered and is not tried any more, latest given up first, up to
 * `limit`: emails and pushes to one person, and whole outbox messages. Never says to whom, nor the
 * text.
 */
export async function failedDeliveries(
  ctx: Context,
  { limit }: { limit: number },
): Promise<TruncatedList<FailedDelivery>> {
  // Each half reads as many rows as it returns; its index is named by its condition.
  const deliveries = sql`SELECT * FROM (SELECT 'delivery' AS "source", CAST(rowid AS TEXT) AS "id", kind AS "about", channel AS "channel", COALESCE(failure, '') AS "failure", attempts AS "attempts", created_at AS "createdAt", failed_at AS "failedAt"
    FROM notification_deliveries WHERE failed_at IS NOT NULL ORDER BY failed_at DESC, key DESC LIMIT ${limit + 1})`;
  const messages = sql`SELECT * FROM (SELECT 'message' AS "source", CAST(outbox.rowid AS TEXT) AS "id", type AS "about", 'app' AS "channel", COALESCE(quarantine_reason, '') AS "failure",
      MAX(attempts, COALESCE((SELECT late.failures FROM setbacks late WHERE late.subject_id = outbox.id), 0)) AS "attempts", created_at AS "createdAt", quarantined_at AS "failedAt"
    FROM outbox WHERE quarantined_at IS NOT NULL AND handled_at IS NULL ORDER BY quarantined_at DESC, id DESC LIMIT ${limit + 1})`;
  const rows = await ctx.db.all<FailedDelivery>(
    sql`SELECT * FROM (${deliveries} UNION ALL ${messages}) ORDER BY "failedAt" DESC, "id" DESC LIMIT ${limit + 1}`,
  );
  return truncateList(rows, limit);
}

/** More than staff would look through. */
const COUNTED_AT_MOST = 100;

/** Builds the statement that counts what failed for good, up to 100, with when the oldest did. */
export function failedDeliveriesCountStatement(ctx: Context) {
  const deliveries = sql`SELECT * FROM (SELECT failed_at AS at FROM notification_deliveries WHERE failed_at IS NOT NULL ORDER BY failed_at LIMIT ${COUNTED_AT_MOST})`;
  const messages = sql`SELECT * FROM (SELECT quarantined_at AS at FROM outbox WHERE quarantined_at IS NOT NULL AND handled_at IS NULL ORDER BY quarantined_at LIMIT ${COUNTED_AT_MOST})`;
  return ctx.db
    .select({
      count: sql<number>`MIN(COUNT(*), ${COUNTED_AT_MOST})`.as("failed_count"),
      oldestAt: sql<number | null>`MIN(failed.at)`.as("oldest_failed"),
    })
    .from(sql`(${deliveries} UNION ALL ${messages}) failed`);
}

/** Reads one failed delivery, with its key or the id of its message; null if it is none. */
export async function failedDelivery(
  ctx: Context,
  { source, id }: Pick<FailedDelivery, "source" | "id">,
): Promise<{ key: string; about: string; failure: string } | null> {
  const number = sql`CAST(${id} AS INTEGER)`;
  const [row] = await ctx.db.all<{ key: string; about: string; failure: string }>(
    source === "delivery"
      ? sql`SELECT key AS "key", kind AS "about", COALESCE(failure, '') AS "failure" FROM notification_deliveries WHERE rowid = ${number} AND failed_at IS NOT NULL`
      : sql`SELECT id AS "key", type AS "about", COALESCE(quarantine_reason, '') AS "failure" FROM outbox WHERE rowid = ${number} AND quarantined_at IS NOT NULL AND handled_at IS NULL`,
  );
  return row ?? null;
}
