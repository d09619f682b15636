import { nounFor } from "#app/domain/text.ts";
import { MessageSquare } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { useMarkedPath } from "#app/components/shell/navigation/use-marked-path.ts";
import { Card } from "#app/components/ui/card.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { audienceLabel, publicPostPath } from "#app/domain/posts/rules.ts";
import type { PostPreview as PostCardData } from "#app/domain/posts/schema.ts";
import { formatAgo } from "#app/domain/time.ts";
import { LikeButton } from "./like-button.tsx";
import { LockedPost } from "./locked-post.tsx";
import { MediaPreview } from "./post-media.tsx";
import { PollLabel } from "./polls/poll-label.tsx";
import { PostMenu } from "./post-menu.tsx";
import { SensitiveCover } from "./sensitive-cover.tsx";
import { ShareLink } from "./sharing/share-link.tsx";

const COUNT = new Intl.NumberFormat("pt-BR");

type PostCardProps = {
  post: PostCardData;
  /** The loader's clock, so that server and browser render the same text. */
  now: number;
  /** Origin of our URLs, for sharing. */
  origin: string;
  eager?: boolean;
  /** Position in a feed, from 1. */
  position?: number;
};

/**
 * Post in a member's list: unlocked with its image and like button, or locked with a link to get
 * access.
 */
export function PostCard({ post, now, origin, eager = false, position }: PostCardProps) {
  const marked = useMarkedPath();
  const path = marked(`/post/${post.id}`);
  return (
    <Card
      as="article"
      label={post.title}
      position={position}
      className="flex scroll-mt-16 flex-col gap-3 p-5 lg:scroll-mt-4 max-sm:-mx-4 max-sm:rounded-none max-sm:border-x-0"
    >
      <PostByline post={post} now={now} path={path} authorPath={`/space/${post.author.username}`} />
      <div className="flex flex-col gap-1">
        <h2 className="text-heading">
          <Link to={path} viewTransition>
            {post.title}
          </Link>
        </h2>
        {post.excerpt ? (
          <p className={`whitespace-pre-line ${post.access.visible ? "text-ink" : "text-muted"}`}>
            {post.excerpt}
            {post.access.visible && post.isExcerptCut ? (
              <>
                {" "}
                <Link
                  to={path}
                  viewTransition
                  className="font-semibold whitespace-nowrap text-leaf underline-offset-3 hover:underline"
                  aria-label={`Ler tudo: ${post.title}`}
                >
                  Ler tudo
                </Link>
              </>
            ) : null}
          </p>
        ) : null}
      </div>
      {post.access.visible ? (
        post.media.length > 0 ? (
          <SensitiveCover isSensitive={post.isSensitive}>
            <Link to={path} tabIndex={-1} aria-hidden="true" viewTransition>
              <MediaPreview media={post.media} eager={eager && !post.isSensitive} />
            </Link>
          </SensitiveCover>
        ) : null
      ) : (
        <LockedPost post={post} signedIn />
      )}
      {post.poll ? <PollLabel poll={post.poll} /> : null}
      <PostActions>
        <LikeButton
          action={`/post/${post.id}/like`}
          isLiked={post.isLiked}
          likesCount={post.likesCount}
          canLike={post.access.visible}
        />
        <CommentsLink to={`${path}#comentarios`} count={post.commentsCount} />
        <ShareLink
          title={post.title}
          url={origin + publicPostPath(post.author.username, post.id)}
        />
        {post.isOwn ? null : <PostMenu post={post} />}
      </PostActions>
    </Card>
  );
}

type Bylined = Pick<
  PostCardData,
  "author" | "publishedAt" | "editedAt" | "isPinned" | "rules" | "plans" | "publishedBy"
>;

export function PostByline({
  post,
  now,
  path,
  authorPath,
  isPublished = true,
}: {
  post: Bylined;
  now: number;
  path: string;
  authorPath: string;
  isPublished?: boolean;
}) {
  const avatar = post.author.avatarMediaId;
  return (
    <header className="flex items-center gap-3">
      <Link to={authorPath} tabIndex={-1} aria-hidden="true">
        <Avatar name={post.author.name} src={avatar ? mediaUrl(avatar, "320") : null} />
      </Link>
      <div className="flex min-w-0 flex-col">
        <Link to={authorPath} className="leading-5 font-semibold hover:underline">
          {post.author.name}
        </Link>
        <span className="text-small text-muted">
          <Link to={path} viewTransition className="hover:underline">
            {isPublished ? (
              <time dateTime={new Date(post.publishedAt).toISOString()}>
                {formatAgo(post.publishedAt, now)}
              </time>
            ) : (
              "ainda não publicada"
            )}
          </Link>{" "}
          · {audienceLabel(post.rules, post.plans)}
          {post.editedAt === null ? null : " · editado"}
          {post.isPinned ? " · fixada" : null}
          {post.publishedBy === null ? "" : ` · por ${post.publishedBy}`}
        </span>
      </div>
    </header>
  );
}

export function PostActions({ children }: { children: ReactNode }) {
  return <div className="flex items-center gap-4">{children}</div>;
}

export function CommentsLink({ to, count }: { to: string; count: number }) {
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center gap-2 rounded-full px-2.5 font-semibold text-muted hover:bg-sand"
    >
      <MessageSquare aria-hidden="true" className="size-5" />
      <span className="tabular-nums">{COUNT.format(count)}</span>
      <span className="sr-only">{nounFor(count, "comentário", "comentários")}</span>
    </Link>
  );
}
