import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import type { StatementTotals } from "#app/domain/billing/statements/rules/statement.ts";
import type { StatementSide } from "#app/domain/billing/schema.ts";

/**
 * Totals of all payments that match the filters, not only of this page. Of refunds, what was
 * returned comes first.
 */
export function TransactionTotals({
  face,
  totals,
  ofRefunds = false,
}: {
  face: StatementSide;
  totals: StatementTotals;
  ofRefunds?: boolean;
}) {
  const { count, amountCents, refundedCents, disputedCents, feeCents, netCents } = totals;
  const headline = ofRefunds
    ? { label: "Devolvido e contestado", cents: refundedCents + disputedCents }
    : face === "paid"
      ? { label: "Total pago", cents: amountCents - refundedCents - disputedCents }
      : { label: "No fim, você recebe", cents: netCents };
  const figures = [
    ...(ofRefunds ? [{ label: "Líquido que ficou", cents: netCents }] : []),
    { label: face === "paid" ? "Pago" : "Vendido", cents: amountCents },
    ...(refundedCents > 0 ? [{ label: "Devolvido", cents: -refundedCents }] : []),
    ...(disputedCents > 0 ? [{ label: "Contestado", cents: -disputedCents }] : []),
    ...(face === "received" ? [{ label: "Taxa do Coreto", cents: -feeCents }] : []),
  ];
  return (
    <Card
      as="section"
      label="Totais"
      className="flex flex-wrap items-end gap-x-8 gap-y-4 p-5 sm:p-6"
    >
      <div className="flex flex-col">
        <span className="text-small text-muted">{headline.label}</span>
        <Money
          cents={headline.cents}
          size="large"
          isTotal
          tone={face === "paid" || ofRefunds ? "plain" : "in"}
        />
      </div>
      <dl className="flex flex-wrap gap-x-6 gap-y-2 text-small">
        {figures.map((figure) => (
          <div key={figure.label} className="flex flex-col">
            <dt className="text-muted">{figure.label}</dt>
            <dd className="font-semibold">
              <Money cents={figure.cents} isTotal />
            </dd>
          </div>
        ))}
        <div className="flex flex-col">
          <dt className="text-muted">Pagamentos</dt>
          <dd className="font-semibold tabular-nums">{count.toLocaleString("pt-BR")}</dd>
        </div>
      </dl>
    </Card>
  );
}
