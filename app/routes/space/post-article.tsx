import { QrCode as QrCodeIcon } from "lucide-react";
import { Link } from "react-router";
import { ReadMark } from "#app/components/collections/read-mark.tsx";
import { CommentsLink, PostActions, PostByline } from "#app/components/posts/post-card.tsx";
import { LikeButton } from "#app/components/posts/like-button.tsx";
import { LockedPost } from "#app/components/posts/locked-post.tsx";
import { OwnPostMenu } from "#app/components/posts/own-posts/own-post-menu.tsx";
import { PollCard } from "#app/components/posts/polls/poll.tsx";
import { PostMenu } from "#app/components/posts/post-menu.tsx";
import { PostMedia } from "#app/components/posts/post-media.tsx";
import { PostText } from "#app/components/posts/post-text.tsx";
import { SensitiveCover } from "#app/components/posts/sensitive-cover.tsx";
import { ShareLink } from "#app/components/posts/sharing/share-link.tsx";
import { SellingStopped } from "#app/components/plans/selling-stopped.tsx";
import { TipLink } from "#app/components/tips/tip-link.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { pathInCollection } from "#app/domain/collections/rules.ts";
import { unpublishedText } from "#app/domain/posts/rules/scheduling.ts";
import { publicPostPath } from "#app/domain/posts/rules.ts";
import type { Route } from "./+types/post.ts";

type PostData = Route.ComponentProps["loaderData"];

/** The post itself, with what its reader and its author do with it. */
export function PostArticle({ data }: { data: PostData }) {
  const { post, poll, runsPage, mayEdit, scheduledAt, stopped, readIn, mayTip, now, origin } = data;
  return (
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
      <Contents {...data} />
      {poll ? (
        <PollCard
          postId={post.id}
          poll={poll}
          isOwn={runsPage}
          mayEnd={mayEdit && post.state === "published"}
        />
      ) : null}
      {readIn && post.access.visible ? (
        <ReadMark
          key={post.id}
          collectionId={readIn.collectionId}
          postId={post.id}
          isRead={readIn.isRead}
          to={pathInCollection(`/post/${post.id}`, readIn.collectionId)}
        />
      ) : null}
      <Actions post={post} origin={origin} />
      {mayTip ? <TipLink username={post.author.username} className="self-start" /> : null}
      {mayEdit ? <OwnPostMenu post={post} /> : null}
    </Card>
  );
}

/** Text and files, or what is shown instead to who may not see them. */
function Contents({ post, html, files, links }: PostData) {
  return (
    <>
      {html === null ? post.teaser ? <p className="text-muted">{post.teaser}</p> : null : null}
      {post.access.visible && files.length > 0 ? (
        <SensitiveCover isSensitive={post.isSensitive}>
          <PostMedia media={files} links={links} eager={!post.isSensitive} />
        </SensitiveCover>
      ) : null}
      {html === null ? (
        <LockedPost post={post} signedIn />
      ) : (
        <PostText html={html} className="text-[1.0625rem] leading-7" />
      )}
    </>
  );
}

function Actions({ post, origin }: Pick<PostData, "post" | "origin">) {
  return (
    <PostActions>
      <LikeButton
        action={`/post/${post.id}/like`}
        isLiked={post.isLiked}
        likesCount={post.likesCount}
        canLike={post.access.visible}
      />
      <CommentsLink to="#comentarios" count={post.commentsCount} />
      <ShareLink title={post.title} url={origin + publicPostPath(post.author.username, post.id)} />
      <Link
        to={`/post/${post.id}/share`}
        className="inline-flex size-11 items-center justify-center rounded-full text-muted hover:bg-sand hover:text-ink"
        aria-label={`QR code de ${post.title}`}
      >
        <QrCodeIcon aria-hidden="true" className="size-5" />
      </Link>
      {post.isOwn ? null : <PostMenu post={post} />}
    </PostActions>
  );
}
