import { Link } from "react-router";
import { PostCard } from "#app/components/posts/post-card.tsx";
import { CreatorCard } from "#app/components/profiles/creator-card.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { cardsFromRows, feedStatement } from "#app/domain/posts/queries.server.ts";
import { creatorsToFollowStatement } from "#app/domain/profiles/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/feed.ts";

const POSTS_PER_PAGE = 10;
const PEOPLE_SHOWN = 6;

export const meta: Route.MetaFunction = () => [{ title: "Início · Coreto" }];

export async function loader({ context, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  const cursor = new URL(request.url).searchParams.get("cursor");
  const [rows, people] = await ctx.db.batch([
    feedStatement(ctx, { viewerId: member.id, cursor, limit: POSTS_PER_PAGE }),
    creatorsToFollowStatement(ctx, { viewerId: member.id, limit: PEOPLE_SHOWN }),
  ]);
  const posts = cardsFromRows(ctx, rows, member.id, POSTS_PER_PAGE);
  return {
    posts,
    people: posts.items.length === 0 ? people : [],
    isFirstPage: cursor === null,
    me: { name: member.name, avatarUrl: member.avatarUrl, isCreator: member.isCreator },
    now: ctx.now(),
    origin: ctx.settings.appOrigin,
  };
}

export default function Feed({ loaderData }: Route.ComponentProps) {
  const { posts, people, isFirstPage, me, now, origin } = loaderData;
  return (
    <div className="flex flex-col gap-2.5 sm:gap-4">
      <h1 className="sr-only">Início</h1>
      {me.isCreator && isFirstPage ? <Compose me={me} /> : null}
      {posts.items.length === 0 ? <NothingYet people={people} isFirstPage={isFirstPage} /> : null}
      {posts.items.map((post, index) => (
        <PostCard key={post.id} post={post} now={now} origin={origin} eager={index === 0} />
      ))}
      <MoreLink next={posts.next} />
    </div>
  );
}

function Compose({ me }: { me: { name: string; avatarUrl: string | null } }) {
  return (
    <Card className="flex items-center gap-3 px-5 py-3 max-sm:-mx-4 max-sm:rounded-none max-sm:border-x-0">
      <Avatar name={me.name} src={me.avatarUrl} />
      <Link to="/post/create" className="min-h-11 flex-1 content-center text-muted">
        O que você quer contar hoje?
      </Link>
      <ButtonLink to="/post/create" variant="outline" size="sm">
        Escrever
      </ButtonLink>
    </Card>
  );
}

type FeedPeople = Awaited<ReturnType<typeof loader>>["people"];

function NothingYet({ people, isFirstPage }: { people: FeedPeople; isFirstPage: boolean }) {
  if (!isFirstPage) {
    return (
      <EmptyState title="Você chegou ao fim" action={<ButtonLink to="/">Voltar ao começo</ButtonLink>}>
        Não há publicações mais antigas de quem você segue.
      </EmptyState>
    );
  }
  return (
    <>
      <EmptyState title="A praça ainda está quieta" action={<ButtonLink to="/explore">Explorar</ButtonLink>}>
        Siga quem faz o que você gosta, e o que publicarem aparece aqui.
      </EmptyState>
      {people.length > 0 ? (
        <section aria-label="Gente para seguir" className="flex flex-col gap-3">
          <h2 className="text-heading">Gente para seguir</h2>
          <ul className="grid grid-cols-1 gap-4 min-[26rem]:grid-cols-2">
            {people.map((creator) => (
              <CreatorCard key={creator.id} creator={creator} isFollowing={false} />
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}
