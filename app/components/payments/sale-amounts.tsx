import { Money } from "#app/components/ui/money.tsx";
import { MoneyTd, RowLink, RowNote, Table, Td } from "#app/components/ui/table.tsx";

type SaleAmount = {
  id: string;
  chargeId: string;
  description: string;
  note: string | null;
  cents: number;
};

/** One amount of each of several payments, with a total; each links to its payment. */
export function SaleAmounts({
  caption,
  columns: [sale, amount],
  sumCents,
  rows,
}: {
  caption: string;
  columns: [sale: string, amount: string];
  sumCents: number;
  rows: SaleAmount[];
}) {
  return (
    <>
      <Money cents={sumCents} size="large" isTotal />
      <Table caption={caption} columns={[{ title: sale }, { title: amount, numeric: true }]}>
        <tbody>
          {rows.map(({ id, chargeId, description, note, cents }) => (
            <tr key={id} id={`lancamento-${id}`}>
              <Td className="wrap-anywhere">
                <RowLink to={`/settings/transactions/${chargeId}`}>{description}</RowLink>
                {note === null ? null : <RowNote>{note}</RowNote>}
              </Td>
              <MoneyTd cents={cents} />
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}
