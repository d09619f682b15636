import { Link } from "react-router";
import { chargeStatusLabel, methodLabel } from "./charge-labels.ts";
import { Badge } from "#app/components/ui/badge.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import {
  remainingFeeAndNet,
  transactionStateOf,
} from "#app/domain/billing/statements/rules/statement.ts";
import type { CountedPayment } from "#app/domain/billing/statements/rules/statement.ts";
import type { StatementSide } from "#app/domain/billing/schema.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { formatMinute } from "#app/domain/time.ts";

type Row = CountedPayment & {
  id: string;
  at: number;
  description: string;
  method: PaymentMethod;
  recurringPixId: string | null;
  status: ChargeStatus;
  counterpartName: string;
};

/** Payments made or received, each linked to the entries behind it. */
export function TransactionList({ face, rows }: { face: StatementSide; rows: Row[] }) {
  return (
    <Card className="p-0">
      <ul className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.id}>
            <Link
              to={`/settings/transactions/${row.id}`}
              className="flex items-start justify-between gap-4 px-5 py-4 hover:bg-sand"
            >
              <span className="flex min-w-0 flex-col wrap-anywhere">
                <span className="font-semibold">
                  {face === "received"
                    ? `De ${row.counterpartName}`
                    : `Para ${row.counterpartName}`}
                </span>
                <span className="text-small text-muted">{row.description}</span>
                <span className="text-small text-muted">
                  {formatMinute(row.at)} · {methodLabel(row.method, row.recurringPixId)}
                </span>
              </span>
              <span className="flex shrink-0 flex-col items-end gap-1 text-right">
                <Amount face={face} row={row} />
                <Badge tone={chargeStatusLabel(row.status).tone}>
                  {chargeStatusLabel(row.status).label}
                </Badge>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The remaining amount large, and the original amount small after a refund. */
function Amount({ face, row }: { face: StatementSide; row: Row }) {
  const remainingCents = row.amountCents - row.refundedCents - row.disputedCents;
  if (face === "received") {
    const { netCents } = remainingFeeAndNet(row);
    return (
      <span className="flex flex-col items-end">
        {netCents > 0 ? (
          <span className="font-semibold text-leaf">
            + <Money cents={netCents} tone="in" />
          </span>
        ) : (
          <Money cents={netCents} className="font-semibold text-muted" />
        )}
        <span className="text-caption text-muted">
          de <Money cents={row.amountCents} />
        </span>
        {remainingCents === row.amountCents ? null : (
          <span className="text-caption text-muted">
            devolvido <Money cents={row.amountCents - remainingCents} />
          </span>
        )}
      </span>
    );
  }
  return (
    <span className="flex flex-col items-end">
      <Money
        cents={remainingCents}
        className={`font-semibold ${transactionStateOf(row.status) === "unpaid" || remainingCents === 0 ? "text-muted" : ""}`}
      />
      {remainingCents === row.amountCents ? null : (
        <span className="text-caption text-muted">
          de <Money cents={row.amountCents} />
        </span>
      )}
    </span>
  );
}
