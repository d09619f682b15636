import { Link } from "react-router";
import { chargeWords, methodWord } from "#app/components/payments/charge-words.ts";
import { Badge } from "#app/components/ui/badge.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import { formatMinute } from "#app/domain/time.ts";

type TransactionRow = {
  id: string;
  createdAt: number;
  description: string;
  amountCents: number;
  netCents: number;
  method: PaymentMethod;
  status: ChargeStatus;
  direction: "paid" | "received";
  counterpartName: string;
};

/** Payments made and received, each opening the entries behind it. */
export function TransactionList({ rows }: { rows: TransactionRow[] }) {
  return (
    <Card className="p-0">
      <ul className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.id}>
            <Link to={`/settings/transactions/${row.id}`} className="flex items-start justify-between gap-4 px-5 py-4 hover:bg-sand">
              <span className="flex min-w-0 flex-col wrap-anywhere">
                <span className="font-semibold">{row.direction === "received" ? `De ${row.counterpartName}` : `Para ${row.counterpartName}`}</span>
                <span className="text-small text-muted">{row.description}</span>
                <span className="text-small text-muted">
                  {formatMinute(row.createdAt)} · {methodWord(row.method)}
                </span>
              </span>
              <span className="flex shrink-0 flex-col items-end gap-1 text-right">
                <TransactionAmount row={row} />
                <Badge tone={chargeWords(row.status).tone}>{chargeWords(row.status).label}</Badge>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function TransactionAmount({ row }: { row: TransactionRow }) {
  if (row.direction === "paid") return <Money cents={row.amountCents} className="font-semibold" />;
  return (
    <span className="flex flex-col items-end">
      <span className="font-semibold text-leaf">
        + <Money cents={row.netCents} tone="in" />
      </span>
      <span className="text-caption text-muted">
        de <Money cents={row.amountCents} />
      </span>
    </span>
  );
}
