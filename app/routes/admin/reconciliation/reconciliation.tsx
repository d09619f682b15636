import { Form, Link } from "react-router";
import { providerLabel } from "#app/components/ledger/provider-label.ts";
import { z } from "zod";
import { DIFFERENCE_KIND_LABELS } from "#app/components/reconciliation/difference-labels.ts";
import { DifferenceList } from "#app/components/reconciliation/difference-list.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { SelectField } from "#app/components/ui/fields/field.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { RowLink, RowNote, Table, Td } from "#app/components/ui/table.tsx";
import type { Column } from "#app/components/ui/table.tsx";
import { reconciliationOverview } from "#app/domain/reconciliation/queries/differences.server.ts";
import { differenceKinds, differenceStates } from "#app/domain/reconciliation/schema.ts";
import { hasUnansweredQuestions } from "#app/domain/reconciliation/rules/runs.ts";
import { countedFromTwo } from "#app/domain/text.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/reconciliation.ts";

const PAGE_ROWS = 30;
const HERE = "/admin/reconciliation";

/** Parses the filters of the address. A value that is not valid gets its default. */
const asked = z.object({
  state: z.enum([...differenceStates, "all"]).catch("open"),
  kind: z.enum(differenceKinds).nullable().catch(null),
  run: z.string().max(64).nullable().catch(null),
});

