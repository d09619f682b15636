import type { MediaItem } from "#app/domain/media/schema.ts";
import type { Post, PostPreview } from "#app/domain/posts/schema.ts";
import {
  EXCERPT_SOURCE_CHARACTERS,
  markdownText,
  picturesInText,
  renderMarkdown,
} from "./markdown.ts";
import { remembered } from "#app/lib/remembered.ts";

const EXCERPT_CHARACTERS = 280;

/** Posts are read far more often than written: their Markdown is read once per isolate. */
const textOf = remembered(markdownText, { most: 2_000_000 });
const htmlOf = remembered((content) => renderMarkdown(content), { most: 2_000_000 });

/** Maps a post to its card in a list. A locked one shows its teaser only. */
export function toPostPreview(post: Post): PostPreview {
  const { content, ...card } = post;
  const text = content === null ? "" : textOf(content);
  const excerpt = cutAtWord(post.teaser || text, EXCERPT_CHARACTERS);
  const isExcerptCut =
    content !== null && (excerpt !== text || content.length > EXCERPT_SOURCE_CHARACTERS);
  return { ...card, excerpt, isExcerptCut };
}

function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), length - 40)).trimEnd()}…`;
}

/**
 * Returns an open post's text as HTML, with its pictures, and the files that stand beside it. A
 * sensitive post keeps all of its files together, under their one cover. A locked post has no
 * HTML.
 */
export function toPostBody(post: Pick<Post, "content" | "media" | "isSensitive">): {
  html: string | null;
  files: MediaItem[];
} {
  if (post.content === null) return { html: null, files: post.media };
  const pictures = post.isSensitive ? [] : picturesInText(post.content, post.media);
  return {
    html: pictures.length === 0 ? htmlOf(post.content) : renderMarkdown(post.content, { pictures }),
    files: post.media.filter((item) => !pictures.includes(item)),
  };
}
