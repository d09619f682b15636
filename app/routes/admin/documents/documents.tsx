import { Link } from "react-router";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { pendingDocuments } from "#app/domain/documents/queries.server.ts";
import { isRenewalPending } from "#app/domain/documents/rules.ts";
import { decisionDueAt, isDecisionUrgent } from "#app/domain/documents/expiry/rules.ts";
import { checksLabel } from "#app/domain/documents/registry/rules.ts";
import { missingFiles } from "#app/domain/documents/files/rules.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/documents.ts";

const PAGE_ROWS = 20;

export const meta: Route.MetaFunction = () => [{ title: "Documentos para conferir · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const cursor = new URL(request.url).searchParams.get("cursor");
  const page = await pendingDocuments(ctx, {
    moderatorId: context.get(memberContext).id,
    cursor,
    limit: PAGE_ROWS,
  });
  const items = page.items.map(({ numbers, ...sent }) => ({
    personId: sent.personId,
    name: sent.name,
    username: sent.username,
    sellerName: sent.sellerName,
    waitsSince: sent.waitsSince,
    answerBy: decisionDueAt(sent),
    isWhole: missingFiles(sent.kinds, sent.cnpj !== null).length === 0,
    isContested: sent.status === "contested",
    isRenewed: isRenewalPending(sent),
    registry: checksLabel(numbers),
    isUrgent: isDecisionUrgent(decisionDueAt(sent), ctx.now()),
  }));
  return { items, next: page.next };
}

const REGISTRY_TEXTS = {
  irregular: { label: "CPF ou CNPJ que não está regular", className: "font-semibold text-refusal" },
  unasked: { label: "CPF ou CNPJ ainda não consultado", className: "text-attention" },
  other_name: { label: "Nome difere no cadastro", className: "font-semibold text-attention" },
  regular: { label: "CPF ou CNPJ regular", className: "text-muted" },
} as const;

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
                <Link
                  to={`/admin/documents/${item.personId}`}
                  className="flex flex-wrap justify-between gap-x-4 gap-y-1 px-5 py-4 hover:bg-sand"
                >
                  <span className="flex flex-col">
                    <span className="font-semibold">{item.sellerName}</span>
                    <span className="text-small text-muted">
                      {item.name} · @{item.username}
                    </span>
                    {item.isContested ? (
                      <span className="text-small font-semibold text-attention">
                        Diz que o número de outra conta é seu
                      </span>
                    ) : null}
                    {item.isRenewed ? (
                      <span className="text-small font-semibold text-attention">
                        Documento novo, no lugar de um que vence
                      </span>
                    ) : null}
                    {item.isWhole ? null : (
                      <span className="text-small text-muted">Ainda faltam fotos</span>
                    )}
                    <span className={`text-small ${REGISTRY_TEXTS[item.registry].className}`}>
                      {REGISTRY_TEXTS[item.registry].label}
                    </span>
                  </span>
                  <span className="text-small text-muted sm:text-right">
                    {formatMinute(item.waitsSince)}
                    <span
                      className={`block ${item.isUrgent ? "font-semibold text-attention" : ""}`}
                    >
                      responder até {formatDay(item.answerBy)}
                    </span>
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
