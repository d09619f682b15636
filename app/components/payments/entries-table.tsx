import { happeningWord } from "#app/components/payments/ledger-words.ts";
import { Money } from "#app/components/ui/money.tsx";
import { Table, Td, Th } from "#app/components/ui/table.tsx";
import { accountKinds } from "#app/domain/ledger/schema.ts";
import type { AccountKind } from "#app/domain/ledger/schema.ts";
import { formatMinute } from "#app/domain/time.ts";

type Entry = { accountKind: AccountKind; amountCents: number; transactionKind: string; sourceKey: string; postedAt: number | null };
type Happening = { kind: string; sourceKey: string; postedAt: number | null; entries: Entry[] };

/** The double entries of a charge under what caused them, debits and credits in columns of their own; all of a happening add up to zero. */
export function EntriesTable({ entries, caption = "Lançamentos" }: { entries: Entry[]; caption?: string }) {
  return (
    <Table caption={caption}>
      <thead>
        <tr>
          <Th>Conta</Th>
          <Th numeric>Débito</Th>
          <Th numeric>Crédito</Th>
        </tr>
      </thead>
      {happeningsOf(entries).map((happening) => (
        <tbody key={happening.sourceKey}>
          <tr className="bg-sand">
            <th scope="rowgroup" colSpan={3} className="px-4 py-2 text-left font-semibold">
              {happeningWord(happening.kind)}
              {happening.postedAt === null ? null : <span className="font-normal text-muted"> · {formatMinute(happening.postedAt)}</span>}
            </th>
          </tr>
          {happening.entries.map((entry) => (
            <tr key={entry.accountKind}>
              <Td>{accountKinds[entry.accountKind].title}</Td>
              <Td numeric>{entry.amountCents > 0 ? <Money cents={entry.amountCents} /> : ""}</Td>
              <Td numeric>{entry.amountCents < 0 ? <Money cents={-entry.amountCents} /> : ""}</Td>
            </tr>
          ))}
        </tbody>
      ))}
    </Table>
  );
}

/** Neighbouring entries of one posting, together; a posting has at most one entry an account. */
function happeningsOf(entries: Entry[]): Happening[] {
  const happenings: Happening[] = [];
  for (const entry of entries) {
    const last = happenings.at(-1);
    if (last?.sourceKey === entry.sourceKey) last.entries.push(entry);
    else happenings.push({ kind: entry.transactionKind, sourceKey: entry.sourceKey, postedAt: entry.postedAt, entries: [entry] });
  }
  return happenings;
}
