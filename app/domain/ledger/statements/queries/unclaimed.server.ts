import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { LedgerAccountKind } from "#app/domain/ledger/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Page } from "#app/domain/page.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * An account of a deleted person that has a balance again (centavos), from money that arrived after
 * the deletion at `doneAt`. It is listed since the first of it.
 */
export type UnclaimedBalance = {
  /** Its place in the list. */ id: string;
  accountId: string;
  kind: LedgerAccountKind;
  creatorId: string;
  username: string | null;
  doneAt: Instant;
  since: Instant;
  cents: Cents;
};

/**
 * Lists the unclaimed balances of deleted accounts, oldest first, with the sum of all (centavos).
 * One round trip.
 *
 * An account is deleted without money (`hasOpenObligationsSql`). All of this arrived later, such as
 * a payout that its bank returned. Nobody can request it here, and nobody else may have it. Source:
 * docs/decisions/identity/delete-accounts-after-thirty-days.md.
 */
export async function unclaimedBalances(
  ctx: Context,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<Page<UnclaimedBalance> & { sumCents: Cents }> {
  const after = decodeCursor(cursor);
  const accounts = sql`account_deletions d JOIN ledger_accounts a ON a.id IN ('creator_available:' || d.person_id, 'creator_pending:' || d.person_id, 'creator_reserved:' || d.person_id) AND a.balance_cents <> 0 WHERE d.status = 'done'`;
  const [rows, [sum]] = await ctx.db.batch([
    ctx.db
      .select({
        id: sql<string>`place`.as("place"),
        accountId: sql<string>`id`,
        kind: sql<LedgerAccountKind>`kind`,
        creatorId: sql<string>`creator_id`,
        username: sql<
          string | null
        >`(SELECT p.username FROM profiles p WHERE p.person_id = creator_id)`.as("username"),
        doneAt: sql<Instant>`done_at`,
        since: sql<Instant>`since`,
        cents: sql<Cents>`cents`,
      })
      .from(
        sql`(SELECT d.person_id || '-' || SUBSTR(a.kind, 9) AS place, a.id, a.kind, d.person_id AS creator_id, d.done_at, a.balance_cents * a.normal_side AS cents,
          COALESCE((SELECT MIN(e.posted_at) FROM ledger_entries e WHERE e.account_id = a.id AND e.posted_at >= d.done_at), d.done_at) AS since FROM ${accounts})`,
      )
      .where(after ? sql`(since, place) > (${after.at}, ${after.id})` : sql`1`)
      .orderBy(sql`since, place`)
      .limit(limit + 1),
    ctx.db
      .select({ cents: sql<Cents>`COALESCE(SUM(cents), 0)`.as("sum_cents") })
      .from(sql`(SELECT a.balance_cents * a.normal_side AS cents FROM ${accounts})`),
  ]);
  return {
    ...pageOf(rows, limit, ({ since, id }) => ({ at: since, id })),
    sumCents: sum?.cents ?? 0,
  };
}
