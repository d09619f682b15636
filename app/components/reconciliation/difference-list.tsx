import { Link } from "react-router";
import { providerLabel } from "#app/components/ledger/provider-label.ts";
import {
  DIFFERENCE_KIND_LABELS,
  RECONCILED_OBJECT_LABELS,
  sideStatusLabel,
  differenceBadge,
} from "./difference-labels.ts";
import { Badge } from "#app/components/ui/badge.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import type {
  ComparedObject,
  DifferenceKind,
  DifferenceState,
  DifferenceSide,
} from "#app/domain/reconciliation/schema.ts";
import { formatMinute } from "#app/domain/time.ts";

export type ListedDifference = {
  id: string;
  provider: string;
  object: ComparedObject;
  kind: DifferenceKind;
  state: DifferenceState;
  isAsked: boolean;
  ours: DifferenceSide | null;
  theirs: DifferenceSide | null;
  isMoney: boolean;
  gapCents: number;
  firstSeenAt: number;
};

/** A mandate has no single amount when a coupon varies its debits. */
const isVarying = ({ object, ours, theirs }: ListedDifference): boolean =>
  object === "authorisation" && (ours ?? theirs)?.amountCents === 0;

/** Differences, newest first, each with a link to both sides and its actions. */
export function DifferenceList({ rows }: { rows: ListedDifference[] }) {
  return (
    <Card className="p-0">
      <ul className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.id}>
            <Link
              to={`/admin/reconciliation/${row.id}`}
              className="flex items-start justify-between gap-4 px-5 py-4 hover:bg-sand"
            >
              <span className="flex min-w-0 flex-col wrap-anywhere">
                <span className="font-semibold">
                  {RECONCILED_OBJECT_LABELS[row.object]}:{" "}
                  {DIFFERENCE_KIND_LABELS[row.kind].toLowerCase()}
                </span>
                <span className="text-small text-muted">
                  Aqui:{" "}
                  {row.ours
                    ? sideStatusLabel(row.object, row.ours.status).toLowerCase()
                    : "não existe"}{" "}
                  · No provedor ({providerLabel(row.provider)}):{" "}
                  {row.theirs
                    ? sideStatusLabel(row.object, row.theirs.status).toLowerCase()
                    : "não existe"}
                </span>
                <span className="text-small text-muted">
                  Vista em {formatMinute(row.firstSeenAt)}
                </span>
              </span>
              <span className="flex shrink-0 flex-col items-end gap-1 text-right">
                {isVarying(row) ? (
                  <span className="font-semibold">Valor variável</span>
                ) : (
                  <Money
                    cents={(row.ours ?? row.theirs)?.amountCents ?? 0}
                    className="font-semibold"
                  />
                )}
                <Badge tone={differenceBadge(row).tone}>{differenceBadge(row).label}</Badge>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
