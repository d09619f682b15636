import { sql } from "drizzle-orm";
import type { SQL, SQLWrapper } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Instant } from "#app/domain/time.ts";
import { ledgerAccounts, ledgerEntries } from "#drizzle/schema/ledger.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { MINIMUM_PAYOUT_CENTS, smallBalanceBefore } from "#app/domain/payouts/rules.ts";

/** When the oldest part of what is available to a creator arrived: the first credit since their last payout took everything; null where nothing did. */
const availableSince = (creatorId: string | SQLWrapper): SQL<Instant | null> => sql`(SELECT MIN(e.posted_at) FROM ${ledgerEntries} e WHERE e.account_id = 'creator_available:' || ${creatorId} AND e.amount_cents < 0
  AND e.posted_at > COALESCE((SELECT MAX(p.claimed_at) FROM ${payouts} p WHERE p.creator_id = ${creatorId}), 0))`;

/** For a batch: one row, `at`. */
export const availableSinceStatement = (ctx: Context, { creatorId }: { creatorId: string }) => ctx.db.select({ at: availableSince(creatorId) }).from(sql`(SELECT 1)`);

/** Whether what is available reaches the least that is paid out, in the statement that joins the account. The rule itself is `leastPayout`. */
export const isWorthPaying = (creatorId: SQLWrapper, now: Instant): SQL =>
  sql`(-${ledgerAccounts.balanceCents} >= ${MINIMUM_PAYOUT_CENTS} OR (-${ledgerAccounts.balanceCents} > 0 AND ${availableSince(creatorId)} <= ${smallBalanceBefore(now)}))`;
