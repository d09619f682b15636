import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Cents } from "#app/domain/money.ts";

/**
 * What a charge brought that was not paid out (net centavos): what waits, and what became free
 * since the last payout that took everything; in SQL.
 */
export const unpaidNetSql = (
  chargeId: SQL,
  creatorId: SQL,
): SQL<Cents> => sql<Cents>`(SELECT COALESCE(SUM(part.net_cents - part.taken_cents), 0) FROM charge_releases part WHERE part.charge_id = ${chargeId}
  AND (part.released_at IS NULL OR part.released_at > COALESCE((SELECT MAX(p.claimed_at) FROM payouts p WHERE p.creator_id = ${creatorId} AND p.status IN ('claimed', 'sent', 'paid')), 0)))`;
