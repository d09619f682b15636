import { Avatar } from "#app/components/ui/avatar.tsx";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { audienceLabel } from "#app/domain/posts/rules.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import { formatDay } from "#app/domain/time.ts";

/** Who published a post on its page for visitors, when, and for whom. `space` leads to their page. */
export function PublicByline({ post, space }: { post: PostPreview; space: string }) {
  const { author, publishedAt } = post;
  return (
    <header className="flex items-center gap-3">
      <Avatar
        name={author.name}
        src={author.avatarMediaId ? mediaUrl(author.avatarMediaId, "320") : null}
      />
      <div className="flex min-w-0 flex-col">
        <a href={space} className="leading-5 font-semibold hover:underline">
          {author.name}
        </a>
        <span className="text-small text-muted">
          <time dateTime={new Date(publishedAt).toISOString()}>{formatDay(publishedAt)}</time> ·{" "}
          {audienceLabel(post.rules, post.plans)}
          {post.editedAt === null ? null : " · editado"}
        </span>
      </div>
    </header>
  );
}
