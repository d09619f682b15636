import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Cents } from "#app/domain/money.ts";

/**
 * SQL of the net of a charge that was not paid out (centavos): pending parts, and parts released
 * since the last payout that took everything.
 */
export const unpaidNetSql = (
  chargeId: SQL,
  creatorId: SQL,
): SQL<Cents> => sql<Cents>`(SELECT COALESCE(SUM(part.net_cents - part.taken_cents), 0) FROM charge_releases part WHERE part.charge_id = ${chargeId}
  AND (part.released_at IS NULL OR part.released_at > COALESCE((SELECT MAX(p.claimed_at) FROM payouts p WHERE p.creator_id = ${creatorId} AND p.status IN ('claimed', 'sent', 'paid')), 0)))`;
