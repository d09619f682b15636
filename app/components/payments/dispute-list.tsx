import { Link } from "react-router";
import { disputeKindLabel, disputeStateLabel } from "./dispute-labels.ts";
import { Badge } from "#app/components/ui/badge.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import type { DisputeState } from "#app/domain/disputes/schema.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";

export type DisputeListItem = {
  id: string;
  to: string;
  kind: "card" | "med";
  state: DisputeState;
  amountCents: number;
  /** Amount of the payment; the dispute may cover a part of it. */
  paidCents: number;
  description: string;
  payerName: string;
  createdAt: number;
  respondBy: number | null;
  isAnswered: boolean;
};

/** Disputes, each with a link to its details. One that awaits an answer shows its deadline. */
export function DisputeList({ rows }: { rows: DisputeListItem[] }) {
  return (
    <Card className="p-0">
      <ul className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.id}>
            <Link
              to={row.to}
              className="flex items-start justify-between gap-4 px-5 py-4 hover:bg-sand"
            >
              <span className="flex min-w-0 flex-col wrap-anywhere">
                <span className="font-semibold">{disputeKindLabel(row.kind)}</span>
                <span className="text-small text-muted">
                  {row.description}, de {row.payerName}
                </span>
                <span className="text-small text-muted">Aberta em {formatDay(row.createdAt)}</span>
                {row.state === "needs_response" && row.respondBy !== null ? (
                  <span className={`text-small ${row.isAnswered ? "text-muted" : "font-semibold"}`}>
                    {row.isAnswered ? "Já respondida, com prazo até" : "Responder até"}{" "}
                    {formatMinute(row.respondBy)}
                  </span>
                ) : null}
              </span>
              <span className="flex shrink-0 flex-col items-end gap-1 text-right">
                <Money cents={row.amountCents} className="font-semibold" />
                {row.amountCents < row.paidCents ? (
                  <span className="text-caption text-muted">
                    de <Money cents={row.paidCents} />
                  </span>
                ) : null}
                <Badge tone={disputeStateLabel(row.state).tone}>
                  {disputeStateLabel(row.state).label}
                </Badge>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
