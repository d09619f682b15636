import { sql } from "drizzle-orm";
import type { Invariant } from "./moved.server.ts";

/** Invariants of the platform's own money. */
export const platformInvariants: readonly Invariant[] = [
  {
    name: "platform_takes_own",
    title: "A plataforma só tirou o que era dela, pedido por uma pessoa e aprovado por outra",
    sql: () => sql`
      SELECT m.id, m.amount_cents, m.own_cents, w.asked_by, w.decided_by FROM provider_moves m LEFT JOIN platform_withdrawals w ON w.id = m.id
      WHERE m.to_provider = 'platform_cash' AND (m.own_cents IS NULL OR m.amount_cents > m.own_cents OR w.state IS NOT 'approved' OR w.decided_by IS NULL OR w.decided_by = w.asked_by OR w.amount_cents <> m.amount_cents OR w.provider <> m.from_provider)
      UNION ALL
      SELECT w.id, w.amount_cents, NULL, w.asked_by, w.decided_by FROM platform_withdrawals w WHERE (w.state <> 'asked' AND w.decided_by IS NULL) OR (w.state = 'approved' AND NOT EXISTS (SELECT 1 FROM provider_moves m WHERE m.id = w.id AND m.to_provider = 'platform_cash'))
      UNION ALL
      SELECT e.id, e.amount_cents, NULL, NULL, NULL FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id WHERE e.account_id = 'platform_cash' AND t.source_key NOT LIKE 'provider-move:%'`,
  },
];
