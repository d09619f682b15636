import { ChevronRight } from "lucide-react";
import { Link } from "react-router";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import type { Context } from "#app/domain/context.ts";
import { brokenChecksCountStatement } from "#app/domain/audit/queries/checks.server.ts";
import { openDisputesCountStatement } from "#app/domain/disputes/queries.server.ts";
import { pendingDocumentsCountStatement } from "#app/domain/documents/queries.server.ts";
import { waitingAppealsCountStatement } from "#app/domain/moderation/appeals/queries.server.ts";
import { openCasesCountStatement } from "#app/domain/moderation/reports/queries/cases.server.ts";
import { quarantinedCountStatement } from "#app/domain/payments/webhook-events/queries/quarantine.server.ts";
import { payoutsForApprovalStatement } from "#app/domain/payouts/staff-review/queries/staff-review.server.ts";
import { failedDeliveriesCountStatement } from "#app/domain/notifications/queries/failures.server.ts";
import { openDifferencesCountStatement } from "#app/domain/reconciliation/queries/differences.server.ts";
import { formatAgo, formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/home.ts";

export const meta: Route.MetaFunction = () => [{ title: "Moderação · Coreto" }];

/** What waits for staff, each with its count and the age of its oldest. One round trip. */
export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const lines = await waitingLines(ctx, context.get(memberContext).id);
  return {
    lines: lines.map(({ waiting, ...line }) => ({
      ...line,
      count: waiting?.count ?? 0,
      age: waiting?.oldestAt == null ? null : formatAgo(waiting.oldestAt, ctx.now()),
    })),
  };
}

async function waitingLines(ctx: Context, moderatorId: string) {
  const [
    [cases],
    [appeals],
    [documents],
    [payouts],
    [disputes],
    [differences],
    [events],
    [books],
    [failures],
  ] = await ctx.db.batch([
    openCasesCountStatement(ctx, { moderatorId }),
    waitingAppealsCountStatement(ctx, { moderatorId }),
    pendingDocumentsCountStatement(ctx, { moderatorId }),
    payoutsForApprovalStatement(ctx),
    openDisputesCountStatement(ctx),
    openDifferencesCountStatement(ctx),
    quarantinedCountStatement(ctx),
    brokenChecksCountStatement(ctx),
    failedDeliveriesCountStatement(ctx),
  ]);
  const urgent = cases?.urgentCount ?? 0;
  const deadline = disputes?.respondBy ?? null;
  return [
    {
      to: "/admin/reports",
      label: "Denúncias",
      waiting: cases,
      note: urgent > 0 ? `${urgent} no começo da fila` : null,
    },
    { to: "/admin/reports?view=appeals", label: "Recursos", waiting: appeals, note: null },
    { to: "/admin/documents", label: "Documentos para conferir", waiting: documents, note: null },
    { to: "/admin/payouts", label: "Saques para aprovar", waiting: payouts, note: null },
    {
      to: "/admin/disputes",
      label: "Contestações em aberto",
      waiting: disputes,
      note: deadline === null ? null : `prazo mais próximo: ${formatDay(deadline)}`,
    },
    {
      to: "/admin/reconciliation?state=open",
      label: "Diferenças da conciliação",
      waiting: differences,
      note: null,
    },
    {
      to: "/admin/reconciliation/deliveries",
      label: "Avisos separados",
      waiting: events,
      note: null,
    },
    {
      to: "/admin/notifications",
      label: "Envios que falharam",
      waiting: failures,
      note: null,
    },
    {
      to: "/admin/ledger/check",
      label: "Verificações que falharam",
      waiting: books,
      note: null,
    },
  ];
}

export default function AdminHome({ loaderData: { lines } }: Route.ComponentProps) {
  const waiting = lines.filter(({ count }) => count > 0);
  const quiet = lines.filter(({ count }) => count === 0);
  return (
    <>
      <PageHeader title="O que espera" lead="Cada fila com a idade do que espera há mais tempo." />
      <div className="flex flex-col gap-6">
        {waiting.length === 0 ? (
          <EmptyState title="Nada esperando">Todas as filas estão vazias.</EmptyState>
        ) : (
          <Card as="section" label="Esperando" className="overflow-hidden">
            <ul className="divide-y divide-line">
              {waiting.map((line) => (
                <li key={line.to}>
                  <Link
                    to={line.to}
                    className="flex min-h-16 items-center gap-4 px-5 py-3 hover:bg-sand/60"
                  >
                    <span className="flex min-w-0 flex-1 flex-col">
                      <span className="font-semibold">{line.label}</span>
                      <span className="text-small text-muted">
                        {[line.age ? `o mais antigo: ${line.age}` : null, line.note]
                          .filter(Boolean)
                          .join(" · ")}
                      </span>
                    </span>
                    <span className="text-title tabular-nums">{line.count}</span>
                    <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-muted" />
                  </Link>
                </li>
              ))}
            </ul>
          </Card>
        )}
        {quiet.length > 0 && waiting.length > 0 ? (
          <section className="flex flex-col gap-2">
            <h2 className="text-heading">Nada esperando</h2>
            <ul className="flex flex-wrap gap-2">
              {quiet.map((line) => (
                <li key={line.to}>
                  <Link
                    to={line.to}
                    className="inline-flex min-h-11 items-center rounded-full border border-line bg-card px-4 text-small text-muted hover:text-ink"
                  >
                    {line.label}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ) : null}
      </div>
    </>
  );
}
