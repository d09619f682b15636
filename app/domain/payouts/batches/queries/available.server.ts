import { sql } from "drizzle-orm";
import type { SQL, SQLWrapper } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import { ledgerAccounts, ledgerEntries } from "#drizzle/schema/ledger.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { MINIMUM_PAYOUT_CENTS, smallBalanceCutoff } from "#app/domain/payouts/rules.ts";

/**
 * When the oldest part of a creator's available balance arrived; null where there is none.
 *
 * It is the last claim, where that claim left a rest because only an approved amount left.
 * Otherwise it is the first credit since that claim. It matters only below the minimum
 * (`minimumPayoutCents`). For a larger balance it does not look for the rest of the last claim.
 */
const availableSince = (creatorId: string | SQLWrapper): SQL<Instant | null> => sql`(
  SELECT CASE WHEN a.balance_cents > ${-MINIMUM_PAYOUT_CENTS} AND c.at > 0
      AND a.balance_cents < (SELECT COALESCE(SUM(e.amount_cents), 0) FROM ${ledgerEntries} e WHERE e.account_id = a.id AND e.posted_at > c.at) THEN c.at
    ELSE (SELECT MIN(e.posted_at) FROM ${ledgerEntries} e WHERE e.account_id = a.id AND e.amount_cents < 0 AND e.posted_at > c.at) END
  FROM ${ledgerAccounts} a, (SELECT COALESCE(MAX(p.claimed_at), 0) AS at FROM ${payouts} p WHERE p.creator_id = ${creatorId}) c
  WHERE a.id = 'creator_available:' || ${creatorId})`;

/** Statement for a batch: one row with `at`. */
export const availableSinceStatement = (ctx: Context, { creatorId }: { creatorId: string }) =>
  ctx.db.select({ at: availableSince(creatorId) }).from(sql`(SELECT 1)`);

/**
 * SQL condition: the available balance reaches the minimum payout. The statement must join the
 * account. The rule itself is `minimumPayoutCents`.
 */
export const reachesMinimumPayout = (creatorId: SQLWrapper, now: Instant): SQL =>
  sql`(-${ledgerAccounts.balanceCents} >= ${MINIMUM_PAYOUT_CENTS} OR (-${ledgerAccounts.balanceCents} > 0 AND ${availableSince(creatorId)} <= ${smallBalanceCutoff(now)}))`;
