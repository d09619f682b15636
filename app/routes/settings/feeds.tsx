import { Link } from "react-router";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { privateFeedSubscriptions } from "#app/domain/syndication/queries/feeds.server.ts";
import { formatDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/feeds.ts";

const PAGE_ROWS = 20;

export const meta: Route.MetaFunction = () => [{ title: "Feeds particulares · Coreto" }];

export async function loader({ context, url }: Route.LoaderArgs) {
  const { items, next } = await privateFeedSubscriptions(context.get(domainContext), {
    personId: context.get(memberContext).id,
    cursor: url.searchParams.get("cursor"),
    limit: PAGE_ROWS,
  });
  const shown = items.map(({ username, name, avatarMediaId, feedSince }) => ({
    username,
    name,
    avatarUrl: avatarMediaId && mediaUrl(avatarMediaId, "320"),
    since: feedSince && formatDay(feedSince),
  }));
  return { items: shown, next };
}

export default function Feeds({ loaderData: { items, next } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Feeds particulares"
        lead="Ouça e leia quem você assina no seu tocador de podcasts ou leitor de feeds."
      />
      {items.length === 0 ? (
        <EmptyState
          title="Você ainda não assina ninguém"
          action={<ButtonLink to="/explore">Explorar</ButtonLink>}
        >
          Cada assinatura pode ter um endereço só seu, que funciona enquanto ela durar.
        </EmptyState>
      ) : (
        <Card className="p-0">
          <ul className="divide-y divide-line">
            {items.map((item) => (
              <li key={item.username}>
                <Link
                  to={`/settings/feeds/${item.username}`}
                  className="flex flex-wrap items-center gap-4 px-5 py-4 hover:bg-sand"
                >
                  <Avatar name={item.name} src={item.avatarUrl} size="lg" />
                  <span className="flex min-w-40 flex-1 flex-col">
                    <span className="font-semibold">{item.name}</span>
                    <span className="text-small text-muted">
                      {item.since ? `Feed criado em ${item.since}` : "Sem feed particular"}
                    </span>
                  </span>
                  <Badge tone={item.since ? "good" : "neutral"}>
                    {item.since ? "Ligado" : "Desligado"}
                  </Badge>
                </Link>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <MoreLink next={next} />
    </>
  );
}
