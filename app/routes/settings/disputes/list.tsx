import { DisputeList } from "#app/components/payments/dispute-list.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { creatorDisputes } from "#app/domain/disputes/queries.server.ts";
import { requireActor } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { toDisputeListItem } from "#app/http/money/dispute.server.ts";
import type { Route } from "./+types/list.ts";

const PAGE_ROWS = 20;

export const meta: Route.MetaFunction = () => [{ title: "Contestações · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { space, isOwn } = requireActor({ context }, "money:see");
  const { items, next } = await creatorDisputes(ctx, {
    creatorId: space.personId,
    cursor: new URL(request.url).searchParams.get("cursor"),
    limit: PAGE_ROWS,
  });
  return {
    items: items.map((row) => toDisputeListItem(row, ctx.now())),
    next,
    of: isOwn ? null : space.name,
  };
}

export default function Disputes({ loaderData: { items, next, of } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Contestações"
        lead={`Pagamentos${of ? ` da página de ${of}` : ""} que alguém pediu de volta pelo banco. O valor fica bloqueado até a decisão, e dá para responder.`}
      />
      {items.length > 0 ? (
        <DisputeList rows={items} />
      ) : (
        <EmptyState
          title="Nenhuma contestação"
          action={<ButtonLink to="/settings/transactions">Ver o extrato</ButtonLink>}
        >
          Se alguém contestar um pagamento no banco, avisamos você e o caso aparece aqui.
        </EmptyState>
      )}
      <MoreLink next={next} />
    </>
  );
}
