import { MessageSquare } from "lucide-react";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { audienceLabel, cardOf } from "#app/domain/posts/rules.ts";
import type { Post } from "#app/domain/posts/schema.ts";
import { formatAgo } from "#app/domain/time.ts";
import { Liked } from "./like-button.tsx";
import { LockedFace } from "./locked-face.tsx";
import { PostImage } from "./post-image.tsx";
import { PostActions } from "./post-card.tsx";
import { PostText } from "./post-text.tsx";
import { ShareLink } from "./share-link.tsx";

const COUNT = new Intl.NumberFormat("pt-BR");

/** A post as everyone sees it, on a page without JavaScript: what is public opens whole, in place. */
export function PublicPost({ post, now, pageUrl, eager }: { post: Post; now: number; pageUrl: string; eager: boolean }) {
  const { excerpt, isExcerptCut } = cardOf(post);
  const avatar = post.author.avatarMediaId;
  const [image] = post.media;
  return (
    <Card as="article" label={post.title} className="flex flex-col gap-3 p-5">
      <header id={`p-${post.id}`} className="flex items-center gap-3">
        <Avatar name={post.author.name} src={avatar ? mediaUrl(avatar, "320") : null} />
        <div className="flex min-w-0 flex-col">
          <span className="leading-5 font-semibold">{post.author.name}</span>
          <span className="text-small text-muted">
            <time dateTime={new Date(post.publishedAt).toISOString()}>{formatAgo(post.publishedAt, now)}</time> · {audienceLabel(post.rules, post.plans)}
          </span>
        </div>
      </header>
      <div className="flex flex-col gap-1">
        <h3 className="text-heading">{post.title}</h3>
        {excerpt ? <p className={`whitespace-pre-line ${post.access.visible ? "" : "text-muted"}`}>{excerpt}</p> : null}
        {post.content !== null && isExcerptCut ? (
          <details className="group">
            <summary className="inline-flex min-h-11 list-none items-center font-semibold text-leaf hover:underline group-open:hidden">Ler tudo</summary>
            <PostText text={post.content} className="pt-3" />
          </details>
        ) : null}
      </div>
      {post.access.visible ? (image ? <PostImage media={image} eager={eager} /> : null) : <LockedFace post={post} signedIn={false} waysPath="#planos" />}
      <PostActions>
        <Liked liked={false} count={post.likesCount} />
        <a href={`/post/${post.id}#comentarios`} className="inline-flex min-h-11 items-center gap-2 px-2.5 font-semibold text-muted hover:text-ink">
          <MessageSquare aria-hidden="true" className="size-5" />
          <span className="tabular-nums">{COUNT.format(post.commentsCount)}</span>
          <span className="sr-only">{post.commentsCount === 1 ? "comentário" : "comentários"}</span>
        </a>
        <ShareLink title={post.title} url={`${pageUrl}#p-${post.id}`} />
      </PostActions>
    </Card>
  );
}
