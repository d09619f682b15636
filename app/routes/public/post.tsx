import { nounFor } from "#app/domain/text.ts";
import { MessageSquare } from "lucide-react";
import { redirect } from "react-router";
import {
  CollectionNavigation,
  ContainingCollections,
} from "#app/components/collections/collection-navigation.tsx";
import { Liked } from "#app/components/posts/like-button.tsx";
import { LockedPost } from "#app/components/posts/locked-post.tsx";
import { AdjacentPosts } from "#app/components/posts/adjacent-posts.tsx";
import { PostActions } from "#app/components/posts/post-card.tsx";
import { PublicComments } from "#app/components/comments/public-comments.tsx";
import { PostQrCode } from "#app/components/posts/sharing/post-qr-code.tsx";
import { PublicByline } from "#app/components/posts/public-byline.tsx";
import { PublicPoll } from "#app/components/posts/polls/poll.tsx";
import { PostMedia } from "#app/components/posts/post-media.tsx";
import { PostText } from "#app/components/posts/post-text.tsx";
import { SensitiveCover } from "#app/components/posts/sensitive-cover.tsx";
import { useMarkedPath } from "#app/components/shell/navigation/use-marked-path.ts";
import { ShareLink } from "#app/components/posts/sharing/share-link.tsx";
import { ReportLink } from "#app/components/reports/report-link.tsx";
import { ErrorPage } from "#app/components/shell/errors/error-page.tsx";
import { TipLink } from "#app/components/tips/tip-link.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { placesFromRows } from "#app/domain/collections/queries/place.server.ts";
import { publicCollectionPath } from "#app/domain/collections/rules.ts";
import { postFromRow } from "#app/domain/posts/queries.server.ts";
import { pollFromRow } from "#app/domain/posts/queries/polls.server.ts";
import { publicPostPath } from "#app/domain/posts/rules.ts";
import { toPostBody, toPostPreview } from "#app/domain/posts/rules/cards.ts";
import { acceptsTips } from "#app/domain/purchases/tips/queries.server.ts";
import { foundOrAgeGate } from "#app/http/age-gate.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { activeMark } from "#app/http/public-pages/active-mark.server.ts";
import { notFoundMeta, postMeta } from "#app/http/public-pages/public-meta.ts";
import { PAYWALL_CLASS } from "#app/http/public-pages/structured-data.ts";
import { withVisited } from "#app/http/visits.server.ts";
import { loginPath } from "#app/lib/own-path.ts";
import { qrDrawing } from "#app/routes/checkout/qr-code.server.ts";
import { publicPostStatements } from "#app/http/public-pages/post-rows.server.ts";
import { readSignedCursor, signCursor } from "#app/http/public-pages/public-cursor.server.ts";
import { publicComments, publicCommentStatements } from "./post-comments.server.ts";
import type { Route } from "./+types/post.ts";

/**
 * Loads a post as every visitor sees it: open, or locked with its offers. Reads no session, so that
 * the edge can cache it.
 */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { pathname, searchParams: search } = new URL(request.url);
  const collectionId = search.get("collection");
  const conversation = {
    postId: params.postId,
    conversationId: search.get("conversation"),
    cursor: await readSignedCursor(ctx.signer, pathname, search.get("cursor")),
  };
  const [[row], neighbours, placeRows, [pollRow], [tipRow], ...commentRows] = await ctx.db.batch([
    ...publicPostStatements(ctx, { postId: params.postId, collectionId }),
    ...publicCommentStatements(ctx, conversation),
  ]);
  const visible = row ? postFromRow(row, null, ctx.now()) : null;
  const whole = await foundOrAgeGate(
    ctx,
    visible,
    "Não encontramos esta publicação. Ela pode ter saído do ar.",
    { kind: "post", id: params.postId, viewer: null },
  );
  const path = publicPostPath(whole.author.username, whole.id);
  // Usernames change. The redirect updates the address in search engines.
  if (whole.author.username !== params.username) throw redirect(path, 301);
  await activeMark(ctx, request, { creatorId: whole.author.id });
  const inCollection = placesFromRows(placeRows, collectionId);
  // A collection that does not hold the post, and a conversation that is gone, make no page of
  // their own.
  if (collectionId !== null && inCollection.readIn === null) throw redirect(path);
  const { next, ...comments } = publicComments(ctx, conversation, commentRows);
  if (conversation.conversationId !== null && comments.threads.length === 0)
    throw redirect(`${path}#comentarios`);
  const pageUrl = ctx.settings.appOrigin + path;
  return withVisited(whole, {
    post: toPostPreview(whole),
    ...toPostBody(whole),
    poll: pollFromRow(ctx, pollRow, { post: whole, isOwn: false }),
    comments: { ...comments, next: next && (await signCursor(ctx.signer, path, next)) },
    neighbours,
    ...inCollection,
    origin: ctx.settings.appOrigin,
    mayTip: whole.access.visible && acceptsTips(tipRow, ctx.now()),
    pageUrl,
    qr: qrDrawing(pageUrl),
  });
}

