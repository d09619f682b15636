import type { ShownComments } from "#app/components/comments/public-comments.tsx";
import {
  commentsStatement,
  pinnedStatement,
  repliesFromRows,
  repliesStatement,
  threadFromRow,
  threadsFromRows,
  threadStatement,
} from "#app/domain/comments/queries.server.ts";
import type { Context } from "#app/domain/context.ts";

const COMMENTS_PER_PAGE = 20;
const REPLIES_PER_PAGE = 50;

type Asked = { postId: string; cursor: string | null; conversationId: string | null };

/**
 * The statements of the comments that every visitor sees below a post: a page of comments, or one
 * conversation with a page of its replies. They join the round trip of the post.
 */
export function publicCommentStatements(ctx: Context, asked: Asked) {
  const { postId, cursor, conversationId } = asked;
  const visitor = { postId, viewerId: null };
  const isWhole = conversationId === null;
  const thread = { ...visitor, commentId: conversationId ?? "" };
  return [
    commentsStatement(ctx, { ...visitor, cursor, limit: isWhole ? COMMENTS_PER_PAGE : 0 }),
    isWhole ? pinnedStatement(ctx, visitor) : threadStatement(ctx, thread),
    repliesStatement(ctx, { ...thread, cursor, limit: isWhole ? 0 : REPLIES_PER_PAGE }),
  ] as const;
}

type RowsOf<Statements extends readonly unknown[]> = {
  [Index in keyof Statements]: Awaited<Statements[Index]>;
};

/** Builds what the page shows from the rows of `publicCommentStatements`. */
export function publicComments(
  ctx: Context,
  { cursor, conversationId }: Asked,
  [roots, [first], replies]: RowsOf<ReturnType<typeof publicCommentStatements>>,
): ShownComments {
  const visitor = { viewerId: null, now: ctx.now() };
  if (conversationId === null) {
    const page = threadsFromRows(roots, visitor, COMMENTS_PER_PAGE);
    const pinned = first && cursor === null ? threadFromRow(first, visitor) : null;
    return { pinned, threads: page.items, next: page.next, conversationId };
  }
  if (!first) return { pinned: null, threads: [], next: null, conversationId };
  const page = repliesFromRows(replies, visitor, REPLIES_PER_PAGE);
  const thread = { ...threadFromRow(first, visitor), replies: page.items };
  return { pinned: null, threads: [thread], next: page.next, conversationId };
}
