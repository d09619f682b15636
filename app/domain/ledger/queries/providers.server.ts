import { and, desc, eq, ne, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { PLATFORM } from "#app/domain/ledger/rules/platform-money.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { Moved } from "./moved.server.ts";
import { ledgerAccounts, providerMoves } from "#drizzle/schema/ledger.ts";
import { costInvariants } from "./costs.server.ts";
import { debtInvariants } from "./debts.server.ts";
import { platformInvariants } from "./platform-money.server.ts";

/** The account of one side of a move: a provider's, or the platform's cash. */
const accountOf = (side: SQL) => sql`CASE WHEN ${side} = ${PLATFORM} THEN ${PLATFORM} ELSE 'provider_clearing:' || ${side} END`;

/** What holds of several providers beside each other: rows that break it, as in `invariants`. */
export const providerInvariants: readonly { name: string; title: string; sql: (ctx: Context, moved: Moved) => SQL }[] = [
  {
    name: "providers_apart",
    title: "O que um provedor recebeu só passa pela conta dele",
    // The plus: by its transaction, and never by an index of an account that has an entry of every sale.
    sql: (_, moved) => sql`
      SELECT c.id, e.account_id FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.transaction_id JOIN charges c ON c.id = t.charge_id
      WHERE ${moved.transaction(sql`e.transaction_id`)} AND +e.account_id >= 'provider_clearing:' AND +e.account_id < 'provider_clearing;' AND +e.account_id <> 'provider_clearing:' || c.provider
        AND t.kind NOT IN ('refund.transferred', 'refund.transfer_returned') AND t.source_key NOT LIKE 'cost:transfer:%'
      UNION ALL
      SELECT c.id, d.provider FROM disputes d JOIN charges c ON c.id = d.charge_id WHERE d.provider <> c.provider`,
  },
  {
    name: "provider_moves_posted",
    title: "Cada movimentação entre provedores, ou com a plataforma, está no livro, uma vez e pelo seu valor",
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
  ...platformInvariants,
  ...costInvariants,
  ...debtInvariants,
];

/** Everybody who takes payments, or answers for what they took. */
export const providerNames = ({ payments }: Context): string[] => ("providers" in payments ? payments.providers : [payments]).map(({ name }) => name);

const MOVES_SHOWN = 50;

export type ProviderMoveRow = typeof providerMoves.$inferSelect;

export async function providerMove(ctx: Context, { id }: { id: string }): Promise<ProviderMoveRow | null> {
  const [row] = await ctx.db.select().from(providerMoves).where(eq(providerMoves.id, id)).limit(1);
  return row ?? null;
}

/** What the books have at each provider (centavos), configured or not, and the latest moves from one to another. */
export async function providerStanding(ctx: Context): Promise<{ providers: { name: string; cents: Cents }[]; moves: ProviderMoveRow[] }> {
  const [accounts, moves] = await ctx.db.batch([
    ctx.db.select({ name: sql<string>`${ledgerAccounts.ownerId}`.as("owner"), cents: ledgerAccounts.balanceCents }).from(ledgerAccounts).where(eq(ledgerAccounts.kind, "provider_clearing")),
    ctx.db.select().from(providerMoves).where(and(ne(providerMoves.fromProvider, PLATFORM), ne(providerMoves.toProvider, PLATFORM))).orderBy(desc(providerMoves.createdAt)).limit(MOVES_SHOWN),
  ]);
  const names = new Set([...providerNames(ctx), ...accounts.map(({ name }) => name)]);
  return { providers: [...names].toSorted().map((name) => ({ name, cents: accounts.find((account) => account.name === name)?.cents ?? 0 })), moves };
}
