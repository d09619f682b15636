import { Search } from "lucide-react";
import { Form } from "react-router";
import { PostCard } from "#app/components/posts/post-card.tsx";
import { CreatorCard } from "#app/components/profiles/creator-card.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { explorePosts } from "#app/domain/posts/queries.server.ts";
import { creators } from "#app/domain/profiles/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/explore.ts";

const CREATORS_SHOWN = 6;
const FOUND_PER_PAGE = 24;
const POSTS_PER_PAGE = 10;

export const meta: Route.MetaFunction = () => [{ title: "Explorar · Coreto" }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const viewerId = context.get(memberContext).id;
  const { searchParams } = new URL(request.url);
  const search = searchParams.get("q")?.trim() ?? "";
  const cursor = searchParams.get("cursor");
  const shared = { search, now: ctx.now(), origin: ctx.settings.appOrigin };
  if (search !== "") {
    return { ...shared, people: await creators(ctx, { viewerId, cursor, limit: FOUND_PER_PAGE, search }), posts: null };
  }
  const [people, posts] = await Promise.all([
    creators(ctx, { viewerId, cursor: null, limit: CREATORS_SHOWN }),
    explorePosts(ctx, { viewerId, cursor, limit: POSTS_PER_PAGE }),
  ]);
  return { ...shared, people: { items: cursor === null ? people.items : [], next: null }, posts };
}

export default function Explore({ loaderData }: Route.ComponentProps) {
  const { search, people, posts, now, origin } = loaderData;
  return (
    <div className="flex flex-col gap-6">
      <h1 className="sr-only">Explorar</h1>
      <SearchForm search={search} />
      {people.items.length > 0 ? (
        <section aria-label={search ? "Pessoas encontradas" : "Quem está na praça"} className="flex flex-col gap-3">
          <h2 className="text-heading">{search ? `Pessoas com “${search}”` : "Quem está na praça"}</h2>
          <ul className="grid grid-cols-1 gap-4 min-[26rem]:grid-cols-2 sm:grid-cols-3">
            {people.items.map((creator) => (
              <CreatorCard key={creator.id} creator={creator} isFollowing={creator.isFollowing} />
            ))}
          </ul>
          <MoreLink next={people.next} />
        </section>
      ) : null}
      {search && people.items.length === 0 ? (
        <EmptyState title={`Ninguém com “${search}”`} action={<ButtonLink to="/explore">Ver quem está na praça</ButtonLink>}>
          Confira como o nome se escreve, ou procure pelo que a pessoa faz.
        </EmptyState>
      ) : null}
      {posts ? (
        <section aria-label="Publicações recentes" className="flex flex-col gap-4">
          <h2 className="text-heading">Publicações recentes</h2>
          {posts.items.length === 0 ? <p className="text-muted">Não há mais publicações.</p> : null}
          {posts.items.map((post) => (
            <PostCard key={post.id} post={post} now={now} origin={origin} />
          ))}
          <MoreLink next={posts.next} />
        </section>
      ) : null}
    </div>
  );
}

function SearchForm({ search }: { search: string }) {
  return (
    <Form method="get" role="search" className="flex gap-2">
      <label htmlFor="q" className="sr-only">
        Procurar pessoas
      </label>
      <div className="relative flex-1">
        <Search aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-4 my-auto size-5 text-muted" />
        <input
          id="q"
          name="q"
          type="search"
          key={search}
          defaultValue={search}
          maxLength={60}
          placeholder="Nome, @usuário ou o que faz"
          className="min-h-12 w-full rounded-full border border-edge bg-card pr-4 pl-12 placeholder:text-muted"
        />
      </div>
      <Button variant="outline" size="lg">
        Procurar
      </Button>
    </Form>
  );
}
