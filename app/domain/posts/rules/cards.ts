import type { Post, PostPreview } from "#app/domain/posts/schema.ts";
import { EXCERPT_SOURCE_CHARACTERS, markdownText } from "./markdown.ts";

const EXCERPT_CHARACTERS = 280;

/** Maps a post to its card in a list. A locked one shows its teaser only. */
export function toPostPreview(post: Post): PostPreview {
  const { content, ...card } = post;
  const words = content === null ? "" : markdownText(content);
  const excerpt = cutAtWord(post.teaser || words, EXCERPT_CHARACTERS);
  const isExcerptCut =
    content !== null && (excerpt !== words || content.length > EXCERPT_SOURCE_CHARACTERS);
  return { ...card, excerpt, isExcerptCut };
}

function cutAtWord(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), length - 40)).trimEnd()}…`;
}
