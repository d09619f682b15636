import type { ReactNode } from "react";
import { Link } from "react-router";
import { Card } from "#app/components/ui/card.tsx";
import { recurringKinds } from "#app/domain/analytics/recurring/rules.ts";
import type { RecurringMove } from "#app/domain/analytics/recurring/rules.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import { counted } from "#app/domain/text.ts";
import { RECURRING_LABELS, recurringMovesPath } from "./recurring-labels.ts";

const PERCENT = new Intl.NumberFormat("pt-BR", { style: "percent", maximumFractionDigits: 1 });

type Figures = {
  now: RecurringMove;
  renewing: RecurringMove;
  averageCents: Cents | null;
  churn: number | null;
  lifetimeCents: Cents | null;
  /** Where the subscriptions behind the figures are listed; null for who may not see them. */
  subscribersPath: string | null;
  /** Whether the viewer may see who left. */
  maySeeMoves: boolean;
};

/** The recurring revenue now, each figure with how it is calculated. */
export function RecurringFigures({
  now,
  renewing,
  averageCents: average,
  churn,
  lifetimeCents: lifetime,
  subscribersPath: to,
  maySeeMoves,
}: Figures) {
  const whoLeft = maySeeMoves ? recurringMovesPath("churn") : null;
  const amount = (cents: number | null) => (cents === null ? "sem dados" : formatMoney(cents));
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-5">
      <Figure name="Por mês (MRR)" value={formatMoney(now.monthlyCents)} to={to}>
        {counted(now.count, "assinatura paga", "assinaturas pagas")} em curso.
      </Figure>
      <Figure name="Garantida" value={formatMoney(renewing.monthlyCents)} to={to}>
        A parte que renova: sem quem já cancelou.
      </Figure>
      <Figure
        name="Por assinatura (ARPU)"
        value={amount(average)}
        to={average === null ? null : to}
      >
        Por mês, dividido pelas assinaturas.
      </Figure>
      <Figure
        name="Saídas em 30 dias"
        value={churn === null ? "sem dados" : PERCENT.format(churn)}
        to={churn === null ? null : whoLeft}
      >
        Das que corriam há 30 dias, quantas terminaram ou pausaram (churn).
      </Figure>
      <Figure
        name="Até sair (LTV)"
        value={amount(lifetime)}
        to={lifetime === null ? null : whoLeft}
      >
        O valor por assinatura, dividido pelas saídas em 30 dias.
      </Figure>
    </dl>
  );
}

function Figure({
  name,
  value,
  to = null,
  children,
}: {
  name: string;
  value: string;
  to?: string | null;
  children: ReactNode;
}) {
  return (
    <Card className="flex flex-col gap-1 p-4 max-lg:last:col-span-2">
      <dt className="text-small text-muted">{name}</dt>
      <dd className="font-display text-heading font-bold">
        {to === null ? (
          value
        ) : (
          <Link
            to={to}
            className="underline decoration-edge decoration-1 underline-offset-4 hover:decoration-leaf"
          >
            {value}
          </Link>
        )}
      </dd>
      <dd className="text-caption text-muted">{children}</dd>
    </Card>
  );
}

/** What counts, and what each column of the table means. */
export function RecurringMeanings() {
  return (
    <section aria-labelledby="como-contamos" className="flex flex-col gap-2 text-small">
      <h2 id="como-contamos" className="text-heading">
        Como contamos
      </h2>
      <p>
        Planos de outros períodos entram divididos pelos meses: um ano de R$&nbsp;120,00 vale
        R$&nbsp;10,00 por mês. Períodos grátis, cortesias e presentes não entram. Quem cancelou
        conta até o fim do período pago, e quem atrasou, enquanto tem acesso.
      </p>
      <ul className="flex list-disc flex-col gap-1 pl-5 text-muted">
        {recurringKinds.map((kind) => (
          <li key={kind}>
            {RECURRING_LABELS[kind].title}: {RECURRING_LABELS[kind].meaning}.
          </li>
        ))}
      </ul>
    </section>
  );
}
