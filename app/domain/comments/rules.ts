import type { RateLimit } from "#app/domain/rate-limits/schema.ts";
import { cleanText, hasVisibleText } from "#app/domain/text.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/** How long an author can edit a comment. Source: issue 4, "Comments, likes, follows". */
export const EDIT_WINDOW_MS = 15 * MINUTE_MS;
/** How long a removed comment can be restored. Then its text is erased. */
export const UNDO_WINDOW_MS = 10 * MINUTE_MS;
/** The most people that one comment notifies by a mention. */
const MENTIONS_LIMIT = 10;
/** Limits of comments per person. */
export const COMMENT_LIMITS: readonly RateLimit[] = [
  { windowMs: MINUTE_MS, limit: 6 },
  { windowMs: HOUR_MS, limit: 60 },
];
export const COMMENT_LIKE_LIMITS: readonly RateLimit[] = [{ windowMs: MINUTE_MS, limit: 120 }];

const MENTION =
  /(^|[^\p{L}\p{N}._@/-])@([a-z0-9](?:[a-z0-9._-]{0,254}[a-z0-9]))(?![\p{L}\p{N}@])/giu;
const ADDRESS = /(https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]])/g;
/**
 * Cleans a typed comment for storage, with at most one blank line in a row. Empty when nothing
 * visible remains.
 */
export function cleanCommentBody(typed: string): string {
  const text = cleanText(typed)
    .replaceAll("\t", " ")
    .replaceAll(/[^\S\n]+\n/g, "\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  return hasVisibleText(text) ? text : "";
}

/**
 * Returns the first ten usernames mentioned with an @, lower-case and without repetition. An e-mail
 * address is no mention.
 */
export function mentionsIn(body: string): string[] {
  const named = new Set<string>();
  for (const [, , username = ""] of body.matchAll(MENTION)) {
    if (username.length >= 3) named.add(username.toLowerCase());
    if (named.size === MENTIONS_LIMIT) break;
  }
  return [...named];
}

export type BodyPart =
  | { kind: "text"; text: string }
  | { kind: "mention"; text: string; username: string }
  | { kind: "link"; text: string };

/**
 * Splits a body into text, web addresses, and mentions of existing people. The joined parts equal
 * the body.
 */
export function bodyParts(body: string, mentions: readonly string[]): BodyPart[] {
  return body
    .split(ADDRESS)
    .flatMap((part, index): BodyPart[] =>
      index % 2 === 1 ? [{ kind: "link", text: part }] : mentionParts(part, mentions),
    );
}

function mentionParts(text: string, mentions: readonly string[]): BodyPart[] {
  const parts: BodyPart[] = [];
  let from = 0;
  for (const match of text.matchAll(MENTION)) {
    const [, before = "", typed = ""] = match;
    const username = typed.toLowerCase();
    if (!mentions.includes(username)) continue;
    const at = match.index + before.length;
    if (at > from) parts.push({ kind: "text", text: text.slice(from, at) });
    parts.push({ kind: "mention", text: `@${typed}`, username });
    from = at + typed.length + 1;
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}

/** One comment, and the relation of its viewer. */
export type CommentActionInput = {
  isAuthor: boolean;
  /** Owns the post, or moderates. */
  isHost: boolean;
  isReply: boolean;
  areCommentsClosed: boolean;
  createdAt: Instant;
  deletedAt: Instant | null;
  hiddenAt: Instant | null;
  /** When a moderation decision hid it. Only moderation shows it again. */
  heldAt: Instant | null;
};

export type CommentActions = {
  like: boolean;
  reply: boolean;
  edit: boolean;
  remove: boolean;
  restore: boolean;
  hide: boolean;
  show: boolean;
  pin: boolean;
};

/**
 * Returns the actions on a comment that a viewer of the post is allowed at `now`. Source: issue 4,
 * "Comments, likes, follows".
 */
export function allowedCommentActions(input: CommentActionInput, now: Instant): CommentActions {
  const isRemoved = input.deletedAt !== null;
  const isHidden = input.hiddenAt !== null;
  const isThere = !isRemoved && !isHidden;
  return {
    like: isThere,
    reply: isThere && !input.areCommentsClosed,
    edit: input.isAuthor && isThere && now < input.createdAt + EDIT_WINDOW_MS,
    remove: input.isAuthor && !isRemoved,
    restore: input.isAuthor && input.deletedAt !== null && now < input.deletedAt + UNDO_WINDOW_MS,
    hide: input.isHost && !input.isAuthor && isThere,
    show: input.isHost && isHidden && input.heldAt === null && !isRemoved,
    pin: input.isHost && isThere && !input.isReply,
  };
}
