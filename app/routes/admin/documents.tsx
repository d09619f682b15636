import { Link } from "react-router";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { pendingDocuments } from "#app/domain/documents/queries.server.ts";
import { approvalDeadline } from "#app/domain/documents/rules.ts";
import { isNearDeadline } from "#app/domain/documents/rules/calendar.ts";
import { missingFiles } from "#app/domain/documents/rules/files.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/documents.ts";

const PAGE_ROWS = 20;

export const meta: Route.MetaFunction = () => [{ title: "Documentos para conferir · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const cursor = new URL(request.url).searchParams.get("cursor");
  const page = await pendingDocuments(ctx, { cursor, limit: PAGE_ROWS });
  const items = page.items.map(({ personId, name, username, sellerName, submittedAt, kinds, cnpj }) => ({
    personId,
    name,
    username,
    sellerName,
    submittedAt,
    answerBy: approvalDeadline(submittedAt),
    isWhole: missingFiles(kinds, cnpj !== null).length === 0,
    isUrgent: isNearDeadline(submittedAt, ctx.now()),
  }));
  return { items, next: page.next };
}

export default function Documents({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Documentos para conferir" lead="Quem mandou primeiro vem primeiro." />
      {loaderData.items.length === 0 ? (
        <EmptyState title="Tudo conferido">Ninguém espera resposta agora.</EmptyState>
      ) : (
        <Card className="p-0">
          <ul className="divide-y divide-line">
            {loaderData.items.map((item) => (
              <li key={item.personId}>
                <Link to={`/admin/documents/${item.personId}`} className="flex flex-wrap justify-between gap-x-4 gap-y-1 px-5 py-4 hover:bg-sand">
                  <span className="flex flex-col">
                    <span className="font-semibold">{item.sellerName}</span>
                    <span className="text-small text-muted">
                      {item.name} · @{item.username}
                    </span>
                    {item.isWhole ? null : <span className="text-small text-muted">Ainda faltam fotos</span>}
                  </span>
                  <span className="text-right text-small text-muted">
                    {formatMinute(item.submittedAt)}
                    <span className={`block ${item.isUrgent ? "font-semibold text-attention" : ""}`}>responder até {formatDay(item.answerBy)}</span>
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <MoreLink next={loaderData.next} />
    </>
  );
}
