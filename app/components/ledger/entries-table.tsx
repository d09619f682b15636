import { Table, Td } from "#app/components/ui/table.tsx";
import { ledgerAccountKinds } from "#app/domain/ledger/schema.ts";
import type { LedgerAccountKind } from "#app/domain/ledger/schema.ts";
import { formatMinute } from "#app/domain/time.ts";
import { ACCOUNT_COLUMNS, DebitCredit, debitAndCredit } from "./debit-credit.tsx";
import { transactionKindLabel } from "#app/domain/ledger/rules/ledger-words.ts";

type Entry = {
  accountKind: LedgerAccountKind;
  amountCents: number;
  transactionKind: string;
  sourceKey: string;
  postedAt: number | null;
};
type Happening = { kind: string; sourceKey: string; postedAt: number | null; entries: Entry[] };

/**
 * Ledger entries of a charge by transaction, with debits and credits in separate columns. The
 * entries of a transaction add up to zero.
 */
export function EntriesTable({
  entries,
  caption = "Lançamentos",
}: {
  entries: Entry[];
  caption?: string;
}) {
  return (
    <Table caption={caption} columns={ACCOUNT_COLUMNS}>
      {happeningsOf(entries).map((happening) => (
        <tbody key={happening.sourceKey}>
          <tr className="bg-sand">
            <th scope="rowgroup" colSpan={3} className="px-3 py-2 text-left font-semibold sm:px-4">
              {transactionKindLabel(happening.kind)}
              {happening.postedAt === null ? null : (
                <span className="font-normal text-muted">
                  {" "}
                  · {formatMinute(happening.postedAt)}
                </span>
              )}
            </th>
          </tr>
          {happening.entries.map((entry) => (
            <tr key={entry.accountKind}>
              <Td>{ledgerAccountKinds[entry.accountKind].title}</Td>
              <DebitCredit {...debitAndCredit(entry.amountCents)} />
            </tr>
          ))}
        </tbody>
      ))}
    </Table>
  );
}

/** Groups neighbouring entries of one transaction, which has at most one entry an account. */
function happeningsOf(entries: Entry[]): Happening[] {
  const happenings: Happening[] = [];
  for (const entry of entries) {
    const last = happenings.at(-1);
    if (last?.sourceKey === entry.sourceKey) last.entries.push(entry);
    else
      happenings.push({
        kind: entry.transactionKind,
        sourceKey: entry.sourceKey,
        postedAt: entry.postedAt,
        entries: [entry],
      });
  }
  return happenings;
}
