import { Form } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { MoneyLink } from "#app/components/ui/links/money-link.tsx";
import type { HeldReason, PayoutStatus, PayoutWaitReason } from "#app/domain/payouts/schema.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import { PayoutBadge } from "./payout-status.tsx";
import {
  payoutCanceledText,
  payoutFailedText,
  heldTextForCreator,
  waitTextForCreator,
} from "./payout-labels.ts";

type PayoutView = {
  id: string;
  status: PayoutStatus;
  label: string;
  amountCents: number;
  to: string;
  isToAccount: boolean;
  requestedAt: number;
  arrivesAt: number | null;
  settledAt: number | null;
  failureCode: string | null;
  heldReason: HeldReason | null;
  heldUntil: number | null;
  waitsFor: PayoutWaitReason | null;
  waitsUntil: number | null;
  requestedByName: string | null;
};

const RETURNED = "O banco devolveu. O valor voltou para o disponível.";

function statusText(
  { status, failureCode, heldReason, heldUntil, ...payout }: PayoutView,
  holdReason: string | null,
): string | undefined {
  if (payout.waitsFor !== null) return waitTextForCreator({ ...payout, waitsFor: payout.waitsFor });
  if (payout.arrivesAt !== null)
    return `A caminho da conta: chega em ${formatDay(payout.arrivesAt)}.`;
  if (payout.isToAccount && status === "sent")
    return "Enviado para a conta: falta o banco confirmar.";
  if (status === "held")
    return heldTextForCreator({ reason: heldReason, until: heldUntil, holdReason: holdReason });
  if (status === "failed") return payoutFailedText(failureCode);
  if (status === "returned") return RETURNED;
  return status === "canceled" ? payoutCanceledText(failureCode) : undefined;
}

type PayoutListProps = {
  payouts: PayoutView[];
  /** A moderator's message to the creator of a held payout. */
  holdReason: string | null;
  mayCancel: boolean;
};

/** Payouts with their progress, newest first. A payout that was not sent yet may be canceled. */
export function PayoutList({ payouts, holdReason, mayCancel }: PayoutListProps) {
  return (
    <Card className="p-0">
      <ul className="divide-y divide-line">
        {payouts.map((payout) => (
          <li key={payout.id} className="flex items-start justify-between gap-4 px-5 py-4">
            <div className="min-w-0 wrap-anywhere">
              <p className="font-semibold">
                {payout.amountCents > 0 ? (
                  <MoneyLink
                    to={`/settings/transfers/entries?account=in_transit&payout=${payout.id}`}
                    cents={payout.amountCents}
                  />
                ) : (
                  "Tudo o que estiver disponível"
                )}
              </p>
              <p className="text-small text-muted">
                Pedido em {formatMinute(payout.requestedAt)}
                {payout.requestedByName === null ? "" : ` por ${payout.requestedByName}`} ·{" "}
                {payout.to}
              </p>
              {statusText(payout, holdReason) ? (
                <p className="text-small text-muted">{statusText(payout, holdReason)}</p>
              ) : null}
              {mayCancel && (payout.status === "requested" || payout.status === "held") ? (
                <Form method="post" action="/settings/transfers" className="mt-2">
                  <ActingField />
                  <input type="hidden" name="cancel" value={payout.id} />
                  <Button variant="outline" size="sm">
                    Cancelar pedido
                  </Button>
                </Form>
              ) : null}
            </div>
            <div className="flex shrink-0 flex-col items-end gap-1">
              <PayoutBadge status={payout.status} label={payout.label} />
              {payout.settledAt ? (
                <span className="text-caption text-muted">{formatDay(payout.settledAt)}</span>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
