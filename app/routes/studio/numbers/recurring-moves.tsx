import { Link } from "react-router";
import {
  RECURRING_LABELS,
  recurringMovesFilePath,
} from "#app/components/analytics/recurring-labels.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { MoneyTd, RowNote, Table, Td } from "#app/components/ui/table.tsx";
import { subscriptionMoves } from "#app/domain/analytics/moves/queries.server.ts";
import type { SubscriptionMove } from "#app/domain/analytics/moves/queries.server.ts";
import { CHURN_DAYS } from "#app/domain/analytics/recurring/rules.ts";
import { monthLabel } from "#app/domain/ledger/months/rules/months.ts";
import { counted, nounFor } from "#app/domain/text.ts";
import { formatDay, formatMinute, startOfDay } from "#app/domain/time.ts";
import { askedMoves } from "./recurring-moves.server.ts";
import type { Route } from "./+types/recurring-moves.ts";

const PAGE_ROWS = 30;

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData ? RECURRING_LABELS[loaderData.kind].title : "Mudanças"} · Coreto` },
];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { ctx, month, ...moves } = askedMoves({ request, context, params });
  const cursor = new URL(request.url).searchParams.get("cursor");
  const { page, ...sums } = await subscriptionMoves(ctx, { ...moves, cursor, limit: PAGE_ROWS });
  return { ...page, ...sums, kind: moves.kind, month, isLaterPage: cursor !== null };
}

export default function RecurringMoves({ loaderData: shown }: Route.ComponentProps) {
  const { kind, month, items, next, total, listedSince, isLaterPage } = shown;
  const { title, meaning } = RECURRING_LABELS[kind];
  const when = month === null ? `nos últimos ${CHURN_DAYS} dias` : `em ${monthLabel(month)}`;
  return (
    <div className="max-w-[1036px]">
      <PageHeader
        title={`${title} ${when}`}
        lead={`${meaning[0]?.toUpperCase()}${meaning.slice(1)}.`}
      >
        <ButtonLink to="/analytics/recurring" variant="outline" size="sm">
          Receita recorrente
        </ButtonLink>
        {items.length > 0 ? (
          <ButtonLink
            to={recurringMovesFilePath(kind, month ?? undefined)}
            reloadDocument
            variant="outline"
            size="sm"
          >
            Baixar planilha
          </ButtonLink>
        ) : null}
      </PageHeader>
      <div className="flex flex-col gap-4">
        {total.count > 0 ? (
          <p>
            {counted(total.count, "mudança", "mudanças")}, que{" "}
            {nounFor(total.count, "soma", "somam")} <Money cents={total.monthlyCents} /> por mês.
          </p>
        ) : null}
        {items.length > 0 ? (
          <Moves items={items} caption={`${title} ${when}`} />
        ) : (
          <EmptyState
            title={isLaterPage ? "Não há mais mudanças" : "Nenhuma mudança nestes dias"}
            action={<ButtonLink to="/analytics/recurring">Ver todos os meses</ButtonLink>}
          >
            Cada assinatura que começa, muda de valor ou termina aparece na lista do seu mês.
          </EmptyState>
        )}
        {listedSince === null ? null : (
          <p className="text-small text-muted">
            A soma inclui mudanças de antes de {formatDay(startOfDay(listedSince))}, que não têm
            linha aqui.
          </p>
        )}
      </div>
      <MoreLink next={next} />
    </div>
  );
}

function Moves({ items, caption }: { items: SubscriptionMove[]; caption: string }) {
  return (
    <Table
      caption={caption}
      columns={[
        { title: "Quem" },
        { title: "Plano de agora" },
        { title: "Quando", wide: true },
        { title: "Por mês", numeric: true },
      ]}
    >
      <tbody>
        {items.map(({ id, fan, planName, movedAt, monthlyCents }) => (
          <tr key={id}>
            <Td className="wrap-anywhere">
              {fan === null ? (
                "Conta apagada"
              ) : (
                <Link to={`/space/${fan.username}`} className="font-semibold hover:underline">
                  {fan.name}
                </Link>
              )}
            </Td>
            <Td className="wrap-anywhere">
              {planName}
              <RowNote phoneOnly>{formatMinute(movedAt)}</RowNote>
            </Td>
            <Td wide>{formatMinute(movedAt)}</Td>
            <MoneyTd
              cents={monthlyCents}
              to={
                fan === null ? null : `/settings/transactions?face=received&person=${fan.username}`
              }
            />
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
