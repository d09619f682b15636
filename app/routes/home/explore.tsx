import { quoted } from "#app/domain/text.ts";
import { useLocation } from "react-router";
import {
  CategoryFilter,
  explorePostsUrl,
  KindFilter,
  SearchForm,
} from "#app/components/explore/filters.tsx";
import {
  AllPeople,
  nearTitle,
  NoPosts,
  NothingFound,
  People,
  peopleTitle,
  ShowTabs,
  SortTabs,
  Suggestion,
} from "#app/components/explore/results.tsx";
import { InfinitePostList } from "#app/components/posts/post-list.tsx";
import { CreatorCard } from "#app/components/profiles/creator-card.tsx";
import { MoreLink } from "#app/components/ui/links/pager.tsx";
import { loadExplore } from "#app/domain/discovery/queries.server.ts";
import { explorePageLabel, explorePath } from "#app/domain/discovery/schema.ts";
import type { FoundCreator } from "#app/domain/discovery/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { exploreFilter } from "#app/http/explore-address.ts";
import { throwRefusals } from "#app/http/refusal.ts";
import { enforceSearchLimit } from "#app/http/limits/search-limit.ts";
import type { Route } from "./+types/explore.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: [
      ...(loaderData?.asked.q ? [quoted(loaderData.asked.q)] : []),
      ...(loaderData && explorePath(loaderData.asked) !== "/explore"
        ? [explorePageLabel(loaderData.asked)]
        : []),
      "Explorar · Coreto",
    ].join(" · "),
  },
];

export async function loader({ context, request, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const asked = exploreFilter(request, params.page);
  const { id: viewerId } = context.get(memberContext);
  await throwRefusals(() => enforceSearchLimit(context, { memberId: viewerId, query: asked.q }));
  const found = await loadExplore(ctx, { ...asked, viewerId });
  return { asked, ...found, now: ctx.now(), origin: ctx.settings.appOrigin };
}

/** The people stand beside the posts, where the shell's side column would be. */
export const handle = { shell: "wide" };

type Found = Route.ComponentProps["loaderData"];

export default function Explore({ loaderData }: Route.ComponentProps) {
  const { asked, people, near, posts, suggestion } = loaderData;
  const { key } = useLocation();
  const isNothing =
    asked.q !== "" &&
    people.items.length + near.length + posts.items.length === 0 &&
    asked.cursor === null;
  return (
    <div className="flex flex-col gap-6 lg:grid lg:grid-cols-[minmax(0,640px)_minmax(0,1fr)] lg:grid-rows-[auto_1fr] xl:gap-x-8">
      <div
        className={`flex flex-col gap-3 ${isNothing || asked.show === "people" ? "lg:col-span-2" : "lg:col-start-1"}`}
      >
        <h1 className="sr-only">
          {explorePath(asked) === "/explore" ? "Explorar" : `Explorar: ${explorePageLabel(asked)}`}
        </h1>
        <SearchForm asked={asked} />
        {asked.q ? <ShowTabs asked={asked} /> : null}
        <CategoryFilter asked={asked} />
        {suggestion ? <Suggestion asked={asked} suggestion={suggestion} /> : null}
      </div>
      {isNothing ? <NothingFound asked={asked} /> : <Results key={key} found={loaderData} />}
    </div>
  );
}

function Results({ found: { asked, people, near, posts, now, origin } }: { found: Found }) {
  const isSearch = asked.q !== "";
  const isPeopleOnly = asked.show === "people";
  const hasPeople = people.items.length + near.length > 0;
  return (
    <>
      {hasPeople ? (
        <div
          className={`flex flex-col gap-6 ${isPeopleOnly ? "lg:col-span-2" : "lg:col-start-2 lg:row-span-2 lg:row-start-1"}`}
        >
          <People
            title={peopleTitle(asked)}
            people={people.items}
            isStrip={!isPeopleOnly}
            card={creatorCard}
          >
            {asked.show === "people" ? (
              <MoreLink next={people.next} />
            ) : people.next ? (
              <AllPeople asked={asked} />
            ) : null}
          </People>
          <People
            title={nearTitle(people.items.length)}
            people={near}
            isStrip={!isPeopleOnly}
            card={creatorCard}
          />
        </div>
      ) : null}
      {asked.show === "people" ? null : (
        <section aria-label="Publicações" className="flex min-w-0 flex-col gap-4 lg:col-start-1">
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            <h2 className="text-heading">
              {isSearch ? `Publicações com ${quoted(asked.q)}` : "Publicações"}
            </h2>
            {isSearch ? null : <SortTabs asked={asked} />}
          </div>
          {isSearch && posts.items.length === 0 && asked.kind === null ? null : (
            <KindFilter asked={asked} />
          )}
          <InfinitePostList
            label="Publicações"
            first={posts}
            source={explorePostsUrl(asked)}
            isRanked={!isSearch && asked.sort === "rising"}
            now={now}
            origin={origin}
            empty={<NoPosts asked={asked} />}
          />
        </section>
      )}
    </>
  );
}

const creatorCard = (creator: FoundCreator) => (
  <CreatorCard key={creator.id} creator={creator} isFollowing={creator.isFollowing} />
);
