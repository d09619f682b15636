import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";
import { providerNames } from "#app/domain/ledger/platform-money/queries/providers.server.ts";
import { PLATFORM_CASH_NAME } from "#app/domain/ledger/platform-money/rules/platform-money.ts";
import { DAY_MS } from "#app/domain/time.ts";

/** SQL of the account of one side of a provider transfer: a provider's, or the platform's cash. */
const accountOf = (side: SQL) =>
  sql`CASE WHEN ${side} = ${PLATFORM_CASH_NAME} THEN ${PLATFORM_CASH_NAME} ELSE 'provider_clearing:' || ${side} END`;

/** Invariants across several providers. */
export const providerInvariants: readonly Invariant[] = [
  {
    name: "providers_apart",
    title: "O que um provedor recebeu só passa pela conta dele",
    // The plus makes SQLite search by the transaction, and not by the index of an account with an
    // entry of every sale.
    sql: (_, moved) => sql`
      SELECT c.id, e.account_id FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id JOIN charges c ON c.id = t.charge_id
      WHERE ${moved.transaction(sql`e.transaction_id`)} AND +e.account_id >= 'provider_clearing:' AND +e.account_id < 'provider_clearing;' AND +e.account_id <> 'provider_clearing:' || c.provider
        AND t.kind NOT IN ('refund.transferred', 'refund.transfer_returned') AND t.source_key NOT LIKE 'cost:transfer:%'
      UNION ALL
      SELECT c.id, d.provider FROM disputes d JOIN charges c ON c.id = d.charge_id WHERE d.provider <> c.provider`,
  },
  {
    name: "provider_moves_posted",
    title:
      "Cada movimentação entre provedores, ou com a plataforma, está no livro, uma vez e pelo seu valor",
    sql: () => sql`
      SELECT COALESCE(m.id, t.id) AS id, m.amount_cents, o.amount_cents AS left_cents, i.amount_cents AS came_cents
      FROM provider_moves m FULL JOIN (SELECT * FROM ledger_transactions WHERE source_key >= 'provider-move:' AND source_key < 'provider-move;') t ON t.source_key = 'provider-move:' || m.id
      LEFT JOIN ledger_entries o ON o.transaction_id = t.id AND +o.account_id = ${accountOf(sql`m.from_provider`)}
      LEFT JOIN ledger_entries i ON i.transaction_id = t.id AND +i.account_id = ${accountOf(sql`m.to_provider`)}
      WHERE m.id IS NULL OR o.amount_cents IS NOT -m.amount_cents OR i.amount_cents IS NOT m.amount_cents`,
  },
  {
    name: "providers_configured",
    title: "Nada espera por um provedor de pagamento que não está configurado",
    sql: (ctx) => {
      const isNobody = sql`NOT IN (SELECT value FROM json_each(${JSON.stringify(providerNames(ctx))}))`;
      return sql`
      SELECT c.id, c.provider FROM charges c WHERE c.status IN ('created', 'awaiting_payment', 'requires_action', 'processing') AND c.provider ${isNobody} AND c.asked_at < ${ctx.now() - DAY_MS}
      UNION ALL
      SELECT r.id, c.provider FROM refunds r JOIN charges c ON c.id = r.charge_id WHERE r.status = 'requested' AND c.provider ${isNobody} AND r.created_at < ${ctx.now() - DAY_MS}
      UNION ALL
      SELECT x.id, x.provider FROM refund_transfers x WHERE x.status IN ('claimed', 'sent') AND x.provider ${isNobody} AND x.key_given_at < ${ctx.now() - DAY_MS}
      UNION ALL
      SELECT p.id, p.provider FROM payouts p WHERE p.status IN ('requested', 'claimed', 'sent') AND p.provider ${isNobody} AND p.requested_at < ${ctx.now() - DAY_MS}`;
    },
  },
];
