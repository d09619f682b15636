import { CircleAlert, CircleCheck } from "lucide-react";
import { Form, Link, useNavigation } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/field.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { Table, Td, Th } from "#app/components/ui/table.tsx";
import { invariantTitles } from "#app/domain/ledger/queries.server.ts";
import { lastChecks } from "#app/domain/ledger/queries/checks.server.ts";
import { balancesBefore, balancesNow } from "#app/domain/ledger/queries/journal.server.ts";
import { holdsNow, isLookedAtByDay } from "#app/domain/ledger/rules/checks.ts";
import { accountKinds } from "#app/domain/ledger/schema.ts";
import type { AccountKind } from "#app/domain/ledger/schema.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import { askedPeriod } from "#app/http/ledger-statement.server.ts";
import type { Route } from "./+types/ledger.ts";

export const meta: Route.MetaFunction = () => [{ title: "Livro-razão · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { until, values, errors } = askedPeriod(new URL(request.url).searchParams);
  const [checks, balances] = await Promise.all([lastChecks(ctx), until === null || until > ctx.now() ? balancesNow(ctx) : balancesBefore(ctx, { until })]);
  const checkedAt = Math.max(0, ...[...checks.values()].map((check) => check.checkedAt));
  return {
    checkedAt: checkedAt || null,
    findings: invariantTitles.map(({ name, title }) => ({ name, title, isKnown: checks.has(name), wholeAt: checks.get(name)?.wholeAt || null, isByDay: isLookedAtByDay(name), brokenCount: checks.get(name)?.brokenCount ?? 0, brokenSince: checks.get(name)?.brokenSince ?? null, example: checks.get(name)?.example ?? null })),
    arePayoutsHeld: [...checks.values()].some((check) => check.brokenCount > 0 && holdsNow(check, ctx.realNow())),
    isUnwatched: [...checks.values()].some((check) => check.brokenCount === 0 && holdsNow(check, ctx.realNow())),
    trial: (Object.keys(accountKinds) as AccountKind[]).flatMap((kind) => (balances[kind] ? [{ kind, debitCents: Math.max(0, balances[kind]), creditCents: Math.max(0, -balances[kind]) }] : [])),
    until: values.until,
    untilError: errors.until,
  };
}

type LoaderData = Route.ComponentProps["loaderData"];

export default function Ledger({ loaderData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const brokenCount = loaderData.findings.filter((finding) => finding.brokenCount > 0).length;
  const verdict = brokenCount === 0 ? "Tudo fecha" : brokenCount === 1 ? "Uma regra quebrada" : `${brokenCount} regras quebradas`;
  return (
    <>
      <PageHeader title="Livro-razão" lead={loaderData.checkedAt === null ? "Ainda não conferido." : `${verdict} · conferido em ${formatMinute(loaderData.checkedAt)}`}>
        <ButtonLink to="/admin/ledger/providers" variant="outline" size="sm">
          Provedores
        </ButtonLink>
        <ButtonLink to="/admin/ledger/debts" variant="outline" size="sm">
          Quem deve
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
        {loaderData.arePayoutsHeld ? <p className="font-semibold text-refusal">Os saques estão parados até que as regras de dinheiro voltem a fechar.</p> : null}
        {loaderData.isUnwatched ? <p className="font-semibold text-refusal">Os saques estão parados: há uma regra de dinheiro que ninguém consegue conferir há mais de seis horas. Tente “Conferir agora” e veja o que o registro diz da conferência que falha.</p> : null}
        <Trial trial={loaderData.trial} until={loaderData.until} error={loaderData.untilError} />
        <p className="text-muted">De cinco em cinco minutos olhamos o que se moveu desde a última vez; uma vez por noite, e em “Conferir agora”, tudo desde o começo. Uma regra quebrada é olhada por inteiro até voltar a fechar.</p>
        <Card className="p-0">
          <ul className="divide-y divide-line">
            {loaderData.findings.map((finding) => (
              <Finding key={finding.name} finding={finding} />
            ))}
          </ul>
        </Card>
      </div>
    </>
  );
}

const PLATFORM: ReadonlySet<AccountKind> = new Set(["platform_cash", "fees_reserved", "platform_fees", "provider_costs", "write_offs"]);

function Trial({ trial, until, error }: { trial: LoaderData["trial"]; until: string; error: string | undefined }) {
  const sum = (side: "debitCents" | "creditCents") => trial.reduce((total, line) => total + line[side], 0);
  return (
    <section aria-labelledby="trial" className="flex flex-col gap-3">
      <h2 id="trial" className="text-heading">
        Balancete
      </h2>
      <Form method="get" className="flex flex-wrap items-end gap-3" noValidate>
        <TextField key={until} label="No fim do dia" name="until" type="date" defaultValue={until} error={error} />
        <Button variant="outline">Mostrar</Button>
      </Form>
      {trial.length === 0 ? (
        <p className="text-muted">Nenhum dinheiro tinha passado por aqui.</p>
      ) : (
        <Table caption="Balancete por tipo de conta">
          <thead>
            <tr>
              <Th>Conta</Th>
              <Th numeric>Débito</Th>
              <Th numeric>Crédito</Th>
            </tr>
          </thead>
          <tbody>
            {trial.map((line) => (
              <tr key={line.kind}>
                <Td>
                  {PLATFORM.has(line.kind) ? (
                    <Link to={`/admin/ledger/accounts/${line.kind}`} className="underline underline-offset-4">
                      {accountKinds[line.kind].title}
                    </Link>
                  ) : (
                    accountKinds[line.kind].title
                  )}
                </Td>
                <Td numeric>{line.debitCents > 0 ? <Money cents={line.debitCents} /> : ""}</Td>
                <Td numeric>{line.creditCents > 0 ? <Money cents={line.creditCents} /> : ""}</Td>
              </tr>
            ))}
            <tr className="font-semibold">
              <Td>Soma</Td>
              <Td numeric>
                <Money cents={sum("debitCents")} />
              </Td>
              <Td numeric>
                <Money cents={sum("creditCents")} />
              </Td>
            </tr>
          </tbody>
        </Table>
      )}
    </section>
  );
}

function Finding({ finding }: { finding: LoaderData["findings"][number] }) {
  const holds = finding.brokenCount === 0;
  return (
    <li className="flex flex-col gap-2 px-5 py-4">
      <p className="flex items-start gap-3">
        {holds ? (
          <CircleCheck aria-hidden="true" className={`mt-0.5 size-5 shrink-0 ${finding.isKnown ? "text-leaf" : "text-muted"}`} />
        ) : (
          <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-refusal" />
        )}
        <span>
          {finding.title}
          <span className="sr-only">{holds ? (finding.isKnown ? ": certo" : ": ainda não conferida") : ": quebrada"}</span>
          {finding.wholeAt === null ? null : (
            <span className="block text-small text-muted">
              Por inteiro em {formatMinute(finding.wholeAt)}
              {finding.isByDay ? "" : "; outra vez depois das 4h"}
            </span>
          )}
          {finding.brokenSince === null ? null : <span className="block text-small text-muted">Quebrada desde {formatMinute(finding.brokenSince)}</span>}
        </span>
      </p>
      {finding.example === null ? null : <pre className="overflow-x-auto rounded-field bg-sand p-3 text-caption">{finding.example}</pre>}
    </li>
  );
}
