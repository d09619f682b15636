import { NextPrice } from "./next-price.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { formatMoney } from "#app/domain/money.ts";
import { priceLabel } from "#app/domain/plans/rules/intervals.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import type { PlanChangeQuote } from "#app/domain/subscriptions/plan-changes/rules/plan-changes.ts";
import { formatDay } from "#app/domain/time.ts";

export type PlanChangeDetails = {
  fromPlanName: string;
  toPlanName: string;
  toInterval: Interval;
  toAmountCents: number;
  quote: PlanChangeQuote;
  /** What happens to the subscription's coupon; null without one. */
  coupon: { code: string; stays: boolean } | null;
};

/** Cost of a plan change line by line, exact to the centavo, and its start. */
export function PlanChangeLines({
  fromPlanName,
  toPlanName,
  toInterval,
  toAmountCents,
  quote,
  coupon,
}: PlanChangeDetails) {
  const next = (
    <>
      {formatDay(quote.nextChargeAt)}:{" "}
      <NextPrice amountCents={quote.nextCents} priceCents={toAmountCents} interval={toInterval} />
    </>
  );
  if (quote.happens === "next_period") {
    return (
      <dl className="flex flex-col gap-3">
        <Line
          label={`${fromPlanName}, que você já pagou`}
          value={`até ${formatDay(quote.beginsAt)}`}
        />
        <Line
          label={`${toPlanName}, por ${priceLabel({ amountCents: toAmountCents, interval: toInterval })}`}
          value={`a partir de ${formatDay(quote.beginsAt)}`}
        />
        <Line label="Agora" value={<Money cents={0} />} isTotal />
        <Line label="Próxima cobrança" value={next} />
      </dl>
    );
  }
  const { days, covers, keepsPeriod } = quote;
  return (
    <>
      <dl className="flex flex-col gap-3">
        <Line
          label={
            keepsPeriod
              ? `${toPlanName} até ${formatDay(covers.endsAt)} (${days.left} de ${days.total} dias)`
              : `${toPlanName}, de hoje até ${formatDay(covers.endsAt)}`
          }
          value={<Money cents={quote.costCents} />}
        />
        <Line
          label={`${fromPlanName}: pago e não usado (${days.left} de ${days.total} dias)`}
          value={<Money cents={-quote.creditCents} />}
        />
        <Line label="Diferença, agora" value={<Money cents={quote.dueCents} />} isTotal />
        <Line label="Próxima cobrança" value={next} />
      </dl>
      <p className="text-small text-muted">
        Contamos os dias que ainda não começaram, pelo horário de Brasília
        {keepsPeriod ? ": o de hoje já é seu no plano novo, sem custo" : ""}. Cada linha é
        arredondada para o centavo mais próximo.
        {coupon?.stays ? ` O cupom ${coupon.code} já está na conta.` : ""}
      </p>
    </>
  );
}

function Line({
  label,
  value,
  isTotal = false,
}: {
  label: string;
  value: React.ReactNode;
  isTotal?: boolean;
}) {
  return (
    <div
      className={`flex flex-wrap justify-between gap-x-4 gap-y-1 ${isTotal ? "border-t border-line pt-3 font-bold" : ""}`}
    >
      <dt className="min-w-0 wrap-anywhere">{label}</dt>
      <dd className="ml-auto text-right">{value}</dd>
    </div>
  );
}

/** Cost of a plan change, or why it happens later, in one line of a list. */
export function planChangeSummary({ quote }: { quote: PlanChangeQuote }): string {
  if (quote.happens === "now") return `${formatMoney(quote.dueCents)} agora; o plano muda na hora`;
  const when = `a partir de ${formatDay(quote.beginsAt)}, sem cobrança agora`;
  return {
    weighs_less: when,
    little: `${when}: falta pouco para o próximo período`,
    paid_ahead: `${when}: o próximo período já está pago`,
  }[quote.because];
}
