import { UsernameOffer } from "#app/components/account/sign-in/username-offer.tsx";
import {
  CollectionNavigation,
  ContainingCollections,
} from "#app/components/collections/collection-navigation.tsx";
import { AdjacentPosts } from "#app/components/posts/adjacent-posts.tsx";
import { placesFromRows, placesStatement } from "#app/domain/collections/queries/place.server.ts";
import {
  commentsStatement,
  pinnedStatement,
  threadFromRow,
  threadsFromRows,
} from "#app/domain/comments/queries.server.ts";
import { documentsOfPerson } from "#app/domain/documents/queries.server.ts";
import { playerLinks } from "#app/domain/media/queries/links.server.ts";
import { sellingProblem } from "#app/domain/plans/rules.ts";
import {
  adjacentPostsStatement,
  postFromRow,
  postStatement,
} from "#app/domain/posts/queries.server.ts";
import { pollFromRow, pollStatement } from "#app/domain/posts/queries/polls.server.ts";
import { storedPost } from "#app/domain/posts/queries/studio.server.ts";
import { toPostBody, toPostPreview } from "#app/domain/posts/rules/cards.ts";
import { useReadingTime } from "#app/components/posts/use-reading-time.ts";
import { acceptsTips, tipsOfAuthorStatement } from "#app/domain/purchases/tips/queries.server.ts";
import { actorContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { commentHostId } from "#app/http/identity/hosting.ts";
import { usernameOffer } from "#app/http/identity/username-offer.server.ts";
import { countVisit } from "#app/http/visits.server.ts";
import { foundOrAgeGate } from "#app/http/age-gate.server.ts";
import { PostArticle } from "./post-article.tsx";
import { PostConversation } from "./post-conversation.tsx";
import type { Route } from "./+types/post.ts";

const COMMENTS_PER_PAGE = 20;

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: loaderData
      ? `${loaderData.post.title} · ${loaderData.post.author.name} · Coreto`
      : "Publicação não encontrada · Coreto",
  },
];

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  const actor = context.get(actorContext);
  const search = new URL(request.url).searchParams;
  const [cursor, collectionId] = [search.get("cursor"), search.get("collection")];
  const viewing = { postId: params.id, viewerId: member.id, hostId: commentHostId(context) };
  const [[row], commentRows, [pinnedRow], neighbours, placeRows, [pollRow], [tipRow]] =
    await ctx.db.batch([
      postStatement(ctx, viewing),
      commentsStatement(ctx, { ...viewing, cursor, limit: COMMENTS_PER_PAGE }),
      pinnedStatement(ctx, viewing),
      adjacentPostsStatement(ctx, viewing),
      placesStatement(ctx, { ...viewing, collectionId }),
      pollStatement(ctx, viewing),
      tipsOfAuthorStatement(ctx, { postId: params.id }),
    ]);
  const visible = row ? postFromRow(row, member.id, ctx.now()) : null;
  const post = await foundOrAgeGate(
    ctx,
    visible,
    "Não encontramos esta publicação. Ela pode ter saído do ar.",
    { kind: "post", id: params.id, viewer: member },
  );
  const runsPage = post.isOwn || post.author.id === viewing.hostId;
  const mayEdit = actor.space.personId === post.author.id && actor.may("posts:publish");
  const isPriced = post.rules.some((rule) => rule.kind === "price");
  const isPublic = post.rules.some(
    ({ kind, opensAt }) => kind === "public" && (opensAt ?? 0) <= ctx.now(),
  );
  const eyes = { ...viewing, now: ctx.now() };
  if (post.state === "published")
    countVisit({ context, request }, { creatorId: post.author.id, postId: post.id });
  return {
    post: toPostPreview(post),
    isPublic,
    usernameOffer: isPriced && post.access.visible && !post.isOwn ? usernameOffer(context) : null,
    links: post.access.visible
      ? await playerLinks(ctx, { personId: member.id, media: post.media })
      : {},
    ...toPostBody(post),
    mayEdit,
    scheduledAt:
      mayEdit && post.state === "scheduled"
        ? ((await storedPost(ctx, { postId: post.id }))?.scheduledAt ?? null)
        : null,
    stopped:
      mayEdit && isPriced
        ? sellingProblem(await documentsOfPerson(ctx, { personId: post.author.id }), ctx.now())
        : null,
    poll: pollFromRow(ctx, pollRow, { post, isOwn: runsPage }),
    runsPage,
    neighbours,
    ...placesFromRows(placeRows, collectionId),
    comments: threadsFromRows(commentRows, eyes, COMMENTS_PER_PAGE),
    pinned: pinnedRow && cursor === null ? threadFromRow(pinnedRow, eyes) : null,
    mayTip: post.access.visible && !post.isOwn && acceptsTips(tipRow, ctx.now()),
    isHost: post.author.id === viewing.hostId,
    me: { name: member.name, avatarUrl: member.avatarUrl },
    now: ctx.now(),
    origin: ctx.settings.appOrigin,
  };
}

export default function PostPage({ loaderData }: Route.ComponentProps) {
  const { post, neighbours, places, readIn, usernameOffer } = loaderData;
  useReadingTime(post.access.visible ? post.id : null);
  return (
    <div className="flex flex-col gap-4">
      <PostArticle data={loaderData} />
      {usernameOffer ? <UsernameOffer {...usernameOffer} to={`/post/${post.id}`} /> : null}
      {readIn ? (
        <CollectionNavigation
          place={readIn}
          postPathOf={(id) => `/post/${id}`}
          collectionPath={`/collection/${readIn.collectionId}`}
        />
      ) : (
        <>
          <ContainingCollections places={places} pathOf={(id) => `/collection/${id}`} />
          <AdjacentPosts neighbours={neighbours} pathOf={(id) => `/post/${id}`} />
        </>
      )}
      <PostConversation data={loaderData} />
    </div>
  );
}
