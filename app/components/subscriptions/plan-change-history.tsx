import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { formatMoney } from "#app/domain/money.ts";
import { priceLabel } from "#app/domain/plans/rules/intervals.ts";
import type { PlanChangeLine } from "#app/domain/subscriptions/renewal-terms/queries/plan-changes.server.ts";
import { formatDay } from "#app/domain/time.ts";

type Shown = PlanChangeLine & { isInCoolingOff: boolean };
type HistoryProps = {
  subscriptionId: string;
  lines: Shown[];
  /** Start of the next period. */
  nextAt: number | null;
};

/** Plan changes of a subscription, the current one first, each with its actions. */
export function PlanChangeHistory({ subscriptionId, lines, nextAt }: HistoryProps) {
  if (lines.length === 0) return null;
  return (
    <Card as="section" label="Mudanças de plano" className="mt-4 flex flex-col gap-4 p-5 sm:p-6">
      <h2 className="text-heading">Mudanças de plano</h2>
      <ul className="flex flex-col divide-y divide-line">
        {lines.map((line) => (
          <li
            key={line.id}
            className="flex flex-wrap items-center justify-between gap-3 py-3 first:pt-0 last:pb-0"
          >
            <p className="min-w-0 flex-1 basis-60 wrap-anywhere">{textOf(line, nextAt)}</p>
            <Way {...line} subscriptionId={subscriptionId} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function textOf(
  {
    state,
    fromPlanName,
    toPlanName,
    toInterval,
    toAmountCents,
    dueCents,
    createdAt,
    settledAt,
  }: Shown,
  nextAt: number | null,
): string {
  const price = priceLabel({ amountCents: toAmountCents, interval: toInterval });
  const on = formatDay(settledAt ?? createdAt);
  switch (state) {
    case "open":
      return `${toPlanName}, por ${price}: a diferença de ${formatMoney(dueCents)} espera o pagamento.`;
    case "scheduled":
      return `${nextAt === null ? "No próximo período" : `A partir de ${formatDay(nextAt)}`}: plano ${toPlanName}, ${price}.`;
    case "paid":
      return `O próximo período já está pago: plano ${toPlanName}, ${price}.`;
    case "reversed":
      return `${on}: de ${fromPlanName} para ${toPlanName}. A diferença voltou, e a mudança foi desfeita.`;
    default:
      return `${on}: de ${fromPlanName} para ${toPlanName}, ${price}${dueCents > 0 ? `. Diferença de ${formatMoney(dueCents)}` : ""}.`;
  }
}

function Way({
  state,
  chargeId,
  happens,
  isInCoolingOff,
  subscriptionId,
}: Shown & { subscriptionId: string }) {
  if (state === "scheduled") {
    return (
      <ButtonLink
        to={`/settings/subscriptions/${subscriptionId}/plan/undo`}
        size="sm"
        variant="outline"
      >
        Desfazer
      </ButtonLink>
    );
  }
  if (chargeId === null) return null;
  if (state === "open") {
    return (
      <ButtonLink to={`/checkout/${chargeId}`} size="sm">
        Pagar a diferença
      </ButtonLink>
    );
  }
  if (happens === "now" && isInCoolingOff) {
    return (
      <ButtonLink to={`/settings/transactions/${chargeId}/regret`} size="sm" variant="outline">
        Desistir da mudança
      </ButtonLink>
    );
  }
  return (
    <ButtonLink to={`/settings/transactions/${chargeId}`} size="sm" variant="ghost">
      Ver o pagamento
    </ButtonLink>
  );
}
