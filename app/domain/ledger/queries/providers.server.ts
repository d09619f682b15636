import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { DAY_MS } from "#app/domain/time.ts";

/** What holds of several providers beside each other: rows that break it, as in `invariants`. */
export const providerInvariants: readonly { name: string; title: string; sql: (ctx: Context) => SQL }[] = [
  {
    name: "providers_apart",
    title: "O que um provedor recebeu só passa pela conta dele",
    sql: () => sql`
      SELECT c.id, e.account_id FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id JOIN charges c ON c.id = t.charge_id
      WHERE e.account_id >= 'provider_clearing:' AND e.account_id < 'provider_clearing;' AND e.account_id <> 'provider_clearing:' || c.provider
      UNION ALL
      SELECT c.id, d.provider FROM disputes d JOIN charges c ON c.id = d.charge_id WHERE d.provider <> c.provider`,
  },
  {
    name: "providers_configured",
    title: "Nada espera por um provedor de pagamento que não está configurado",
    sql: (ctx) => {
      const isNobody = sql`NOT IN (SELECT value FROM json_each(${JSON.stringify(namesOf(ctx))}))`;
      return sql`
      SELECT c.id, c.provider FROM charges c WHERE c.status IN ('created', 'awaiting_payment', 'requires_action', 'processing') AND c.provider ${isNobody} AND c.asked_at < ${ctx.now() - DAY_MS}
      UNION ALL
      SELECT r.id, c.provider FROM refunds r JOIN charges c ON c.id = r.charge_id WHERE r.status = 'requested' AND c.provider ${isNobody} AND r.created_at < ${ctx.now() - DAY_MS}
      UNION ALL
      SELECT p.id, p.provider FROM payouts p WHERE p.status IN ('requested', 'claimed', 'sent') AND p.provider ${isNobody} AND p.requested_at < ${ctx.now() - DAY_MS}`;
    },
  },
];

const namesOf = ({ payments }: Context): string[] => ("providers" in payments ? payments.providers : [payments]).map(({ name }) => name);
