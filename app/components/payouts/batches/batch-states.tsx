import { MoneyLink } from "#app/components/ui/links/money-link.tsx";
import { RowLink, RowNote, Table, Td } from "#app/components/ui/table.tsx";
import { sortBatchParts } from "#app/domain/payouts/staff-review/rules.ts";
import type { BatchGroup, BatchFilter } from "#app/domain/payouts/staff-review/rules.ts";
import { batchGroupLabel } from "#app/components/payouts/reviews/staff-review-labels.ts";

/**
 * Number of payouts of a batch in each status; held ones by reason. An unclaimed payout has no
 * amount yet.
 */
export function BatchStates({
  day,
  parts,
  shown,
}: {
  day: string;
  parts: BatchGroup[];
  shown: BatchFilter | null;
}) {
  return (
    <Table
      caption="Saques do lote por situação"
      columns={[
        { title: "Situação" },
        { title: "Saques", numeric: true },
        { title: "Valor", numeric: true },
      ]}
    >
      <tbody>
        {sortBatchParts(parts).map(({ status, heldReason, count, cents, openCount }) => {
          const isShown =
            shown?.status === status &&
            (shown.heldReason === heldReason || shown.heldReason === null);
          const to = `/admin/payouts/batches/${day}?${new URLSearchParams({ state: status, ...(heldReason ? { why: heldReason } : {}) }).toString()}`;
          return (
            <tr key={`${status}-${heldReason}`} className={isShown ? "bg-sand" : ""}>
              <Td>
                <RowLink to={to} aria-current={isShown ? "true" : undefined}>
                  {batchGroupLabel({ status, heldReason })}
                </RowLink>
                {heldReason === "approval" && openCount > 0 ? (
                  <RowNote>Outra pessoa da moderação precisa aprovar cada um.</RowNote>
                ) : null}
                {(status === "failed" || status === "returned") && openCount > 0 ? (
                  <RowNote>
                    {openCount === count
                      ? "Ninguém pediu de novo"
                      : `${openCount} ainda sem novo pedido`}
                  </RowNote>
                ) : null}
              </Td>
              <Td numeric>{count}</Td>
              <Td numeric>
                {cents === 0 ? (
                  <span className="text-muted">–</span>
                ) : (
                  <MoneyLink to={to} cents={cents} />
                )}
              </Td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
