import { QrCode as QrCodeIcon } from "lucide-react";
import { Form, Link } from "react-router";
import { UsernameOffer } from "#app/components/account/username-offer.tsx";
import {
  CollectionNavigation,
  ContainingCollections,
} from "#app/components/collections/collection-navigation.tsx";
import { ReadMark } from "#app/components/collections/read-mark.tsx";
import { CommentsLink, PostActions, PostByline } from "#app/components/posts/post-card.tsx";
import { Comments } from "#app/components/comments/comments.tsx";
import { LikeButton } from "#app/components/posts/like-button.tsx";
import { LockedPost } from "#app/components/posts/locked-post.tsx";
import { AdjacentPosts } from "#app/components/posts/adjacent-posts.tsx";
import { OwnPostMenu } from "#app/components/posts/own-post-menu.tsx";
import { PollCard } from "#app/components/posts/poll.tsx";
import { PostMenu } from "#app/components/posts/post-menu.tsx";
import { PostMedia } from "#app/components/posts/post-media.tsx";
import { PostText } from "#app/components/posts/post-text.tsx";
import { SensitiveCover } from "#app/components/posts/sensitive-cover.tsx";
import { ShareLink } from "#app/components/posts/share-link.tsx";
import { SellingStopped } from "#app/components/plans/selling-stopped.tsx";
import { TipLink } from "#app/components/tips/tip-link.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { placesFromRows, placesStatement } from "#app/domain/collections/queries/place.server.ts";
import { pathInCollection } from "#app/domain/collections/rules.ts";
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
import { unpublishedText } from "#app/domain/posts/rules/scheduling.ts";
import { publicPostPath } from "#app/domain/posts/rules.ts";
import { toPostBody, toPostPreview } from "#app/domain/posts/rules/cards.ts";
import { useReadingTime } from "#app/components/posts/use-reading-time.ts";
import { acceptsTips, tipsOfAuthorStatement } from "#app/domain/purchases/tips/queries.server.ts";
import { actorContext, domainContext, memberContext } from "#app/http/contexts.ts";
import { commentHostId } from "#app/http/identity/hosting.ts";
import { usernameOffer } from "#app/http/identity/username-offer.server.ts";
import { countVisit } from "#app/http/visits.server.ts";
import { foundOrAgeGate } from "#app/http/age-gate.server.ts";
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
  const {
    post,
    html,
    files,
    links,
    poll,
    runsPage,
    mayEdit,
    scheduledAt,
    stopped,
    neighbours,
    places,
    readIn,
    comments,
    pinned,
    isHost,
    isPublic,
    usernameOffer,
    mayTip,
    me,
    now,
    origin,
  } = loaderData;
  const isOpen = post.access.visible;
  useReadingTime(isOpen ? post.id : null);
  return (
    <div className="flex flex-col gap-4">
      <Card as="article" label={post.title} className="flex flex-col gap-4 p-5 sm:p-6">
        <PostByline
          post={post}
          now={now}
          path={`/post/${post.id}`}
          authorPath={`/space/${post.author.username}`}
          isPublished={post.state === "published"}
        />
        {mayEdit && post.state !== "published" ? (
          <p className="rounded-field bg-attention-soft px-4 py-2 text-small font-medium text-attention">
            {unpublishedText(scheduledAt, post.rules, post.plans)}
          </p>
        ) : null}
        {stopped ? <SellingStopped why={stopped} /> : null}
        <h1 dir="auto" className="text-title sm:text-[2rem] sm:leading-[2.375rem]">
          {post.title}
        </h1>
        {html === null ? post.teaser ? <p className="text-muted">{post.teaser}</p> : null : null}
        {isOpen && files.length > 0 ? (
          <SensitiveCover isSensitive={post.isSensitive}>
            <PostMedia media={files} links={links} eager={!post.isSensitive} />
          </SensitiveCover>
        ) : null}
        {html === null ? (
          <LockedPost post={post} signedIn />
        ) : (
          <PostText html={html} className="text-[1.0625rem] leading-7" />
        )}
        {poll ? (
          <PollCard
            postId={post.id}
            poll={poll}
            isOwn={runsPage}
            mayEnd={mayEdit && post.state === "published"}
          />
        ) : null}
        {readIn && isOpen ? (
          <ReadMark
            key={post.id}
            collectionId={readIn.collectionId}
            postId={post.id}
            isRead={readIn.isRead}
            to={pathInCollection(`/post/${post.id}`, readIn.collectionId)}
          />
        ) : null}
        <PostActions>
          <LikeButton
            action={`/post/${post.id}/like`}
            isLiked={post.isLiked}
            likesCount={post.likesCount}
            canLike={isOpen}
          />
          <CommentsLink to="#comentarios" count={post.commentsCount} />
          <ShareLink
            title={post.title}
            url={origin + publicPostPath(post.author.username, post.id)}
          />
          <Link
            to={`/post/${post.id}/share`}
            className="inline-flex size-11 items-center justify-center rounded-full text-muted hover:bg-sand hover:text-ink"
            aria-label={`QR code de ${post.title}`}
          >
            <QrCodeIcon aria-hidden="true" className="size-5" />
          </Link>
          {post.isOwn ? null : <PostMenu post={post} />}
        </PostActions>
        {mayTip ? <TipLink username={post.author.username} className="self-start" /> : null}
        {mayEdit ? <OwnPostMenu post={post} /> : null}
      </Card>
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
      <Card as="section" label="Comentários" className="flex flex-col gap-4 p-5 sm:p-6">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 id="comentarios" className="text-heading">
            Comentários
          </h2>
          {isHost ? <ClosingForm postId={post.id} areClosed={post.areCommentsClosed} /> : null}
        </div>
        {isOpen ? (
          <>
            <Comments
              postId={post.id}
              pinned={pinned}
              threads={comments.items}
              now={now}
              me={me}
              areClosed={post.areCommentsClosed}
              isPublic={isPublic}
            />
            {comments.items.length === 0 && !pinned && !post.areCommentsClosed ? (
              <p className="text-muted">Ninguém comentou ainda. Puxe a conversa.</p>
            ) : null}
            <MoreLink next={comments.next} />
          </>
        ) : (
          <p className="text-muted">Quem vê a publicação vê também os comentários.</p>
        )}
      </Card>
    </div>
  );
}

function ClosingForm({ postId, areClosed }: { postId: string; areClosed: boolean }) {
  return (
    <Form method="post" action={`/post/${postId}/comments/closing`} preventScrollReset>
      <input type="hidden" name="closed" value={String(!areClosed)} />
      <Button variant="outline" size="sm">
        {areClosed ? "Abrir comentários" : "Fechar comentários"}
      </Button>
    </Form>
  );
}
