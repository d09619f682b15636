import { sql } from "drizzle-orm";
import type { Invariant } from "#app/domain/ledger/queries/invariants.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";

/** What holds of the money that payouts leave from. It says nothing of right or wrong books, and holds nothing back: staff put money in. */
export const fundingInvariants: readonly Invariant[] = [
  {
    name: "payouts_funded",
    title: "Nenhum saque pedido há mais de um dia espera por saldo no provedor",
    sql: (ctx) => sql`SELECT id, provider, amount_cents, requested_at FROM payouts WHERE status IN ('requested', 'claimed') AND waits_for = 'balance' AND requested_at < ${ctx.now() - DAY_MS}`,
  },
  {
    name: "payouts_accepted",
    title: "Nenhum saque pedido há mais de uma hora espera porque o provedor recusa a nossa conta",
    sql: (ctx) => sql`SELECT id, provider, amount_cents, requested_at FROM payouts WHERE status IN ('requested', 'claimed') AND waits_for = 'provider' AND requested_at < ${ctx.now() - HOUR_MS}`,
  },
  {
    name: "keys_told",
    title: "Nenhum saque pedido há mais de um dia espera que o provedor diga de quem é a chave",
    sql: (ctx) => sql`SELECT id, provider, requested_at FROM payouts WHERE status = 'requested' AND waits_for = 'key_owner' AND requested_at < ${ctx.now() - DAY_MS}`,
  },
];
