import { providerLabel } from "#app/components/ledger/provider-label.ts";
import { Form } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { MoneyTd, RowLink, RowNote, Table, Td } from "#app/components/ui/table.tsx";
import { accountsOfKind } from "#app/domain/ledger/statements/queries/accounts-by-kind.server.ts";
import type { KindAccount } from "#app/domain/ledger/statements/queries/accounts-by-kind.server.ts";
import { parseAccountId } from "#app/domain/ledger/statements/rules/statement.ts";
import { ledgerAccountKinds } from "#app/domain/ledger/schema.ts";
import { domainContext } from "#app/http/contexts.ts";
import { parseStatementPeriod } from "#app/http/money/ledger-statement.server.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/ledger-kind.ts";

const PAGE_ROWS = 50;

export const meta: Route.MetaFunction = () => [{ title: "Contas do livro-razão · Coreto" }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { kind } = foundOr404(parseAccountId(params.kind), "Este tipo de conta não existe.");
  const search = new URL(request.url).searchParams;
  const { until, values, errors } = parseStatementPeriod(search);
  const page = await accountsOfKind(context.get(domainContext), {
    kind,
    until,
    cursor: search.get("cursor"),
    limit: PAGE_ROWS,
  });
  return {
    title: ledgerAccountKinds[kind].title,
    ...page,
    items:
      kind === "provider_clearing"
        ? page.items.map((account) => ({
            ...account,
            name: account.name === null ? null : providerLabel(account.name),
          }))
        : page.items,
    until: values.until,
    untilError: errors.until,
    isLaterPage: search.has("cursor"),
  };
}

export default function LedgerKind({
  loaderData: { title, items, next, totalCents, until, untilError, isLaterPage },
}: Route.ComponentProps) {
  const asOf = until && !untilError ? `?until=${until}` : "";
  return (
    <>
      <PageHeader
        title={title}
        lead="Cada conta deste tipo que não está em zero, da maior para a menor."
      />
      <div className="flex flex-col gap-5">
        <Form method="get" className="flex flex-wrap items-end gap-3" noValidate>
          <TextField
            key={until}
            label="No fim do dia"
            name="until"
            type="date"
            defaultValue={until}
            error={untilError}
          />
          <Button variant="outline">Mostrar</Button>
        </Form>
        <p className="flex flex-col">
          <span className="text-small text-muted">Todas juntas</span>
          <Money cents={totalCents} size="large" isTotal />
        </p>
        {items.length > 0 ? (
          <Table
            caption={`Contas: ${title}`}
            columns={[{ title: "De quem" }, { title: "Saldo", numeric: true }]}
          >
            <tbody>
              {items.map((account) => (
                <tr key={account.id}>
                  <Td className="wrap-anywhere">
                    <Owner account={account} />
                  </Td>
                  <MoneyTd
                    to={`/admin/ledger/accounts/${encodeURIComponent(account.id)}${asOf}`}
                    cents={account.cents}
                  />
                </tr>
              ))}
            </tbody>
          </Table>
        ) : (
          <EmptyState title={isLaterPage ? "Fim da lista" : "Tudo em zero"}>
            {isLaterPage ? "Não há mais contas deste tipo." : "Nenhuma conta deste tipo tem saldo."}
          </EmptyState>
        )}
        <MoreLink next={next} />
        <ButtonLink to={`/admin/ledger${asOf}`} variant="ghost" className="-ml-5 self-start">
          Voltar para o livro-razão
        </ButtonLink>
      </div>
    </>
  );
}

function Owner({ account: { id, ownerId, name, username } }: { account: KindAccount }) {
  if (ownerId === null) return "Coreto";
  return (
    <>
      {name ?? "Conta encerrada"}
      {username === null ? null : (
        <RowNote>
          <RowLink to={`/admin/ledger/accounts?username=${username}`}>@{username}</RowLink>
        </RowNote>
      )}
      {name === null ? <RowNote>{id}</RowNote> : null}
    </>
  );
}
