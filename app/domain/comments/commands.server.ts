import { and, eq, gt, isNull, lte, ne, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import {
  CommentActionRefused,
  CommentNotFound,
  CommentsClosed,
  EditWindowOver,
  TooManyComments,
} from "./errors.ts";
import { loadCommentSnapshot } from "./queries.server.ts";
import {
  unreachableRecipients,
  peopleByUsername,
} from "#app/domain/comments/queries/recipients.server.ts";
import { COMMENT_LIMITS, EDIT_WINDOW_MS, mentionsIn, UNDO_WINDOW_MS } from "./rules.ts";
import type { Context } from "#app/domain/context.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { CommentMessage } from "#app/domain/comments/schema/outbox.ts";
import { postFromRow, postStatement } from "#app/domain/posts/queries.server.ts";
import type { Post } from "#app/domain/posts/schema.ts";
import { comments } from "#drizzle/schema/comments.ts";
import {
  openPost,
  actionableComment,
  commitAction,
} from "#app/domain/comments/commands/actions.server.ts";

export type NewComment = {
  postId: string;
  authorId: string;
  authorName: string;
  body: string;
  parentId?: string | undefined;
};

/**
 * Comments on a post that the person can see, or replies to one of its comments. A reply to a reply
 * joins the same conversation. Notifies once each: the author replied to, the post's owner, and up
 * to ten mentioned people who can see the post. Refuses PostNotFound, PostLocked, CommentsClosed,
 * CommentNotFound (removed, hidden or not visible) and TooManyComments (six a minute, 60 an hour).
 */
export async function addComment(
  ctx: Context,
  { postId, authorId, authorName, body, parentId }: NewComment,
): Promise<{ commentId: string }> {
  const post = await openPost(ctx, { postId, viewerId: authorId });
  if (post.areCommentsClosed) throw new CommentsClosed();
  const answered =
    parentId === undefined ? null : await answerable(ctx, { postId, authorId, parentId });
  const mentioned = await mentionedPeople(ctx, { post, body });
  const commentId = ctx.newId();
  const commentFields = {
    commentId,
    postId,
    postTitle: post.title,
    commenterName: authorName,
    commenterId: authorId,
  };
  const others = [
    post.author.id,
    ...(answered ? [answered.personId] : []),
    ...mentioned.map(({ personId }) => personId),
  ];
  const notifiedIds = new Set([
    authorId,
    ...(await unreachableRecipients(ctx, { personId: authorId, hostId: post.author.id, others })),
  ]);
  const notify = (personId: string, write: BatchWrite): BatchWrite[] =>
    notifiedIds.has(personId) ? [] : (notifiedIds.add(personId), [write]);
  const comment = {
    id: commentId,
    postId,
    authorId,
    parentId: answered?.rootId ?? null,
    body,
    mentions: mentioned.map(({ username }) => username).join(" "),
    createdAt: ctx.now(),
  };
  await committed(ctx, [
    ...rateLimitStatements(ctx, { act: "comment", personId: authorId, limits: COMMENT_LIMITS }),
    ctx.db.insert(comments).values(comment),
    ...(answered
      ? notify(
          answered.personId,
          announce<CommentMessage>(ctx, `comment:${commentId}:replied`, {
            type: "comment.replied",
            personId: answered.personId,
            ...commentFields,
          }),
        )
      : []),
    ...notify(
      post.author.id,
      announce<CommentMessage>(ctx, `comment:${commentId}:posted`, {
        type: "post.commented",
        authorId: post.author.id,
        ...commentFields,
      }),
    ),
    ...mentioned
      .filter(({ isReached }) => isReached)
      .flatMap(({ personId }) =>
        notify(personId, mentionStatement(ctx, { personId, ...commentFields })),
      ),
  ]);
  return { commentId };
}

const mentionStatement = (
  ctx: Context,
  message: Omit<Extract<CommentMessage, { type: "comment.mentioned" }>, "type">,
): BatchWrite =>
  announce<CommentMessage>(ctx, `comment:${message.commentId}:mentioned:${message.personId}`, {
    type: "comment.mentioned",
    ...message,
  });

/**
 * Edits the person's own comment in its first 15 minutes. Notifies nobody again. Refuses
 * CommentNotFound, CommentActionRefused, EditWindowOver and PostLocked.
 */
export async function editComment(
  ctx: Context,
  { commentId, personId, body }: { commentId: string; personId: string; body: string },
): Promise<{ postId: string }> {
  const { snapshot, post, powers } = await actionableComment(ctx, { commentId, personId });
  if (
    snapshot.authorId === personId &&
    snapshot.deletedAt === null &&
    ctx.now() >= snapshot.createdAt + EDIT_WINDOW_MS
  )
    throw new EditWindowOver();
  if (!powers.edit) throw new CommentActionRefused();
  if (body === snapshot.body) return { postId: snapshot.postId };
  const mentioned = await mentionedPeople(ctx, { post, body });
  const still = and(
    eq(comments.id, commentId),
    isNull(comments.deletedAt),
    isNull(comments.hiddenAt),
    gt(comments.createdAt, ctx.now() - EDIT_WINDOW_MS),
  );
  await commitAction(ctx, [
    mustChangeOne(
      ctx.db
        .update(comments)
        .set({
          body,
          mentions: mentioned.map(({ username }) => username).join(" "),
          editedAt: ctx.now(),
        })
        .where(still),
    ),
  ]);
  return { postId: snapshot.postId };
}

/**
 * Removes the person's own comment, which can be restored for ten minutes. Then
 * `eraseRemovedComments` erases its text. Works also on a post that has closed since. Safe to
 * repeat.
 */
export async function removeComment(
  ctx: Context,
  { commentId, personId }: { commentId: string; personId: string },
): Promise<{ postId: string }> {
  const snapshot = await loadCommentSnapshot(ctx, { commentId });
  if (!snapshot || snapshot.authorId !== personId) throw new CommentNotFound();
  await commit(ctx.db, [
    ctx.db
      .update(comments)
      .set({ deletedAt: ctx.now(), pinnedAt: null })
      .where(and(eq(comments.id, commentId), isNull(comments.deletedAt))),
  ]);
  return { postId: snapshot.postId };
}

/**
 * Restores the person's own comment within ten minutes. Refuses CommentNotFound, and
 * CommentActionRefused later.
 */
export async function restoreComment(
  ctx: Context,
  { commentId, personId }: { commentId: string; personId: string },
): Promise<{ postId: string }> {
  const snapshot = await loadCommentSnapshot(ctx, { commentId });
  if (!snapshot || snapshot.authorId !== personId) throw new CommentNotFound();
  if (snapshot.deletedAt === null) return { postId: snapshot.postId };
  await commitAction(ctx, [
    mustChangeOne(
      ctx.db
        .update(comments)
        .set({ deletedAt: null })
        .where(
          and(
            eq(comments.id, commentId),
            gt(comments.deletedAt, ctx.now() - UNDO_WINDOW_MS),
            ne(comments.body, ""),
          ),
        ),
    ),
  ]);
  return { postId: snapshot.postId };
}

const ERASED_AT_ONCE = 200;

/**
 * Erases the text of comments whose ten minutes are over. The rows stay for their replies. The
 * notifications worker's cron runs it.
 */
export async function eraseRemovedComments(ctx: Context): Promise<void> {
  const over = sql`SELECT c.id FROM comments c WHERE c.deleted_at IS NOT NULL AND c.body <> '' AND c.deleted_at <= ${ctx.now() - UNDO_WINDOW_MS} LIMIT ${ERASED_AT_ONCE}`;
  await ctx.db
    .update(comments)
    .set({ body: "", mentions: "" })
    .where(
      and(sql`${comments.id} IN (${over})`, lte(comments.deletedAt, ctx.now() - UNDO_WINDOW_MS)),
    );
}

async function answerable(
  ctx: Context,
  { postId, authorId, parentId }: { postId: string; authorId: string; parentId: string },
): Promise<{ rootId: string; personId: string }> {
  const { snapshot, powers } = await actionableComment(ctx, {
    commentId: parentId,
    personId: authorId,
  });
  if (snapshot.postId !== postId || !powers.reply) throw new CommentNotFound();
  return { rootId: snapshot.parentId ?? snapshot.id, personId: snapshot.authorId };
}

type MentionedPerson = { personId: string; username: string; isReached: boolean };

/** Returns the people mentioned in a body, and those of them who can see the post. */
async function mentionedPeople(
  ctx: Context,
  { post, body }: { post: Post; body: string },
): Promise<MentionedPerson[]> {
  const named = await peopleByUsername(ctx, { usernames: mentionsIn(body) });
  const [first, ...rest] = named.map(({ personId }) =>
    postStatement(ctx, { postId: post.id, viewerId: personId }),
  );
  if (!first) return [];
  const seen = await ctx.db.batch([first, ...rest]);
  return named.map(({ personId, username }, index) => {
    const row = seen[index]?.[0];
    return {
      personId,
      username,
      isReached: row ? (postFromRow(row, personId, ctx.now())?.access.visible ?? false) : false,
    };
  });
}

async function committed(ctx: Context, writes: BatchWrite[]): Promise<void> {
  try {
    await commit(ctx.db, writes);
  } catch (error) {
    throw error instanceof StaleWrite ? new TooManyComments() : error;
  }
}
