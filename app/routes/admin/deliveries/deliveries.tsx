import { Link } from "react-router";
import { providerLabel } from "#app/components/ledger/provider-label.ts";
import { z } from "zod";
import { OurObjectLink } from "#app/components/reconciliation/our-object-link.tsx";
import {
  QUARANTINE_STATE_LABELS,
  QUARANTINE_REASON_LABELS,
  EVENT_TYPE_LABELS,
} from "#app/components/reconciliation/quarantine-labels.ts";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { RowLink, RowNote, Table, Td } from "#app/components/ui/table.tsx";
import type { Column } from "#app/components/ui/table.tsx";
import { quarantinedEvents } from "#app/domain/payments/webhook-events/queries/quarantine.server.ts";
import { countedFromTwo } from "#app/domain/text.ts";
import { formatMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/deliveries.ts";

const PAGE_ROWS = 30;
const HERE = "/admin/reconciliation/deliveries";

/** Parses the filter of the address. A value that is not valid gets its default. */
const stateSchema = z.enum(["waiting", "answered"]).catch("waiting");

export const meta: Route.MetaFunction = () => [{ title: "Avisos separados · Coreto" }];

// The list does not send whose money it is. It names the event subject and links to it.
export async function loader({ request, context }: Route.LoaderArgs) {
  const search = new URL(request.url).searchParams;
  const [state, cursor] = [stateSchema.parse(search.get("state")), search.get("cursor")];
  const { waitingCount, page } = await quarantinedEvents(context.get(domainContext), {
    state,
    cursor,
    limit: PAGE_ROWS,
  });
  const rows = page.items.map(
    ({ id, provider, type, reason, state: now, about, quarantinedAt, answeredAt }) => ({
      id,
      provider,
      type,
      reason,
      state: now,
      about,
      at: (state === "waiting" ? quarantinedAt : answeredAt) ?? 0,
    }),
  );
  return { waitingCount, rows, next: page.next, state, isLaterPage: cursor !== null };
}

type LoaderData = Route.ComponentProps["loaderData"];

export default function Deliveries({ loaderData }: Route.ComponentProps) {
  const { waitingCount, rows, next, state } = loaderData;
  const waiting =
    waitingCount === 0
      ? "Nenhum espera alguém"
      : countedFromTwo(waitingCount, "Um espera alguém", "esperam alguém");
  return (
    <>
      <PageHeader
        title="Avisos separados"
        lead={`${waiting}. É o que um provedor avisou e não pôde ser aplicado: fica aqui até alguém olhar.`}
      />
      <div className="flex flex-col gap-5">
        <nav aria-label="Situação" className="flex flex-wrap gap-2">
          <Choice to={HERE} isChosen={state === "waiting"}>
            Esperam
          </Choice>
          <Choice to={`${HERE}?state=answered`} isChosen={state === "answered"}>
            Resolvidos
          </Choice>
        </nav>
        {rows.length > 0 ? <List rows={rows} state={state} /> : <Nothing {...loaderData} />}
        <MoreLink next={next} />
        <ButtonLink to="/admin/reconciliation" variant="ghost" className="-ml-5 self-start">
          Voltar para a conciliação
        </ButtonLink>
      </div>
    </>
  );
}

function Choice({ to, isChosen, children }: { to: string; isChosen: boolean; children: string }) {
  return (
    <Link
      to={to}
      aria-current={isChosen ? "true" : undefined}
      className={`inline-flex min-h-11 items-center rounded-full border px-4 text-small font-semibold ${isChosen ? "border-leaf bg-signal-soft" : "border-line bg-card hover:border-edge"}`}
    >
      {children}
    </Link>
  );
}

function List({ rows, state }: Pick<LoaderData, "rows" | "state">) {
  const when = state === "waiting" ? "Separado" : "Resolvido";
  const columns: Column[] = [
    { title: "O que houve" },
    { title: "Sobre" },
    { title: "Provedor", wide: true },
    { title: when, wide: true },
  ];
  return (
    <Table caption="Avisos separados" columns={columns}>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <Td>
              <RowLink to={`${HERE}/${encodeURIComponent(row.id)}`}>
                {QUARANTINE_REASON_LABELS[row.reason].label}
              </RowLink>
              {state === "waiting" ? null : (
                <span className="mt-1 block">
                  <Badge tone={QUARANTINE_STATE_LABELS[row.state].tone}>
                    {QUARANTINE_STATE_LABELS[row.state].label}
                  </Badge>
                </span>
              )}
              <RowNote phoneOnly>
                {providerLabel(row.provider)} · {formatMinute(row.at)}
              </RowNote>
            </Td>
            <Td>
              {EVENT_TYPE_LABELS[row.type]}
              <RowNote>{row.about ? <OurObjectLink about={row.about} /> : "Nada daqui"}</RowNote>
            </Td>
            <Td wide>{providerLabel(row.provider)}</Td>
            <Td wide className="whitespace-nowrap">
              {formatMinute(row.at)}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Nothing({ state, isLaterPage }: LoaderData) {
  if (isLaterPage)
    return (
      <EmptyState
        title="Fim da lista"
        action={<ButtonLink to={HERE}>Voltar ao começo</ButtonLink>}
      />
    );
  if (state === "answered")
    return (
      <EmptyState title="Nenhum resolvido ainda">
        O que alguém tentar de novo ou encerrar aparece aqui.
      </EmptyState>
    );
  return (
    <EmptyState title="Nada separado">
      Tudo o que os provedores avisaram foi aplicado ou resolvido.
    </EmptyState>
  );
}
