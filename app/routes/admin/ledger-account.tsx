import { LedgerStatement } from "#app/components/payments/ledger-statement.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { ledgerStatement } from "#app/domain/ledger/queries/statement.server.ts";
import { accountNamed } from "#app/domain/ledger/rules/statement.ts";
import { accountKinds } from "#app/domain/ledger/schema.ts";
import { domainContext } from "#app/http/contexts.ts";
import { askedPeriod, entryWords } from "#app/http/ledger-statement.server.ts";
import { found } from "#app/http/refusal.ts";
import type { Route } from "./+types/ledger-account.ts";

const PAGE_ROWS = 50;

export const meta: Route.MetaFunction = () => [{ title: "Conta do livro-razão · Coreto" }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const account = found(accountNamed(params.accountId), "Esta conta não existe.");
  const search = new URL(request.url).searchParams;
  const { from, until, values, errors } = askedPeriod(search);
  const { items, ...page } = await ledgerStatement(context.get(domainContext), { of: { account }, from, until, cursor: search.get("cursor"), limit: PAGE_ROWS });
  const lines = items.map(({ id, at, amountCents, balanceCents, chargeId, ...row }) => ({ id, at, amountCents, balanceCents, words: entryWords(row), to: chargeId && `/settings/transactions/${chargeId}` }));
  return { ...page, accountId: params.accountId, title: accountKinds[account.kind].title, lines, values, errors };
}

export default function LedgerAccount({ loaderData }: Route.ComponentProps) {
  const { accountId, title, lines, next, ...statement } = loaderData;
  return (
    <>
      <PageHeader title={title} lead={accountId} />
      <LedgerStatement path={`/admin/ledger/accounts/${encodeURIComponent(accountId)}`} title={title} lines={lines} {...statement} />
      <MoreLink next={next} />
      <ButtonLink to="/admin/ledger" variant="ghost" className="-ml-5 self-start">
        Voltar para o livro-razão
      </ButtonLink>
    </>
  );
}
