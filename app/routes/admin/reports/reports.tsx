import { Link, NavLink } from "react-router";
import { Badge } from "#app/components/ui/badge.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { waitingAppeals } from "#app/domain/moderation/appeals/queries.server.ts";
import { reportCasesPage } from "#app/domain/moderation/reports/queries/cases.server.ts";
import {
  DECISION_DONE,
  isClaimed,
  REPORT_REASONS,
  reportsText,
} from "#app/domain/moderation/reports/rules.ts";
import { evidenceTitle, SUBJECTS } from "#app/domain/moderation/reports/rules/subjects.ts";
import { formatAgo } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/reports.ts";

const PAGE_ROWS = 30;
const APPEALS_SHOWN = 100;
const VIEWS = { open: "Abertas", appeals: "Recursos", decided: "Decididas" } as const;
type View = keyof typeof VIEWS;
const isView = (text: string | null): text is View => text !== null && Object.hasOwn(VIEWS, text);

export const meta: Route.MetaFunction = () => [{ title: "Denúncias · Coreto" }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const now = ctx.now();
  const moderatorId = context.get(memberContext).id;
  const asked = url.searchParams.get("view");
  const view = isView(asked) ? asked : "open";
  if (view === "appeals") {
    const appeals = await waitingAppeals(ctx, { moderatorId, limit: APPEALS_SHOWN });
    const items = appeals.map(({ caseId, createdAt, decision, authorName }) => ({
      id: caseId,
      title: `Recurso de ${authorName ?? "uma conta excluída"}`,
      notes: [decision === null ? "" : DECISION_DONE[decision]],
      age: formatAgo(createdAt, now),
      isUrgent: false,
      claimedBy: null,
    }));
    return { view, items, next: null };
  }
  const cursor = url.searchParams.get("cursor");
  const page = await reportCasesPage(ctx, { moderatorId, state: view, cursor, limit: PAGE_ROWS });
  const items = page.items.map((item) => ({
    id: item.id,
    title: `${SUBJECTS[item.subjectKind].label}: ${evidenceTitle(item.evidence)}`,
    notes: [
      item.authorName === null ? "Conta excluída" : `de ${item.authorName}`,
      reportsText(item.reportsCount),
      item.reasons.map((reason) => REPORT_REASONS[reason].label).join(", "),
      ...(item.decision === null ? [] : [DECISION_DONE[item.decision]]),
    ],
    age: formatAgo(item.decidedAt ?? item.openedAt, now),
    isUrgent: item.isUrgent && item.decidedAt === null,
    claimedBy: item.decidedAt === null && isClaimed(item, now) ? item.claimedByName : null,
  }));
  return { view, items, next: page.next };
}

const EMPTY_TEXTS: Record<View, string> = {
  open: "Nenhuma denúncia espera uma decisão.",
  appeals: "Ninguém recorreu de uma decisão.",
  decided: "Nenhum caso foi decidido ainda.",
};

export default function Reports({ loaderData: { view, items, next } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Denúncias"
        lead="As denúncias de um mesmo conteúdo são um caso. Exploração de criança ou adolescente vem primeiro; depois, o que espera há mais tempo."
      />
      <div className="flex flex-col gap-5">
        <nav aria-label="Filtro">
          <ul className="flex flex-wrap gap-2">
            {Object.entries(VIEWS).map(([one, label]) => (
              <li key={one}>
                <NavLink
                  to={`?view=${one}`}
                  aria-current={one === view ? "page" : undefined}
                  className={`inline-flex min-h-11 items-center rounded-full border px-4 text-small whitespace-nowrap ${one === view ? "border-leaf bg-signal-soft font-semibold text-ink" : "border-edge text-muted hover:text-ink"}`}
                >
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        {items.length === 0 ? (
          <EmptyState title="Nada esperando">{EMPTY_TEXTS[view]}</EmptyState>
        ) : (
          <Card className="overflow-hidden p-0">
            <ul className="divide-y divide-line">
              {items.map((item) => (
                <li key={item.id}>
                  <Link
                    to={`/admin/reports/${item.id}`}
                    className="flex flex-wrap justify-between gap-x-4 gap-y-1 px-5 py-4 hover:bg-sand"
                  >
                    <span className="flex min-w-0 flex-col">
                      <span className="font-semibold wrap-anywhere">{item.title}</span>
                      <span className="text-small text-muted">
                        {item.notes.filter(Boolean).join(" · ")}
                      </span>
                    </span>
                    <span className="flex flex-wrap items-center gap-2 text-small text-muted">
                      {item.isUrgent ? <Badge tone="refusal">Urgente</Badge> : null}
                      {item.claimedBy ? <Badge>com {item.claimedBy}</Badge> : null}
                      {item.age}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </div>
      <MoreLink next={next} />
    </>
  );
}
