import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { reportsOfPerson } from "#app/domain/moderation/reports/queries.server.ts";
import { REPORT_REASONS, reportOutcomeText } from "#app/domain/moderation/reports/rules.ts";
import { evidenceTitle, SUBJECTS } from "#app/domain/moderation/reports/rules/subjects.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/reports.ts";

const PAGE_ROWS = 20;

export const meta: Route.MetaFunction = () => [{ title: "Minhas denúncias · Coreto" }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const page = await reportsOfPerson(context.get(domainContext), {
    personId: context.get(memberContext).id,
    cursor: url.searchParams.get("cursor"),
    limit: PAGE_ROWS,
  });
  return {
    next: page.next,
    items: page.items.map((report) => ({
      id: report.id,
      kind: SUBJECTS[report.subjectKind].label,
      title: evidenceTitle(report.evidence),
      reason: REPORT_REASONS[report.reason].label,
      details: report.details,
      day: formatDay(report.createdAt),
      isOpen: report.decision === null,
      outcome: reportOutcomeText(report),
    })),
  };
}

export default function OwnReports({ loaderData: { items, next } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Minhas denúncias"
        lead="O que você denunciou, e o que a moderação decidiu."
      />
      {items.length === 0 ? (
        <EmptyState
          title="Você não denunciou nada"
          action={
            <ButtonLink to="/settings" variant="outline">
              Voltar aos ajustes
            </ButtonLink>
          }
        >
          O menu de cada publicação, comentário, mensagem e perfil tem Denunciar, e a página de um
          evento também.
        </EmptyState>
      ) : (
        <Card className="p-0">
          <ul className="divide-y divide-line">
            {items.map((item) => (
              <li key={item.id} className="flex flex-col gap-1 px-5 py-4">
                <div className="flex flex-wrap items-start justify-between gap-2">
                  <span className="min-w-0 font-semibold wrap-anywhere">
                    {item.kind}: {item.title}
                  </span>
                  <Badge tone={item.isOpen ? "attention" : "neutral"}>
                    {item.isOpen ? "Aberta" : "Decidida"}
                  </Badge>
                </div>
                <span className="text-small text-muted">
                  {item.reason} · {item.day}
                </span>
                {item.details ? (
                  <p dir="auto" className="whitespace-pre-line wrap-anywhere">
                    {item.details}
                  </p>
                ) : null}
                <p>{item.outcome}</p>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <MoreLink next={next} />
    </>
  );
}
