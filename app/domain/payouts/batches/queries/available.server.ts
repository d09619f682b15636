import { sql } from "drizzle-orm";
import type { SQL, SQLWrapper } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import { ledgerAccounts, ledgerEntries } from "#drizzle/schema/ledger.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { MINIMUM_PAYOUT_CENTS, smallBalanceCutoff } from "#app/domain/payouts/rules.ts";

/**
 * When the oldest part of what is available to a creator arrived, null where nothing did: their
 * last claim, where it left a rest behind (it was as much as was approved), or the first credit
 * since. Only below the minimum is anybody asked for it (`minimumPayoutCents`): of a larger balance
 * the rest, which is counted back over all entries since the claim, is not looked for.
 */
const availableSince = (creatorId: string | SQLWrapper): SQL<Instant | null> => sql`(
  SELECT CASE WHEN a.balance_cents > ${-MINIMUM_PAYOUT_CENTS} AND c.at > 0
      AND a.balance_cents < (SELECT COALESCE(SUM(e.amount_cents), 0) FROM ${ledgerEntries} e WHERE e.account_id = a.id AND e.posted_at > c.at) THEN c.at
    ELSE (SELECT MIN(e.posted_at) FROM ${ledgerEntries} e WHERE e.account_id = a.id AND e.amount_cents < 0 AND e.posted_at > c.at) END
  FROM ${ledgerAccounts} a, (SELECT COALESCE(MAX(p.claimed_at), 0) AS at FROM ${payouts} p WHERE p.creator_id = ${creatorId}) c
  WHERE a.id = 'creator_available:' || ${creatorId})`;

/** For a batch: one row, `at`. */
export const availableSinceStatement = (ctx: Context, { creatorId }: { creatorId: string }) =>
  ctx.db.select({ at: availableSince(creatorId) }).from(sql`(SELECT 1)`);

/**
 * Whether what is available reaches the least that is paid out, in the statement that joins the
 * account. The rule itself is `minimumPayoutCents`.
 */
export const reachesMinimumPayout = (creatorId: SQLWrapper, now: Instant): SQL =>
  sql`(-${ledgerAccounts.balanceCents} >= ${MINIMUM_PAYOUT_CENTS} OR (-${ledgerAccounts.balanceCents} > 0 AND ${availableSince(creatorId)} <= ${smallBalanceCutoff(now)}))`;
