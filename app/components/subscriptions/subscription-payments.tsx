import { Link } from "react-router";
import { chargeStatusLabel, methodLabel } from "#app/components/payments/charge-labels.ts";
import { statementUrl } from "#app/components/payments/transaction-filters.tsx";
import { TRANSACTION_KIND_LABELS } from "#app/components/payments/transaction-labels.ts";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import type { SubscriptionPayment } from "#app/domain/subscriptions/history/queries/payments.server.ts";
import { formatDay } from "#app/domain/time.ts";

type PaymentsProps = {
  subscriptionId: string;
  payments: SubscriptionPayment[];
  /** Text of an empty list. */
  none: string;
};

/** Payments of a subscription, newest first. Each links to its entries and its receipt. */
export function SubscriptionPayments({ subscriptionId, payments, none }: PaymentsProps) {
  return (
    <Card as="section" label="Pagamentos" className="mt-4 flex flex-col gap-4 p-5 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-heading">Pagamentos</h2>
        {payments.length > 0 ? (
          <ButtonLink
            to={statementUrl("paid", { subscription: subscriptionId })}
            size="sm"
            variant="ghost"
            className="-mr-4"
          >
            Ver todos
          </ButtonLink>
        ) : null}
      </div>
      {payments.length === 0 ? (
        <p className="text-muted">{none}</p>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {payments.map((payment) => (
            <Line key={payment.id} {...payment} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Line({
  id,
  kind,
  at,
  amountCents,
  refundedCents,
  method,
  recurringPixId,
  status,
  hasReceipt,
}: SubscriptionPayment) {
  const { label, tone } = chargeStatusLabel(status);
  const day = formatDay(at);
  const path = `/settings/transactions/${id}`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3 first:pt-0 last:pb-0">
      <Link
        to={path}
        className="flex min-h-11 min-w-0 flex-1 basis-48 flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-field hover:bg-sand"
      >
        <span className="flex min-w-0 flex-col">
          <span className="font-semibold whitespace-nowrap">{day}</span>
          <span className="text-small text-muted">
            {[
              ...(kind === "plan_change" ? [TRANSACTION_KIND_LABELS.plan_change] : []),
              methodLabel(method, recurringPixId),
            ].join(" · ")}
          </span>
        </span>
        <span className="ml-auto flex shrink-0 flex-col items-end gap-1 text-right">
          <Money cents={amountCents} className="font-semibold" />
          {refundedCents > 0 && refundedCents < amountCents ? (
            <span className="text-caption text-muted">
              voltaram <Money cents={refundedCents} />
            </span>
          ) : null}
          <Badge tone={tone}>{label}</Badge>
        </span>
      </Link>
      <span className={`w-20 justify-end ${hasReceipt ? "flex" : "hidden sm:flex"}`}>
        {hasReceipt ? (
          <ButtonLink
            to={`${path}/recibo`}
            size="sm"
            variant="outline"
            aria-label={`Recibo de ${day}`}
          >
            Recibo
          </ButtonLink>
        ) : null}
      </span>
    </li>
  );
}
