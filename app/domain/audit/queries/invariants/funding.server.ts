import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";

/**
 * Invariants of what payouts wait for: money at the provider, and people. They say nothing about
 * the books and hold nothing back. Staff deposit money or approve.
 */
export const fundingInvariants: readonly Invariant[] = [
  {
    name: "payouts_funded",
    title: "Nenhum saque pedido há mais de um dia espera por saldo no provedor",
    sql: (ctx) =>
      sql`SELECT id, provider, amount_cents, requested_at FROM payouts WHERE status IN ('requested', 'claimed') AND waits_for = 'balance' AND requested_at < ${ctx.now() - DAY_MS}`,
  },
  {
    name: "payouts_accepted",
    title: "Nenhum saque pedido há mais de uma hora espera porque o provedor recusa a nossa conta",
    sql: (ctx) =>
      sql`SELECT id, provider, amount_cents, requested_at FROM payouts WHERE status IN ('requested', 'claimed') AND waits_for = 'provider' AND requested_at < ${ctx.now() - HOUR_MS}`,
  },
  {
    name: "keys_told",
    title: "Nenhum saque pedido há mais de um dia espera que o provedor diga de quem é a chave",
    sql: (ctx) =>
      sql`SELECT id, provider, requested_at FROM payouts WHERE status = 'requested' AND waits_for = 'key_owner' AND requested_at < ${ctx.now() - DAY_MS}`,
  },
  {
    // A payout may have been held for another reason before. If its creator was notified within a
    // day, it has not waited for a day.
    name: "payouts_approved",
    title: "Nenhum saque espera aprovação há mais de um dia",
    sql: (ctx) => sql`
      SELECT id, requested_at FROM payouts WHERE status = 'held' AND held_reason = 'approval' AND approved_cents IS NULL AND requested_at < ${ctx.now() - DAY_MS}
        AND NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.id > 'payout:' || payouts.id || ':held:' AND outbox.id < 'payout:' || payouts.id || ':held;' AND outbox.created_at > ${ctx.realNow() - DAY_MS})`,
  },
];
