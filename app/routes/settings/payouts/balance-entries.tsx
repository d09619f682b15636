import { Link } from "react-router";
import { LedgerStatementView } from "#app/components/ledger/ledger-statement.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import {
  parseBalanceName,
  balanceNames,
  balanceTitle,
  balanceStatementSubject,
} from "#app/domain/ledger/statements/rules/statement.ts";
import type { BalanceName } from "#app/domain/ledger/statements/rules/statement.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import {
  parseStatementPeriod,
  loadStatementPage,
} from "#app/http/money/ledger-statement.server.ts";
import type { Route } from "./+types/balance-entries.ts";

const PAGE_ROWS = 30;
const HERE = "/settings/transfers/entries";

export const meta: Route.MetaFunction = () => [{ title: "Lançamentos do saldo · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { space, isOwn } = requireActor({ context }, "money:see");
  const search = new URL(request.url).searchParams;
  const account = parseBalanceName(search.get("account"));
  const { from, until, values, errors } = parseStatementPeriod(search);
  const payout = search.get("payout")?.slice(0, 64) || null;
  const shown = {
    of: balanceStatementSubject(account, space.personId),
    only: payout === null ? {} : { payoutId: payout },
    cursor: search.get("cursor"),
    limit: PAGE_ROWS,
  };
  const causeOf = ({ chargeId }: { chargeId: string | null }) =>
    chargeId && `/settings/transactions/${chargeId}`;
  const page = await loadStatementPage(
    context.get(domainContext),
    { from, until, values, errors },
    { ...shown, causeOf },
  );
  return { ...page, account, payout, values, errors, of: isOwn ? null : space.name };
}

const MEANINGS: Record<BalanceName, string> = {
  available: "O que pode ser sacado.",
  pending: "O que já foi pago e ainda espera o prazo para ficar disponível.",
  reserved: "O que espera a decisão de uma contestação.",
  in_transit: "O que saiu para a sua conta e o banco ainda não confirmou.",
  owed: "O que voltou para quem pagou e não havia de onde tirar. Sai de até metade de cada novo valor liberado.",
};

export default function BalanceEntries({ loaderData }: Route.ComponentProps) {
  const { account, payout, lines, next, values, errors, sums, of } = loaderData;
  const title = balanceTitle(account);
  return (
    <>
      <PageHeader
        title={title}
        lead={`${payout ? "Só os lançamentos de um saque." : MEANINGS[account]}${of ? ` Da página de ${of}.` : ""} Cada centavo, com o que o causou.`}
      />
      <div className="flex flex-col gap-5">
        <nav aria-label="Saldos" className="flex flex-wrap gap-2">
          {balanceNames.map((name) => (
            <Link
              key={name}
              to={`${HERE}?account=${name}`}
              aria-current={name === account ? "page" : undefined}
              className={`inline-flex min-h-11 items-center rounded-full border px-4 text-small font-semibold ${name === account ? "border-leaf bg-signal-soft" : "border-line bg-card hover:border-edge"}`}
            >
              {balanceTitle(name)}
            </Link>
          ))}
        </nav>
        <LedgerStatementView
          path={HERE}
          hidden={{ account, ...(payout ? { payout } : {}) }}
          title={title}
          lines={lines}
          sums={sums}
          values={values}
          errors={errors}
        />
        <MoreLink next={next} />
        <ButtonLink to="/settings/transfers" variant="ghost" className="-ml-5 self-start">
          Voltar para os saques
        </ButtonLink>
      </div>
    </>
  );
}
