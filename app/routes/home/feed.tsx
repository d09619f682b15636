import { useState } from "react";
import { useLocation } from "react-router";
import { RunningEvents } from "#app/components/events/live/running-events.tsx";
import { QuickComposer } from "#app/components/composer/quick-composer.tsx";
import { InfinitePostList } from "#app/components/posts/post-list.tsx";
import { FollowSuggestions } from "#app/components/profiles/follow-suggestions.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { runningEventsStatement } from "#app/domain/events/live/queries.server.ts";
import { feedStatement } from "#app/domain/posts/queries/feed.server.ts";
import { cardsFromRows } from "#app/domain/posts/queries.server.ts";
import { creatorsToFollowStatement } from "#app/domain/profiles/queries.server.ts";
import { creatorCategories } from "#app/domain/profiles/rules/categories.ts";
import { actorContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import { POSTS_PER_PAGE } from "./feed-page.ts";
import type { Route } from "./+types/feed.ts";

const PEOPLE_SHOWN = 6;
const EVENTS_SHOWN = 3;

export const meta: Route.MetaFunction = () => [{ title: "Início · Coreto" }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  const { space, may } = context.get(actorContext);
  const cursor = new URL(request.url).searchParams.get("cursor");
  const [rows, people, running] = await ctx.db.batch([
    feedStatement(ctx, { viewerId: member.id, cursor, limit: POSTS_PER_PAGE }),
    creatorsToFollowStatement(ctx, { viewerId: member.id, limit: PEOPLE_SHOWN }),
    // Only the first page shows them.
    runningEventsStatement(ctx, {
      personId: member.id,
      limit: cursor === null ? EVENTS_SHOWN : 0,
    }),
  ]);
  const posts = cardsFromRows(ctx, rows, member.id, POSTS_PER_PAGE);
  return {
    posts,
    people: posts.items.length === 0 ? people : [],
    running: isHiddenPath("/events", ctx.settings) ? [] : running,
    isFirstPage: cursor === null,
    me: { name: member.name, avatarUrl: member.avatarUrl },
    seed:
      cursor === null && space.isCreator && may("posts:publish")
        ? { authorId: space.personId, postId: ctx.newId(), tab: ctx.newId() }
        : null,
    now: ctx.now(),
    origin: ctx.settings.appOrigin,
  };
}

export default function Feed({ loaderData }: Route.ComponentProps) {
  const { key } = useLocation();
  return (
    <div className="flex flex-col gap-2.5 sm:gap-4">
      <h1 className="sr-only">Início</h1>
      <RunningEvents events={loaderData.running} />
      {loaderData.seed ? (
        <QuickComposer
          key={loaderData.seed.authorId}
          name={loaderData.me.name}
          avatarUrl={loaderData.me.avatarUrl}
          seed={loaderData.seed}
        />
      ) : null}
      {/* Each visit has a list of its own. Opening home again starts a new one. */}
      <Visit key={key} page={loaderData} />
    </div>
  );
}

function Visit({
  page: { posts, people, isFirstPage, now, origin },
}: {
  page: Route.ComponentProps["loaderData"];
}) {
  // A newcomer with an empty feed keeps the suggestions until they leave the page. The first
  // creator they follow may already have posts.
  const [isNewcomer] = useState(isFirstPage && posts.items.length === 0);
  if (isNewcomer)
    return (
      <FollowSuggestions
        people={people}
        categories={creatorCategories}
        hasPosts={posts.items.length > 0}
      />
    );
  const end = (
    <p className="py-6 text-center text-muted">
      Você chegou ao fim: não há mais nada de quem você segue.{" "}
      <ButtonLink to="/explore" variant="outline" size="sm" className="mt-3">
        Explorar
      </ButtonLink>
    </p>
  );
  return (
    <InfinitePostList
      label="Publicações de quem você segue"
      first={posts}
      source="/resources/feed"
      {...(isFirstPage ? { newPostsSource: "/resources/feed-news" } : {})}
      now={now}
      origin={origin}
      end={end}
      empty={
        <EmptyState
          title="Você chegou ao fim"
          action={<ButtonLink to="/">Voltar ao começo</ButtonLink>}
        >
          Não há publicações mais antigas de quem você segue.
        </EmptyState>
      }
    />
  );
}
