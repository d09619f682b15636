import { Form, useNavigation } from "react-router";
import { InvariantFindings } from "#app/components/ledger/invariant-findings.tsx";
import { checksVerdictText } from "#app/components/ledger/invariant-text.ts";
import { TrialBalance } from "#app/components/ledger/trial-balance.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { latestChecks } from "#app/domain/audit/queries/checks.server.ts";
import { invariantTitles } from "#app/domain/audit/queries/invariants.server.ts";
import { balancesBefore, balancesNow } from "#app/domain/ledger/months/queries/journal.server.ts";
import {
  blocksPayouts,
  isCheckedByDay,
  repairPagePath,
  missedChecks,
} from "#app/domain/audit/rules.ts";
import { ledgerAccountKinds } from "#app/domain/ledger/schema.ts";
import type { LedgerAccountKind } from "#app/domain/ledger/schema.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { parseStatementPeriod } from "#app/http/money/ledger-statement.server.ts";
import type { Route } from "./+types/ledger.ts";

export const meta: Route.MetaFunction = () => [{ title: "Livro-razão · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { until, values, errors } = parseStatementPeriod(new URL(request.url).searchParams);
  const [checks, balances] = await Promise.all([
    latestChecks(ctx),
    until === null || until > ctx.now() ? balancesNow(ctx) : balancesBefore(ctx, { until }),
  ]);
  const checkedAt = Math.max(0, ...[...checks.values()].map((check) => check.checkedAt));
  const missed = missedChecks(
    invariantTitles.map(({ name }) => name),
    checks,
  );
  return {
    checkedAt: checkedAt || null,
    findings: invariantTitles.map(({ name, title }) => ({
      name,
      title,
      isKnown: !missed.has(name),
      wholeAt: checks.get(name)?.wholeAt || null,
      isByDay: isCheckedByDay(name),
      brokenCount: checks.get(name)?.brokenCount ?? 0,
      brokenSince: checks.get(name)?.brokenSince ?? null,
      example: checks.get(name)?.example ?? null,
      mendedAt: repairPagePath(name),
    })),
    arePayoutsHeld: [...checks.values()].some(
      (check) => check.brokenCount > 0 && blocksPayouts(check, ctx.realNow()),
    ),
    isUnwatched: [...checks.values()].some(
      (check) => check.brokenCount === 0 && blocksPayouts(check, ctx.realNow()),
    ),
    trial: (Object.keys(ledgerAccountKinds) as LedgerAccountKind[]).flatMap((kind) =>
      balances[kind]
        ? [
            {
              kind,
              debitCents: Math.max(0, balances[kind]),
              creditCents: Math.max(0, -balances[kind]),
            },
          ]
        : [],
    ),
    until: values.until,
    untilError: errors.until,
  };
}

export default function Ledger({ loaderData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title="Livro-razão"
        lead={
          loaderData.checkedAt === null
            ? "Ainda não conferido."
            : `${checksVerdictText(loaderData.findings)} · conferido em ${formatMinute(loaderData.checkedAt)}`
        }
      >
        <ButtonLink to="/admin/ledger/accounts" variant="outline" size="sm">
          Procurar conta
        </ButtonLink>
        <ButtonLink to="/admin/ledger/providers" variant="outline" size="sm">
          Provedores
        </ButtonLink>
        <ButtonLink to="/admin/ledger/debts" variant="outline" size="sm">
          Quem deve
        </ButtonLink>
        <ButtonLink to="/admin/ledger/unclaimed" variant="outline" size="sm">
          Contas excluídas
        </ButtonLink>
        <ButtonLink to="/admin/ledger/seals" variant="outline" size="sm">
          Meses fechados
        </ButtonLink>
        <Form method="post" action="/admin/ledger/check">
          <Button size="sm" disabled={isBusy}>
            Conferir agora
          </Button>
        </Form>
      </PageHeader>
      <div className="flex flex-col gap-6">
        {loaderData.arePayoutsHeld ? (
          <p className="font-semibold text-refusal">
            Os saques estão parados até que as regras de dinheiro voltem a fechar.
          </p>
        ) : null}
        {loaderData.isUnwatched ? (
          <p className="font-semibold text-refusal">
            Os saques estão parados: há uma regra de dinheiro que ninguém consegue conferir há mais
            de seis horas. Tente “Conferir agora” e veja o que o registro diz da conferência que
            falha.
          </p>
        ) : null}
        <InvariantFindings findings={loaderData.findings} checkedAt={loaderData.checkedAt} />
        <TrialBalance
          trial={loaderData.trial}
          until={loaderData.until}
          error={loaderData.untilError}
        />
      </div>
    </>
  );
}
