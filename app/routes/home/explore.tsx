import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import {
  CategoryFilter,
  FilterLinks,
  exploreUrl,
  KindFilter,
  SearchForm,
} from "#app/components/explore/filters.tsx";
import { InfinitePostList } from "#app/components/posts/post-list.tsx";
import { CreatorCard } from "#app/components/profiles/creator-card.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { loadExplore } from "#app/domain/discovery/queries.server.ts";
import { exploreSchema } from "#app/domain/discovery/schema.ts";
import type { ExploreFilter, FoundCreator } from "#app/domain/discovery/schema.ts";
import { CATEGORY_LABELS } from "#app/domain/profiles/rules/categories.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { throwRefusals } from "#app/http/refusal.ts";
import { enforceSearchLimit } from "#app/http/limits/search-limit.ts";
import type { Route } from "./+types/explore.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.asked.q ? `“${loaderData.asked.q}” · ` : ""}Explorar · Coreto` },
];

export async function loader({ context, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const asked = exploreSchema.parse(Object.fromEntries(new URL(request.url).searchParams));
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
        <h1 className="sr-only">Explorar</h1>
        <SearchForm asked={asked} />
        {asked.q ? <ShowTabs asked={asked} /> : null}
        <CategoryFilter asked={asked} />
        {suggestion ? <Suggestion asked={asked} suggestion={suggestion} /> : null}
      </div>
      {isNothing ? <NothingFound asked={asked} /> : <Results key={key} found={loaderData} />}
    </div>
  );
}

function Suggestion({ asked, suggestion }: { asked: ExploreFilter; suggestion: string }) {
  return (
    <p className="wrap-anywhere">
      Você quis dizer{" "}
      <Link
        to={exploreUrl(asked, { q: suggestion })}
        className="inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
      >
        {suggestion}
      </Link>
      ?
    </p>
  );
}

function ShowTabs({ asked }: { asked: ExploreFilter }) {
  const tab = (show: ExploreFilter["show"], label: string) => ({
    to: exploreUrl(asked, { show }),
    label,
    isChosen: asked.show === show,
  });
  return (
    <FilterLinks
      label="O que procurar"
      chips={[tab("all", "Tudo"), tab("people", "Pessoas"), tab("posts", "Publicações")]}
    />
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
            title={
              isSearch
                ? `Pessoas com “${asked.q}”`
                : asked.category
                  ? `Quem faz: ${CATEGORY_LABELS[asked.category]}`
                  : "Quem está na praça"
            }
            people={people.items}
            isStrip={!isPeopleOnly}
          >
            {asked.show === "people" ? (
              <MoreLink next={people.next} />
            ) : people.next ? (
              <AllPeople asked={asked} />
            ) : null}
          </People>
          <People
            title={people.items.length > 0 ? "Nomes parecidos" : "Você quis dizer…"}
            people={near}
            isStrip={!isPeopleOnly}
          />
        </div>
      ) : null}
      {asked.show === "people" ? null : (
        <section aria-label="Publicações" className="flex min-w-0 flex-col gap-4 lg:col-start-1">
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            <h2 className="text-heading">
              {isSearch ? `Publicações com “${asked.q}”` : "Publicações"}
            </h2>
            {isSearch ? null : <SortTabs asked={asked} />}
          </div>
          {isSearch && posts.items.length === 0 && asked.kind === null ? null : (
            <KindFilter asked={asked} />
          )}
          <InfinitePostList
            label="Publicações"
            first={posts}
            source={exploreUrl(asked).replace("/explore", "/resources/explore")}
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

function SortTabs({ asked }: { asked: ExploreFilter }) {
  const tab = (sort: ExploreFilter["sort"], label: string) => ({
    to: exploreUrl(asked, { sort }),
    label,
    isChosen: asked.sort === sort,
  });
  return (
    <FilterLinks
      label="Ordem das publicações"
      chips={[tab("rising", "Em alta"), tab("new", "Novas")]}
    />
  );
}

function AllPeople({ asked }: { asked: ExploreFilter }) {
  return (
    <Link
      to={exploreUrl(asked, { show: "people" })}
      className="inline-flex min-h-11 items-center self-start font-semibold text-leaf hover:underline"
    >
      Ver todas as pessoas
    </Link>
  );
}

/**
 * On a phone the people are a horizontal strip, so that the posts are not far below. On a wide
 * screen they stand beside the posts.
 */
const STRIP =
  "lg:grid-cols-1 max-sm:-mx-4 max-sm:flex max-sm:overflow-x-auto max-sm:px-4 max-sm:*:w-60 max-sm:*:shrink-0";

function People({
  title,
  people,
  isStrip,
  children = null,
}: {
  title: string;
  people: FoundCreator[];
  isStrip: boolean;
  children?: ReactNode;
}) {
  if (people.length === 0) return null;
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="text-heading wrap-anywhere">{title}</h2>
      <ul
        className={`grid grid-cols-1 gap-4 sm:grid-cols-3 ${isStrip ? STRIP : "min-[26rem]:grid-cols-2 lg:grid-cols-4"}`}
      >
        {people.map((creator) => (
          <CreatorCard key={creator.id} creator={creator} isFollowing={creator.isFollowing} />
        ))}
      </ul>
      {children}
    </section>
  );
}

function NothingFound({ asked }: { asked: ExploreFilter }) {
  const hasFilter = asked.category !== null || asked.kind !== null || asked.show !== "all";
  return (
    <div className="lg:col-span-2">
      <EmptyState
        title={`Nada com “${asked.q}”`}
        action={
          <>
            {hasFilter ? (
              <ButtonLink to={exploreUrl(asked, { category: null, kind: null, show: "all" })}>
                Procurar em tudo
              </ButtonLink>
            ) : null}
            <ButtonLink to="/explore" variant="outline">
              Ver quem está na praça
            </ButtonLink>
          </>
        }
      >
        Confira como se escreve, ou procure pelo que a pessoa faz.
      </EmptyState>
    </div>
  );
}

function NoPosts({ asked }: { asked: ExploreFilter }) {
  if (asked.cursor !== null) return <p className="text-muted">Não há mais publicações.</p>;
  if (asked.q !== "") return <p className="text-muted">Nenhuma publicação com “{asked.q}”.</p>;
  if (asked.sort === "rising") {
    return (
      <EmptyState
        title="Nada em alta por aqui"
        action={<ButtonLink to={exploreUrl(asked, { sort: "new" })}>Ver as novas</ButtonLink>}
      >
        O que as pessoas curtirem e comentarem aparece aqui primeiro.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Ainda não há publicações assim"
      action={<ButtonLink to="/explore?sort=new">Ver todas as novas</ButtonLink>}
    >
      Ninguém publicou isto para todo mundo ainda.
    </EmptyState>
  );
}
