import { nounFor } from "#app/domain/text.ts";
import { MessageSquare } from "lucide-react";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { useMarkedPath } from "#app/components/shell/navigation/use-marked-path.ts";
import { Card } from "#app/components/ui/card.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { audienceLabel, publicPostPath } from "#app/domain/posts/rules.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import { formatAgo } from "#app/domain/time.ts";
import { Liked } from "./like-button.tsx";
import { LockedPost } from "./locked-post.tsx";
import { MediaPreview } from "./post-media.tsx";
import { PostActions } from "./post-card.tsx";
import { PollLabel } from "./polls/poll-label.tsx";
import { SensitiveCover } from "./sensitive-cover.tsx";
import { ShareLink } from "./sharing/share-link.tsx";

const COUNT = new Intl.NumberFormat("pt-BR");

/**
 * Post for visitors, on a page without JavaScript: the public beginning, and a link to get access
 * to the rest.
 */
export function PublicPost({
  post,
  now,
  origin,
  eager,
}: {
  post: PostPreview;
  now: number;
  origin: string;
  eager: boolean;
}) {
  const address = publicPostPath(post.author.username, post.id);
  const path = useMarkedPath()(address);
  const avatar = post.author.avatarMediaId;
  return (
    <Card as="article" label={post.title} className="flex flex-col gap-3 p-5">
      <header id={`p-${post.id}`} className="flex items-center gap-3">
        <Avatar name={post.author.name} src={avatar ? mediaUrl(avatar, "320") : null} />
        <div className="flex min-w-0 flex-col">
          <span className="leading-5 font-semibold">{post.author.name}</span>
          <span className="text-small text-muted">
            <time dateTime={new Date(post.publishedAt).toISOString()}>
              {formatAgo(post.publishedAt, now)}
            </time>{" "}
            · {audienceLabel(post.rules, post.plans)}
            {post.editedAt === null ? null : " · editado"}
            {post.isPinned ? " · fixada" : null}
          </span>
        </div>
      </header>
      <div className="flex flex-col gap-1">
        <h3 className="text-heading">
          <a href={path}>{post.title}</a>
        </h3>
        {post.excerpt ? (
          <p className={`whitespace-pre-line ${post.access.visible ? "" : "text-muted"}`}>
            {post.excerpt}
          </p>
        ) : null}
        {post.access.visible && post.isExcerptCut ? (
          <a
            href={path}
            className="inline-flex min-h-11 items-center self-start font-semibold text-leaf hover:underline"
            aria-label={`Ler tudo: ${post.title}`}
          >
            Ler tudo
          </a>
        ) : null}
      </div>
      {post.access.visible ? (
        post.media.length > 0 ? (
          <SensitiveCover isSensitive={post.isSensitive}>
            <MediaPreview media={post.media} eager={eager && !post.isSensitive} />
          </SensitiveCover>
        ) : null
      ) : (
        <LockedPost post={post} signedIn={false} />
      )}
      {post.poll ? <PollLabel poll={post.poll} /> : null}
      <PostActions>
        <Liked liked={false} count={post.likesCount} />
        <a
          href={`${path}#comentarios`}
          className="inline-flex min-h-11 items-center gap-2 px-2.5 font-semibold text-muted hover:text-ink"
        >
          <MessageSquare aria-hidden="true" className="size-5" />
          <span className="tabular-nums">{COUNT.format(post.commentsCount)}</span>
          <span className="sr-only">
            {nounFor(post.commentsCount, "comentário", "comentários")}
          </span>
        </a>
        <ShareLink title={post.title} url={origin + address} />
      </PostActions>
    </Card>
  );
}
