import { Money } from "#app/components/ui/money.tsx";
import { Table, Td, Th } from "#app/components/ui/table.tsx";
import { accountKinds } from "#app/domain/ledger/schema.ts";
import type { AccountKind } from "#app/domain/ledger/schema.ts";
import { formatMinute } from "#app/domain/time.ts";

const HAPPENINGS: Record<string, string> = {
  "charge.succeeded": "Pagamento confirmado",
  "charge.released": "Liberado para saque",
  "charge.refunded": "Devolvido",
  "dispute.opened": "Contestação aberta",
  "dispute.lost": "Contestação perdida",
  "dispute.won": "Contestação vencida",
};

type EntryRow = { accountKind: AccountKind; amountCents: number; transactionKind: string; postedAt: number | null };

/** The double entries of a charge, debits and credits in columns of their own; each happening adds up to zero. */
export function EntriesTable({ entries }: { entries: EntryRow[] }) {
  return (
    <Table caption="Lançamentos">
      <thead>
        <tr>
          <Th>O que aconteceu</Th>
          <Th>Conta</Th>
          <Th numeric>Débito</Th>
          <Th numeric>Crédito</Th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry, position) => (
          // Entries are append-only and always listed in the same order.
          <tr key={`${entry.transactionKind}-${entry.accountKind}-${position}`}>
            <Td>
              {HAPPENINGS[entry.transactionKind] ?? entry.transactionKind}
              <span className="block text-caption text-muted">{entry.postedAt === null ? "" : formatMinute(entry.postedAt)}</span>
            </Td>
            <Td>{accountKinds[entry.accountKind].title}</Td>
            <Td numeric>{entry.amountCents > 0 ? <Money cents={entry.amountCents} /> : ""}</Td>
            <Td numeric>{entry.amountCents < 0 ? <Money cents={-entry.amountCents} /> : ""}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
