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
  const deliveries = sql`SELECT * FROM (SELECT 'delivery' AS "source", key AS "id", kind AS "about", channel AS "channel", COALESCE(failure, '') AS "failure", attempts AS "attempts", created_at AS "createdAt", failed_at AS "failedAt"
    FROM notification_deliveries WHERE failed_at IS NOT NULL ORDER BY failed_at DESC, key DESC LIMIT ${limit + 1})`;
  const messages = sql`SELECT * FROM (SELECT 'message' AS "source", id AS "id", type AS "about", 'app' AS "channel", COALESCE(quarantine_reason, '') AS "failure",
      MAX(attempts, COALESCE((SELECT late.failures FROM setbacks late WHERE late.subject_id = outbox.id), 0)) AS "attempts", created_at AS "createdAt", quarantined_at AS "failedAt"
    FROM outbox WHERE quarantined_at IS NOT NULL AND handled_at IS NULL ORDER BY quarantined_at DESC, id DESC LIMIT ${limit + 1})`;
  const rows = await ctx.db.all<FailedDelivery>(
    sql`SELECT * FROM (${deliveries} UNION ALL ${messages}) ORDER BY "failedAt" DESC, "id" DESC LIMIT ${limit + 1}`,
  );
  return truncateList(rows, limit);
}

/** Builds the statement that counts what failed for good, with when the oldest did. */
export function failedDeliveriesCountStatement(ctx: Context) {
  return ctx.db
    .select({
      count: sql<number>`COUNT(*)`.as("failed_count"),
      oldestAt: sql<number | null>`MIN(failed.at)`.as("oldest_failed"),
    })
    .from(
      sql`(SELECT failed_at AS at FROM notification_deliveries WHERE failed_at IS NOT NULL UNION ALL SELECT quarantined_at FROM outbox WHERE quarantined_at IS NOT NULL AND handled_at IS NULL) failed`,
    );
}

/** Reads one failed delivery; null if it is none. */
export async function failedDelivery(
  ctx: Context,
  { source, id }: Pick<FailedDelivery, "source" | "id">,
): Promise<{ about: string; failure: string } | null> {
  const [row] = await ctx.db.all<{ about: string; failure: string }>(
    source === "delivery"
      ? sql`SELECT kind AS "about", COALESCE(failure, '') AS "failure" FROM notification_deliveries WHERE key = ${id} AND failed_at IS NOT NULL`
      : sql`SELECT type AS "about", COALESCE(quarantine_reason, '') AS "failure" FROM outbox WHERE id = ${id} AND quarantined_at IS NOT NULL AND handled_at IS NULL`,
  );
  return row ?? null;
}
