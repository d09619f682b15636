import { sql } from "drizzle-orm";

/** What is reserved is of disputes that are open, so that whose it is can be told of each centavo why it waits. */
export const reserveInvariants = [
  {
    name: "reserved_by_dispute",
    title: "O que cada criação tem bloqueado é a soma das contestações em aberto",
    sql: () => sql`
      SELECT creator_id AS id, SUM(cents) AS differs_cents FROM (
        SELECT creator_id, amount_cents - fee_share_cents AS cents FROM disputes WHERE status = 'open'
        UNION ALL SELECT owner_id, balance_cents FROM ledger_accounts WHERE kind = 'creator_reserved')
      GROUP BY creator_id HAVING SUM(cents) <> 0`,
  },
];
