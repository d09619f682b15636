import { and, eq, gt, isNotNull, isNull, lte, ne, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import {
  CommentActionRefused,
  CommentNotFound,
  CommentsClosed,
  EditWindowOver,
  TooManyComments,
  TooManyCommentLikes,
} from "#app/domain/comments/errors.ts";
import {
  loadCommentSnapshot,
  unreachableRecipients,
  peopleByUsername,
  relationToAuthor,
} from "#app/domain/comments/queries.server.ts";
import {
  COMMENT_LIKE_LIMITS,
  COMMENT_LIMITS,
  allowedCommentActions,
  EDIT_WINDOW_MS,
  mentionsIn,
  UNDO_WINDOW_MS,
} from "#app/domain/comments/rules.ts";
import type { CommentActions } from "#app/domain/comments/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { CommentMessage } from "#app/domain/comments/schema/outbox.ts";
import { PostLocked, PostNotFound } from "#app/domain/posts/errors.ts";
import { postFor, postFromRow, postStatement } from "#app/domain/posts/queries.server.ts";
import type { Post } from "#app/domain/posts/schema.ts";
import { commentLikes, comments } from "#drizzle/schema/comments.ts";

export type NewComment = {
  postId: string;
  authorId: string;
  authorName: string;
  body: string;
  parentId?: string | undefined;
};

/**
 * The moderator of a conversation. `hostId` is the owner of the posts that they moderate:
 * themselves, or the owner of the team's page they act for.
 */
export type HostAction = { commentId: string; personId: string; hostId: string };

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
  const { snapshot, post, powers } = await actable(ctx, { commentId, personId });
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
  await actCommitted(ctx, [
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
  await actCommitted(ctx, [
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

/**
 * Hides a comment from everyone but its author, the post's owner and moderators, or shows it again.
 * Refuses CommentNotFound and CommentActionRefused.
 */
export async function hideComment(
  ctx: Context,
  { hidden, ...hosting }: HostAction & { hidden: boolean },
): Promise<{ postId: string }> {
  const { commentId } = hosting;
  const { snapshot, powers, isHost } = await actable(ctx, hosting);
  if (!isHost) throw new CommentActionRefused();
  if ((snapshot.hiddenAt !== null) === hidden) return { postId: snapshot.postId };
  if (!(hidden ? powers.hide : powers.show)) throw new CommentActionRefused();
  await commit(ctx.db, [
    ctx.db
      .update(comments)
      .set(hidden ? { hiddenAt: ctx.now(), pinnedAt: null } : { hiddenAt: null })
      .where(
        and(
          eq(comments.id, commentId),
          hidden ? isNull(comments.hiddenAt) : isNotNull(comments.hiddenAt),
          isNull(comments.heldAt),
        ),
      ),
  ]);
  return { postId: snapshot.postId };
}

/**
 * Pins a comment on its post, in place of any other, or unpins it. Refuses CommentNotFound and
 * CommentActionRefused.
 */
export async function pinComment(
  ctx: Context,
  { pinned, ...hosting }: HostAction & { pinned: boolean },
): Promise<{ postId: string }> {
  const { commentId } = hosting;
  const { snapshot, powers, isHost } = await actable(ctx, hosting);
  if (!isHost || (pinned && !powers.pin)) throw new CommentActionRefused();
  const there = and(
    eq(comments.id, commentId),
    isNull(comments.deletedAt),
    isNull(comments.hiddenAt),
  );
  const others = and(
    eq(comments.postId, snapshot.postId),
    isNotNull(comments.pinnedAt),
    ne(comments.id, commentId),
  );
  await actCommitted(
    ctx,
    pinned
      ? [
          ctx.db.update(comments).set({ pinnedAt: null }).where(others),
          mustChangeOne(ctx.db.update(comments).set({ pinnedAt: ctx.now() }).where(there)),
        ]
      : [ctx.db.update(comments).set({ pinnedAt: null }).where(eq(comments.id, commentId))],
  );
  return { postId: snapshot.postId };
}

/**
 * Likes a comment. Safe to repeat: a trigger moves the counter only for a new like. Refuses
 * CommentNotFound, CommentActionRefused and TooManyCommentLikes.
 */
export async function likeComment(
  ctx: Context,
  { commentId, personId }: { commentId: string; personId: string },
): Promise<{ postId: string }> {
  const { snapshot, powers } = await actable(ctx, { commentId, personId });
  if (!powers.like) throw new CommentActionRefused();
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, { act: "comment-like", personId, limits: COMMENT_LIKE_LIMITS }),
      ctx.db
        .insert(commentLikes)
        .values({ commentId, personId, createdAt: ctx.now() })
        .onConflictDoNothing(),
    ]);
  } catch (error) {
    throw error instanceof StaleWrite ? new TooManyCommentLikes() : error;
  }
  return { postId: snapshot.postId };
}

/** Removes a like, also from a comment that has closed since. Safe to repeat. */
export async function unlikeComment(
  ctx: Context,
  { commentId, personId }: { commentId: string; personId: string },
): Promise<{ postId: string }> {
  const snapshot = await loadCommentSnapshot(ctx, { commentId });
  if (!snapshot) throw new CommentNotFound();
  await commit(ctx.db, [
    ctx.db
      .delete(commentLikes)
      .where(and(eq(commentLikes.commentId, commentId), eq(commentLikes.personId, personId))),
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

async function openPost(
  ctx: Context,
  { postId, viewerId }: { postId: string; viewerId: string },
): Promise<Post> {
  const post = await postFor(ctx, { postId, viewerId });
  if (!post) throw new PostNotFound();
  if (!post.access.visible) throw new PostLocked();
  return post;
}

/**
 * Reads the comment with its post and the person's allowed actions. Refuses a comment that they
 * cannot see.
 */
async function actable(
  ctx: Context,
  { commentId, personId, hostId }: Omit<HostAction, "hostId"> & { hostId?: string },
) {
  const snapshot = await loadCommentSnapshot(ctx, { commentId });
  if (!snapshot) throw new CommentNotFound();
  const [post, asker] = await Promise.all([
    openPost(ctx, { postId: snapshot.postId, viewerId: personId }),
    relationToAuthor(ctx, { personId, authorId: snapshot.authorId }),
  ]);
  const isAuthor = snapshot.authorId === personId;
  const isHost = snapshot.hostId === hostId || asker.isModerator;
  if (
    asker.isBlocked ||
    (!isAuthor && !isHost && (snapshot.hiddenAt !== null || snapshot.deletedAt !== null))
  )
    throw new CommentNotFound();
  const powers: CommentActions = allowedCommentActions(
    {
      ...snapshot,
      isAuthor,
      isHost,
      isReply: snapshot.parentId !== null,
      areCommentsClosed: snapshot.closedAt !== null,
    },
    ctx.now(),
  );
  return { snapshot, post, powers, isHost };
}

async function answerable(
  ctx: Context,
  { postId, authorId, parentId }: { postId: string; authorId: string; parentId: string },
): Promise<{ rootId: string; personId: string }> {
  const { snapshot, powers } = await actable(ctx, {
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

/**
 * Commits the writes. Turns a stale write into a refusal: another request made the action
 * impossible.
 */
async function actCommitted(ctx: Context, writes: BatchWrite[]): Promise<void> {
  try {
    await commit(ctx.db, writes);
  } catch (error) {
    throw error instanceof StaleWrite || error instanceof UniqueViolation
      ? new CommentActionRefused()
      : error;
  }
}
