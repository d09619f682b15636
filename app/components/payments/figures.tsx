import { ChevronDown } from "lucide-react";
import { EntriesTable } from "#app/components/ledger/entries-table.tsx";
import { Money } from "#app/components/ui/money.tsx";
import type {
  TransactionFigure,
  TransactionFigureName,
} from "#app/domain/billing/statements/rules/figures.ts";

const TEXTS: Record<TransactionFigureName, { label: string; takesAway: boolean }> = {
  paid: { label: "Você pagou", takesAway: false },
  returned: { label: "Voltou para você", takesAway: true },
  spent: { label: "Total pago", takesAway: false },
  recovered: { label: "Voltou pelo banco", takesAway: true },
  gross: { label: "Valor", takesAway: false },
  refunded: { label: "Devolvido", takesAway: true },
  disputed: { label: "Contestado", takesAway: true },
  fee: { label: "Taxa do Coreto", takesAway: true },
  net: { label: "Líquido", takesAway: false },
  released: { label: "Já liberado para saque", takesAway: false },
};

/**
 * Figures of a payment, each with a link to its entries. `isReturning`: part of its refund has not
 * arrived yet.
 */
export function PaymentFigures({
  figures,
  isReturning = false,
}: {
  figures: TransactionFigure[];
  isReturning?: boolean;
}) {
  return (
    <div className="divide-y divide-line">
      {figures.map((figure) => {
        const { label: word, takesAway } = TEXTS[figure.name];
        const label = isReturning && figure.name === "returned" ? "Voltando para você" : word;
        return (
          <details key={figure.name} className="group">
            <summary className="flex min-h-12 cursor-pointer list-none items-center gap-3 py-2 [&::-webkit-details-marker]:hidden">
              <ChevronDown
                aria-hidden="true"
                className="size-4.5 shrink-0 text-muted transition-transform group-open:rotate-180"
              />
              <span className="text-muted">{label}</span>
              <span className="sr-only">: ver lançamentos</span>
              <Money
                cents={takesAway ? -figure.cents : figure.cents}
                tone={figure.name === "net" ? "in" : "plain"}
                className="ml-auto font-semibold"
              />
            </summary>
            <div className="pb-4">
              <EntriesTable entries={figure.entries} caption={`Lançamentos de: ${label}`} />
            </div>
          </details>
        );
      })}
    </div>
  );
}
