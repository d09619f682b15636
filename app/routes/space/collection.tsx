import { Link } from "react-router";
import { PostCard } from "#app/components/posts/post-card.tsx";
import { Bandeirinhas } from "#app/components/ui/bandeirinhas.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { collectionFor } from "#app/domain/collections/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { found } from "#app/http/refusal.ts";
import type { Route } from "./+types/collection.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: `${loaderData?.collection.title ?? "Coleção não encontrada"} · Coreto` }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const page = found(
    await collectionFor(ctx, { collectionId: params.id, viewerId: context.get(memberContext).id }),
    "Não encontramos esta coleção.",
  );
  return { ...page, now: ctx.now(), origin: ctx.settings.appOrigin };
}

export default function Collection({ loaderData }: Route.ComponentProps) {
  const { collection, posts, now, origin } = loaderData;
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-col gap-4 overflow-hidden rounded-card border border-line bg-card pb-6">
        <Bandeirinhas seed={collection.title} columns={14} rows={3} className="h-32 w-full" />
        <div className="flex flex-col gap-1 px-6">
          <h1 className="text-title">{collection.title}</h1>
          <p className="text-muted">
            Coleção de{" "}
            <Link to={`/space/${collection.creatorUsername}`} className="font-semibold text-leaf hover:underline">
              {collection.creatorName}
            </Link>{" "}
            · {collection.postsCount === 1 ? "1 publicação" : `${collection.postsCount} publicações`}
          </p>
          {collection.description ? <p className="pt-2">{collection.description}</p> : null}
        </div>
      </header>
      {posts.length === 0 ? (
        <EmptyState title="Esta coleção está vazia" action={<ButtonLink to={`/space/${collection.creatorUsername}`}>Ver a página</ButtonLink>}>
          Ainda não há publicações aqui. Veja o que mais {collection.creatorName} faz.
        </EmptyState>
      ) : null}
      {posts.map((post, index) => (
        <PostCard key={post.id} post={post} now={now} origin={origin} eager={index === 0} />
      ))}
    </div>
  );
}
