import { quoted } from "#app/domain/text.ts";
import {
  CategoryFilter,
  exploreUrl,
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
import { PublicPost } from "#app/components/posts/public-post.tsx";
import { PublicCreatorCard } from "#app/components/profiles/creator-card.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import type { Context } from "#app/domain/context.ts";
import { loadExplore } from "#app/domain/discovery/queries.server.ts";
import { explorePageLabel, explorePath } from "#app/domain/discovery/schema.ts";
import type { ExploreFilter, FoundCreator } from "#app/domain/discovery/schema.ts";
import { domainContext } from "#app/http/contexts.ts";
import { exploreFilter } from "#app/http/explore-address.ts";
import { enforceVisitorSearchLimit } from "#app/http/limits/search-limit.ts";
import { exploreMeta } from "#app/http/public-pages/product-meta.ts";
import { notFoundMeta } from "#app/http/public-pages/public-meta.ts";
import { readSignedCursor, signCursor } from "#app/http/public-pages/public-cursor.server.ts";
import { throwRefusals } from "#app/http/refusal.ts";
import type { Route } from "./+types/explore.ts";

/** Loads `/explore` as every visitor sees it. Reads no session, so that the edge can cache it. */
export async function loader({ context, request, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const typed = exploreFilter(request, params.page);
  // A link to a further page holds for its own page alone.
  const path = `/explore/public${params.page === undefined ? "" : `/${params.page}`}`;
  const wanted = { ...typed, cursor: await readSignedCursor(ctx.signer, path, typed.cursor) };
  await throwRefusals(() => enforceVisitorSearchLimit(context, { request, query: wanted.q }));
  const { asked, found } = await firstNonEmpty(ctx, wanted);
  const { next } = asked.show === "people" ? found.people : found.posts;
  return {
    asked,
    ...found,
    next: next && (await signCursor(ctx.signer, path, next)),
    now: ctx.now(),
    origin: ctx.settings.appOrigin,
  };
}

/** Shows the newest posts where nothing is trending: a visitor has no other page to go on to. */
async function firstNonEmpty(ctx: Context, wanted: ExploreFilter) {
  const found = await loadExplore(ctx, { ...wanted, viewerId: null });
  const isQuiet =
    wanted.q === "" &&
    wanted.sort === "rising" &&
    wanted.show !== "people" &&
    wanted.cursor === null &&
    found.posts.items.length === 0;
  if (!isQuiet) return { asked: wanted, found };
  const asked: ExploreFilter = { ...wanted, sort: "new" };
  return { asked, found: await loadExplore(ctx, { ...asked, viewerId: null }) };
}

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData ? exploreMeta(loaderData) : notFoundMeta("Explorar");

type Found = Route.ComponentProps["loaderData"];

export default function PublicExplore({ loaderData }: Route.ComponentProps) {
  const { asked, people, near, posts, suggestion } = loaderData;
  const isNothing =
    asked.q !== "" &&
    people.items.length + near.length + posts.items.length === 0 &&
    asked.cursor === null;
  const isWide = isNothing || asked.show === "people";
  return (
    <div className="mx-auto flex w-full max-w-[1112px] flex-col gap-6 px-4 pt-8 pb-8 lg:grid lg:grid-cols-[minmax(0,640px)_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:gap-x-8">
      <div className={`flex min-w-0 flex-col gap-3 ${isWide ? "lg:col-span-2" : "lg:col-start-1"}`}>
        <h1 className="text-title sm:text-display">
          {explorePath(asked) === "/explore" ? "Quem está na praça" : explorePageLabel(asked)}
        </h1>
        <p className="mb-2 text-muted">
          Procure por nome ou assunto. Para seguir, comentar ou assinar, você cria uma conta.
        </p>
        <SearchForm asked={asked} />
        {asked.q ? <ShowTabs asked={asked} /> : null}
        <CategoryFilter asked={asked} />
        {suggestion ? <Suggestion asked={asked} suggestion={suggestion} /> : null}
      </div>
      {isNothing ? <NothingFound asked={asked} /> : <Results found={loaderData} />}
    </div>
  );
}

function Results({ found }: { found: Found }) {
  const { asked, people, near } = found;
  const isPeopleOnly = asked.show === "people";
  const place = isPeopleOnly ? "lg:col-span-2" : "lg:col-start-2 lg:row-span-2 lg:row-start-1";
  return (
    <>
      {people.items.length + near.length > 0 ? (
        <div className={`flex min-w-0 flex-col gap-6 ${place}`}>
          <People
            title={asked.q === "" && asked.category === null ? "Pessoas" : peopleTitle(asked)}
            people={people.items}
            isStrip={!isPeopleOnly}
            card={creatorCard}
          >
            {isPeopleOnly ? (
              <More asked={asked} next={found.next} />
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
      {isPeopleOnly ? null : <Posts found={found} />}
    </>
  );
}

const creatorCard = (creator: FoundCreator) => (
  <PublicCreatorCard key={creator.id} creator={creator} />
);

function Posts({ found: { asked, posts, next, now, origin } }: { found: Found }) {
  const isSearch = asked.q !== "";
  return (
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
      {posts.items.length === 0 ? <NoPosts asked={asked} /> : null}
      {posts.items.map((post, index) => (
        <PublicPost key={post.id} post={post} now={now} origin={origin} eager={index === 0} />
      ))}
      <More asked={asked} next={next} />
    </section>
  );
}

function More({ asked, next }: { asked: ExploreFilter; next: string | null }) {
  if (next === null) return null;
  const path = exploreUrl(asked);
  return (
    <ButtonLink
      to={`${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(next)}`}
      reloadDocument
      variant="outline"
      className="self-center"
    >
      Carregar mais
    </ButtonLink>
  );
}
