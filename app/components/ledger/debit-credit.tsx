import { MoneyTd, Td } from "#app/components/ui/table.tsx";
import type { Column } from "#app/components/ui/table.tsx";

export const ACCOUNT_COLUMNS: readonly Column[] = [
  { title: "Conta" },
  { title: "Débito", numeric: true },
  { title: "Crédito", numeric: true },
];

type Sides = { debitCents: number; creditCents: number };

/** Splits a ledger amount into debit and credit; debits are positive. */
export const debitAndCredit = (amountCents: number): Sides => ({
  debitCents: Math.max(0, amountCents),
  creditCents: Math.max(0, -amountCents),
});

/** Debit and credit cells of an amount; the other side's cell is empty. */
export function DebitCredit({
  debitCents,
  creditCents,
  to = null,
  isTotal = false,
}: Sides & { to?: string | null; isTotal?: boolean }) {
  return [debitCents, creditCents].map((cents, side) =>
    cents > 0 ? <MoneyTd key={side} to={to} cents={cents} isTotal={isTotal} /> : <Td key={side} />,
  );
}
