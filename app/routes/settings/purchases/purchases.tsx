import { Link } from "react-router";
import { GivenGifts } from "#app/components/gifts/given-gifts.tsx";
import { purchaseBadge, singleKindLabel } from "#app/components/payments/purchase-labels.ts";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { purchasesAndGifts } from "#app/domain/purchases/gifts/queries/given-gifts.server.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/purchases.ts";

const PAGE_ROWS = 20;

export const meta: Route.MetaFunction = () => [{ title: "Compras · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const search = new URL(request.url).searchParams;
  const asked = {
    personId: context.get(memberContext).id,
    cursor: search.get("cursor"),
    givenCursor: search.get("gifts"),
    limit: PAGE_ROWS,
  };
  const { bought, given } = await purchasesAndGifts(context.get(domainContext), asked);
  return {
    ...bought,
    gifts: given.items,
    moreGiftsPath:
      given.next === null ? null : `/settings/purchases?gifts=${encodeURIComponent(given.next)}`,
  };
}

export default function Purchases({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Compras"
        lead="O que você pagou uma vez e ficou com você, ou deu a alguém."
      />
      {loaderData.items.length === 0 && loaderData.gifts.length > 0 ? null : loaderData.items
          .length === 0 ? (
        <EmptyState
          title="Você ainda não comprou nada"
          action={<ButtonLink to="/explore">Explorar</ButtonLink>}
        >
          Publicações, coleções e arquivos de mensagens que você comprar ficam aqui, para achar
          quando quiser.
        </EmptyState>
      ) : (
        <Card className="p-0">
          <ul className="divide-y divide-line">
            {loaderData.items.map((item) => (
              <li key={item.id}>
                <Link
                  to={`/settings/purchases/${item.id}`}
                  className="flex flex-wrap items-center gap-4 px-5 py-4 hover:bg-sand"
                >
                  <Avatar
                    name={item.creatorName}
                    src={
                      item.creatorAvatarMediaId ? mediaUrl(item.creatorAvatarMediaId, "320") : null
                    }
                    size="lg"
                  />
                  <span className="flex min-w-40 flex-1 flex-col">
                    <span className="font-semibold wrap-anywhere">{item.title}</span>
                    <span className="text-small text-muted">
                      {singleKindLabel(item.kind)} de {item.creatorName}
                    </span>
                    <span className="text-small text-muted">
                      <Money cents={item.amountCents} /> em {formatDay(item.boughtAt)}
                    </span>
                  </span>
                  <Badge tone={purchaseBadge(item).tone}>{purchaseBadge(item).label}</Badge>
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <MoreLink next={loaderData.next} />
      {loaderData.gifts.length > 0 ? (
        <div className={loaderData.items.length > 0 ? "mt-8" : ""}>
          <GivenGifts gifts={loaderData.gifts} morePath={loaderData.moreGiftsPath} />
        </div>
      ) : null}
    </>
  );
}
