import {
  ACCOUNT_COLUMNS,
  DebitCredit,
  debitAndCredit,
} from "#app/components/ledger/debit-credit.tsx";
import { transactionKindLabel } from "#app/domain/ledger/rules/ledger-words.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { RowLink, SumRow, Table, Td } from "#app/components/ui/table.tsx";
import { postedTransaction } from "#app/domain/ledger/statements/queries/postings.server.ts";
import { ledgerAccountKinds } from "#app/domain/ledger/schema.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import type { Route } from "./+types/ledger-posting.ts";

export const meta: Route.MetaFunction = () => [{ title: "Lançamento · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const { id, kind, sourceKey, postedAt, chargeId, payoutId, legs } = foundOr404(
    await postedTransaction(context.get(domainContext), { named: params.named }),
    "Este lançamento não existe.",
  );
  return {
    id,
    title: transactionKindLabel(kind),
    sourceKey,
    postedAt,
    chargeId,
    payoutId,
    legs,
    sumCents: legs.reduce((sum, { amountCents }) => sum + Math.max(0, amountCents), 0),
  };
}

export default function LedgerPosting({
  loaderData: { title, sourceKey, postedAt, chargeId, payoutId, legs, sumCents },
}: Route.ComponentProps) {
  return (
    <>
      <PageHeader title={title} lead={formatMinute(postedAt)}>
        {chargeId === null ? null : (
          <ButtonLink to={`/settings/transactions/${chargeId}`} variant="outline" size="sm">
            Ver o pagamento
          </ButtonLink>
        )}
        {payoutId === null ? null : (
          <ButtonLink to={`/admin/payouts/${payoutId}`} variant="outline" size="sm">
            Ver o saque
          </ButtonLink>
        )}
      </PageHeader>
      <div className="flex flex-col gap-5">
        <Table caption="Cada conta do lançamento" columns={ACCOUNT_COLUMNS}>
          <tbody>
            {legs.map(({ id, accountId, accountKind, amountCents }) => (
              <tr key={id} id={`lancamento-${id}`}>
                <Td className="wrap-anywhere">
                  <span title={accountId}>
                    <RowLink to={`/admin/ledger/accounts/${encodeURIComponent(accountId)}`}>
                      {ledgerAccountKinds[accountKind].title}
                    </RowLink>
                  </span>
                </Td>
                <DebitCredit {...debitAndCredit(amountCents)} />
              </tr>
            ))}
            <SumRow>
              <Td>Soma</Td>
              <DebitCredit debitCents={sumCents} creditCents={sumCents} isTotal />
            </SumRow>
          </tbody>
        </Table>
        <p className="text-small wrap-anywhere text-muted">Feito uma vez, por {sourceKey}.</p>
        <ButtonLink to="/admin/ledger" variant="ghost" className="-ml-5 self-start">
          Voltar para o livro-razão
        </ButtonLink>
      </div>
    </>
  );
}