export const meta: Route.MetaFunction = () => [{ title: "Conciliação · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const search = new URL(request.url).searchParams;
  const { state, kind, run } = asked.parse({
    state: search.get("state"),
    kind: search.get("kind"),
    run: search.get("run"),
  });
  const cursor = search.get("cursor");
  const { runs, openCount, quarantinedCount, page } = await reconciliationOverview(
    context.get(domainContext),
    { state: state === "all" ? null : state, kind, runId: run, cursor, limit: PAGE_ROWS },
  );
  const rows = page.items.map(
    ({
      id,
      provider,
      object,
      kind: found,
      state: now,
      isAsked,
      ours,
      theirs,
      isMoney,
      gapCents,
      firstSeenAt,
    }) => ({
      id,
      provider,
      object,
      kind: found,
      state: now,
      isAsked,
      ours,
      theirs,
      isMoney,
      gapCents,
      firstSeenAt,
    }),
  );
  return {
    runs,
    openCount,
    quarantinedCount,
    rows,
    next: page.next,
    state,
    kind,
    day: runs.find(({ id }) => id === run)?.night ?? null,
    isLaterPage: cursor !== null,
  };
}

type LoaderData = Route.ComponentProps["loaderData"];

export default function Reconciliation({ loaderData }: Route.ComponentProps) {
  const { runs, openCount, quarantinedCount, rows, next, state, kind, day } = loaderData;
  const open =
    openCount === 0
      ? "Nenhuma diferença aberta"
      : countedFromTwo(openCount, "Uma diferença aberta", "diferenças abertas");
  return (
    <>
      <PageHeader
        title="Conciliação"
        lead={`${open}. Toda madrugada, tudo o que os provedores fizeram é comparado com o que temos aqui.`}
      >
        <ButtonLink to={`${HERE}/deliveries`} variant="outline" size="sm">
          {quarantinedCount === 0 ? "Avisos separados" : `Avisos separados (${quarantinedCount})`}
        </ButtonLink>
      </PageHeader>
      <div className="flex flex-col gap-6">
        <Runs runs={runs} />
        <section aria-labelledby="differences" className="flex flex-col gap-4">
          <h2 id="differences" className="text-heading">
            Diferenças
          </h2>
          <Filters state={state} kind={kind} />
          {day === null ? null : (
            <p className="text-muted">
              Só o que a madrugada de {day.split("-").toReversed().join("/")} foi a última a olhar.{" "}
              <Link
                to={`${HERE}?state=${state}`}
                className="font-semibold text-leaf underline underline-offset-4"
              >
                Ver de todas
              </Link>
            </p>
          )}
          {rows.length > 0 ? <DifferenceList rows={rows} /> : <Nothing {...loaderData} />}
        </section>
      </div>
      <MoreLink next={next} />
    </>
  );
}

const STATES: readonly { value: LoaderData["state"]; label: string }[] = [
  { value: "open", label: "Abertas" },
  { value: "repaired", label: "Resolvidas" },
  { value: "explained", label: "Explicadas" },
  { value: "all", label: "Todas" },
];

function Filters({ state, kind }: Pick<LoaderData, "state" | "kind">) {
  return (
    <div className="flex flex-wrap items-end gap-4">
      <nav aria-label="Situação" className="flex flex-wrap gap-2">
        {STATES.map(({ value, label }) => (
          <Link
            key={value}
            to={`${HERE}?${new URLSearchParams({ state: value, ...(kind ? { kind } : {}) }).toString()}`}
            aria-current={value === state ? "true" : undefined}
            className={`inline-flex min-h-11 items-center rounded-full border px-4 text-small font-semibold ${value === state ? "border-leaf bg-signal-soft" : "border-line bg-card hover:border-edge"}`}
          >
            {label}
          </Link>
        ))}
      </nav>
      <Form method="get" className="flex flex-wrap items-end gap-3">
        <input type="hidden" name="state" value={state} />
        <SelectField
          key={kind}
          label="Tipo"
          name="kind"
          defaultValue={kind ?? ""}
          options={[
            { value: "", label: "Todos" },
            ...differenceKinds.map((one) => ({ value: one, label: DIFFERENCE_KIND_LABELS[one] })),
          ]}
        />
        <Button variant="outline">Mostrar</Button>
      </Form>
    </div>
  );
}

const COLUMNS: readonly Column[] = [
  { title: "Noite" },
  { title: "Provedor", wide: true },
  { title: "Comparados", numeric: true, wide: true },
  { title: "Diferenças", numeric: true },
  { title: "Resolvidas", numeric: true },
  { title: "Sem resposta", numeric: true, wide: true },
  { title: "Terminou", wide: true },
];

function Runs({ runs }: Pick<LoaderData, "runs">) {
  if (runs.length === 0)
    return <p className="text-muted">A primeira comparação começa às 3h da madrugada.</p>;
  return (
    <section aria-labelledby="runs" className="flex flex-col gap-3">
      <h2 id="runs" className="text-heading">
        Últimas madrugadas
      </h2>
      <Table caption="Últimas madrugadas" columns={COLUMNS}>
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <Td>
                <span className="whitespace-nowrap">
                  {run.night.split("-").toReversed().join("/")}
                </span>
                <RowNote phoneOnly>
                  {providerLabel(run.provider)} ·{" "}
                  <Count of={run.listedCount} to={`${HERE}/nights/${run.id}`} /> comparados
                  {run.unclearCount > 0 ? ` · ${run.unclearCount} sem resposta` : ""}
                  {run.finishedAt === null ? " · em andamento" : ""}
                </RowNote>
              </Td>
              <Td wide>{providerLabel(run.provider)}</Td>
              <Td numeric wide>
                <Count of={run.listedCount} to={`${HERE}/nights/${run.id}`} />
              </Td>
              <Td numeric>
                <Count of={run.foundCount} to={`${HERE}?state=all&run=${run.id}`} />
              </Td>
              <Td numeric>
                <Count of={run.repairedCount} to={`${HERE}?state=repaired&run=${run.id}`} />
              </Td>
              <Td numeric wide>
                {run.unclearCount}
              </Td>
              <Td wide className="whitespace-nowrap">
                {run.finishedAt === null ? "Em andamento" : formatMinute(run.finishedAt)}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </section>
  );
}

/** Shows a count of a run as a link to its differences. Zero has no link. */
function Count({ of, to }: { of: number; to: string }) {
  return of === 0 ? "0" : <RowLink to={to}>{of}</RowLink>;
}

function Nothing({ state, kind, isLaterPage, runs }: LoaderData) {
  if (isLaterPage)
    return (
      <EmptyState
        title="Fim da lista"
        action={<ButtonLink to={HERE}>Voltar ao começo</ButtonLink>}
      />
    );
  if (state === "open" && kind === null && hasUnansweredQuestions(runs))
    return (
      <EmptyState title="Nada aberto, mas nem tudo respondido">
        A última madrugada deixou perguntas sem resposta. A próxima pergunta de novo.
      </EmptyState>
    );
  if (state === "open" && kind === null)
    return (
      <EmptyState title="Tudo confere">O que os provedores dizem é o que temos aqui.</EmptyState>
    );
  return (
    <EmptyState
      title="Nada com estes filtros"
      action={<ButtonLink to={HERE}>Ver as abertas</ButtonLink>}
    />
  );
}