/** Passes on what the worker counts. */
export const headers: Route.HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) =>
  loaderData ? postMeta(loaderData) : notFoundMeta("Publicação não encontrada");

export default function PublicPostPage({ loaderData }: Route.ComponentProps) {
  const { post, html, files, poll, comments, neighbours, places, readIn, pageUrl } = loaderData;
  const marked = useMarkedPath();
  const [author, space] = [post.author, marked(`/space/${post.author.username}/public`)];
  return (
    <div className="mx-auto flex w-full max-w-[672px] flex-col gap-4 px-4 py-8">
      <Card as="article" label={post.title} className="flex flex-col gap-4 p-5 sm:p-6">
        <PublicByline post={post} space={space} />
        <h1 dir="auto" className="text-title sm:text-[2rem] sm:leading-[2.375rem]">
          {post.title}
        </h1>
        {html === null ? post.teaser ? <p className="text-muted">{post.teaser}</p> : null : null}
        {post.access.visible && files.length > 0 ? (
          <SensitiveCover isSensitive={post.isSensitive}>
            <PostMedia media={files} eager={!post.isSensitive} />
          </SensitiveCover>
        ) : null}
        {html === null ? (
          <div className={PAYWALL_CLASS}>
            <LockedPost post={post} signedIn={false} />
          </div>
        ) : (
          <PostText html={html} readId={post.id} className="text-[1.0625rem] leading-7" />
        )}
        {poll ? <PublicPoll postId={post.id} poll={poll} /> : null}
        <PostActions>
          <Liked liked={false} count={post.likesCount} />
          <a
            href="#comentarios"
            className="inline-flex min-h-11 items-center gap-2 px-2.5 font-semibold text-muted hover:text-ink"
          >
            <MessageSquare aria-hidden="true" className="size-5" />
            <span className="tabular-nums">{post.commentsCount}</span>
            <span className="sr-only">
              {nounFor(post.commentsCount, "comentário", "comentários")}
            </span>
          </a>
          <ShareLink title={post.title} url={pageUrl} />
          <ReportLink to={`/report/post/${post.id}`} of={post.title} />
        </PostActions>
      </Card>
      {readIn ? (
        <CollectionNavigation
          place={readIn}
          postPathOf={(id) => marked(publicPostPath(author.username, id))}
          collectionPath={marked(publicCollectionPath(author.username, readIn.collectionId))}
          reloadDocument
        />
      ) : (
        <>
          <ContainingCollections
            places={places}
            pathOf={(id) => marked(publicCollectionPath(author.username, id))}
            reloadDocument
          />
          <AdjacentPosts
            neighbours={neighbours}
            pathOf={(id) => marked(publicPostPath(author.username, id))}
            reloadDocument
          />
        </>
      )}
      <PublicComments
        comments={comments}
        postId={post.id}
        postPath={publicPostPath(author.username, post.id)}
        isOpen={post.access.visible}
        areClosed={post.areCommentsClosed}
      />
      <PostQrCode drawing={loaderData.qr} title={post.title} pageUrl={pageUrl} />
      <div className="flex flex-wrap gap-2">
        <ButtonLink to={space} reloadDocument variant="outline">
          Mais de {author.name}
        </ButtonLink>
        {loaderData.mayTip ? <TipLink username={author.username} reloadDocument /> : null}
        <ButtonLink to={loginPath(marked(`/post/${post.id}`))} reloadDocument variant="outline">
          Entrar para curtir
        </ButtonLink>
      </div>
    </div>
  );
}

/** Shows the error inside the public layout. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <div className="px-4">
      <ErrorPage error={error} />
    </div>
  );
}
