import { Download } from "lucide-react";
import { Link } from "react-router";
import { statementUrl, TransactionFilters } from "#app/components/payments/transaction-filters.tsx";
import { TransactionList } from "#app/components/payments/transaction-list.tsx";
import { PartNotice } from "#app/components/payments/part-notice.tsx";
import { TransactionTotals } from "#app/components/payments/transaction-totals.tsx";
import { STATEMENT_SIDE_LABELS } from "#app/components/payments/transaction-labels.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { billingStatement } from "#app/domain/billing/statements/queries/statement.server.ts";
import {
  isStatementFiltered,
  statementPeriods,
} from "#app/domain/billing/statements/rules/statement.ts";
import { statementSides } from "#app/domain/billing/schema.ts";
import type { StatementSide } from "#app/domain/billing/schema.ts";
import { isoOfDayNumber } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { parseStatementRequest } from "#app/http/money/statement.server.ts";
import type { Route } from "./+types/transactions.ts";

const PAGE_ROWS = 20;

export const meta: Route.MetaFunction = () => [{ title: "Extrato · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { actor, personId, face, filter, errors, values, cursor } = parseStatementRequest(
    { context },
    request,
  );
  const { page, totals, person, parts } = await billingStatement(ctx, {
    personId,
    face,
    filter,
    cursor,
    limit: PAGE_ROWS,
  });
  if (filter.person !== null && person === null)
    errors.person = "Ninguém tem esse nome de usuário.";
  return {
    ...page,
    face,
    totals,
    parts,
    values,
    errors,
    isFiltered: isStatementFiltered(filter),
    isLaterPage: cursor !== null,
    periods: statementPeriods(ctx.now()).map(({ name, from, until }) => ({
      name,
      from: from === null ? "" : isoOfDayNumber(from),
      until: until === null ? "" : isoOfDayNumber(until),
    })),
    of: actor.isOwn ? null : actor.space.name,
    hasBothFaces: actor.isOwn && actor.space.isCreator,
  };
}

export default function Transactions({ loaderData }: Route.ComponentProps) {
  const { face, items, next, totals, values, errors, periods, of, hasBothFaces } = loaderData;
  const isPaidOf = values.state === "waiting" || values.state === "unpaid";
  return (
    <>
      <PageHeader
        title="Extrato"
        lead={`${of ? `O que a página de ${of} recebeu.` : leadOf(face)} Toque em um pagamento para ver os lançamentos por trás.`}
      >
        {face === "received" ? (
          <ButtonLink to="/settings/transactions/disputes" variant="outline" size="sm">
            Contestações
          </ButtonLink>
        ) : null}
        {items.length > 0 ? (
          <ButtonLink
            to={statementUrl(face, values, "/settings/transactions/planilha.csv")}
            reloadDocument
            variant="outline"
            size="sm"
          >
            <Download aria-hidden="true" className="size-4.5" />
            Baixar planilha
          </ButtonLink>
        ) : null}
      </PageHeader>
      <div className="flex flex-col gap-5">
        {face === "received" && totals.count > 0 ? (
          <p className="text-small text-muted">
            Para emitir notas:{" "}
            <a
              href={statementUrl(
                "received",
                { from: values.from ?? "", until: values.until ?? "" },
                "/settings/transactions/vendas.csv",
              )}
              className="font-semibold text-leaf underline underline-offset-4"
            >
              planilha de vendas
            </a>
            , com o nome e o CPF ou CNPJ de quem pediu nota.
          </p>
        ) : null}
        {hasBothFaces ? <Faces face={face} values={values} /> : null}
        <TransactionFilters
          face={face}
          values={values}
          errors={errors}
          periods={periods}
          isFiltered={loaderData.isFiltered}
        />
        {values.subscription ? (
          <p role="status" className="rounded-field bg-sand px-4 py-3">
            Só o que você pagou por uma assinatura.{" "}
            <Link
              to={statementUrl(face, { ...values, subscription: "" })}
              className="font-semibold text-leaf underline underline-offset-4"
            >
              Ver todos os pagamentos
            </Link>
          </p>
        ) : null}
        <PartNotice face={face} values={values} parts={loaderData.parts} />
        {totals.count > 0 && !isPaidOf ? (
          <TransactionTotals face={face} totals={totals} ofRefunds={Boolean(values.refunds)} />
        ) : null}
        {items.length > 0 ? (
          <TransactionList face={face} rows={items} />
        ) : (
          <Nothing
            face={face}
            isFiltered={loaderData.isFiltered}
            isLaterPage={loaderData.isLaterPage}
          />
        )}
      </div>
      <MoreLink next={next} />
    </>
  );
}

const leadOf = (face: StatementSide) =>
  face === "paid" ? "O que você pagou." : "O que você recebeu.";

function Faces({ face, values }: { face: StatementSide; values: Record<string, string> }) {
  return (
    <nav aria-label="Lados do extrato">
      <ul className="flex gap-1 border-b border-line">
        {statementSides.map((one) => (
          <li key={one}>
            <Link
              to={statementUrl(one, { from: values.from ?? "", until: values.until ?? "" })}
              aria-current={one === face ? "page" : undefined}
              className={`inline-flex min-h-11 items-center border-b-2 px-3 whitespace-nowrap ${one === face ? "border-leaf font-semibold text-ink" : "border-transparent text-muted hover:text-ink"}`}
            >
              {STATEMENT_SIDE_LABELS[one]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Nothing({
  face,
  isFiltered: wasFiltered,
  isLaterPage,
}: {
  face: StatementSide;
  isFiltered: boolean;
  isLaterPage: boolean;
}) {
  if (wasFiltered || isLaterPage) {
    return (
      <EmptyState
        title="Nada com estes filtros"
        action={<ButtonLink to={statementUrl(face, {})}>Ver tudo</ButtonLink>}
      >
        Mude o período ou tire um dos filtros.
      </EmptyState>
    );
  }
  return face === "paid" ? (
    <EmptyState
      title="Nada por aqui ainda"
      action={<ButtonLink to="/explore">Explorar</ButtonLink>}
    >
      O que você pagar aparece aqui, com o recibo.
    </EmptyState>
  ) : (
    <EmptyState title="Nada por aqui ainda" action={<ButtonLink to="/me">Ver a página</ButtonLink>}>
      O que a página receber aparece aqui, com a taxa e o dia em que fica livre.
    </EmptyState>
  );
}
