import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import type { PickedMedia } from "#app/domain/media/schema.ts";
import { publishComposition } from "#app/domain/posts/commands/compose.server.ts";
import { PlanNotYours, PostLocked, PostNotFound, TooManyLikes } from "./errors.ts";
import { postFor } from "./queries.server.ts";
import type { PostMessage } from "#app/domain/posts/schema/outbox.ts";
import { announceReading } from "#app/domain/outbox.server.ts";
import { isMutedBy, profileName } from "#app/domain/profiles/queries/names.server.ts";
import { rulesOfAudience } from "./rules.ts";
import { LIKE_RATE_LIMITS } from "#app/domain/posts/rules/limits.ts";
import type { PostAudience } from "./schema.ts";
import { rateLimitStatements } from "#app/domain/rate-limits/commands.server.ts";
import { rateLimitResetAt } from "#app/domain/rate-limits/queries.server.ts";
import { postLikes, posts } from "#drizzle/schema/posts.ts";

export type NewPost = {
  authorId: string;
  /** The team member who publishes; null when the author does. */
  actedBy?: string | null;
  title: string;
  content: string;
  teaser: string;
  audience: PostAudience;
  /** Plans that open the post when `audience` is "plans". Ignored otherwise. */
  planIds: string[];
  image: { bytes: ArrayBuffer; alt: string } | null;
  /** Uploaded files in their order, after `image`. */
  media?: PickedMedia[];
};

/**
 * Publishes a post at once, for callers without a composer: a program, the seed, a test. Returns
 * the post's id. Refuses what `publishComposition` refuses.
 */
export async function publishPost(
  ctx: Context,
  { audience, planIds, ...texts }: NewPost,
): Promise<{ postId: string }> {
  if (audience === "plans" && planIds.length === 0) throw new PlanNotYours();
  const postId = ctx.newId();
  const rules = rulesOfAudience(audience, planIds);
  await publishComposition(ctx, {
    ...texts,
    media: texts.media ?? null,
    postId,
    version: 0,
    tab: postId,
    isSensitive: false,
    rules,
    removesImage: false,
    at: null,
  });
  return { postId };
}

/**
 * Likes a post. Safe to repeat: the counter moves by a trigger only when a like is really added,
 * and the author is notified of each person once, unless they muted them. Refuses what the person
 * may not see, and TooManyLikes.
 */
export async function likePost(
  ctx: Context,
  { postId, personId }: { postId: string; personId: string },
): Promise<void> {
  const post = await postFor(ctx, { postId, viewerId: personId });
  if (!post) throw new PostNotFound();
  if (!post.access.visible) throw new PostLocked();
  const counted = { act: "post-like", personId, limits: LIKE_RATE_LIMITS };
  try {
    await commit(ctx.db, [
      ...rateLimitStatements(ctx, counted),
      ctx.db
        .insert(postLikes)
        .values({ postId, personId, createdAt: ctx.now() })
        .onConflictDoNothing(),
      ...(post.author.id === personId ? [] : [likeAnnouncement(ctx, { post, personId })]),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    throw new TooManyLikes(await rateLimitResetAt(ctx, counted));
  }
}

function likeAnnouncement(
  ctx: Context,
  {
    post,
    personId,
  }: { post: { id: string; title: string; author: { id: string } }; personId: string },
) {
  return announceReading<Extract<PostMessage, { type: "post.liked" }>, "likerName">(
    ctx,
    `post:${post.id}:liked:${personId}`,
    {
      type: "post.liked",
      postId: post.id,
      postTitle: post.title,
      authorId: post.author.id,
      likerId: personId,
    },
    { likerName: profileName(personId) },
    sql`NOT ${isMutedBy({ personId: post.author.id, otherId: personId })}`,
  );
}

/** Removes a like, also from a post that has closed since. Safe to repeat. */
export async function unlikePost(
  ctx: Context,
  { postId, personId }: { postId: string; personId: string },
): Promise<void> {
  await commit(ctx.db, [
    ctx.db
      .delete(postLikes)
      .where(and(eq(postLikes.postId, postId), eq(postLikes.personId, personId))),
  ]);
}

/**
 * Closes the comments of the author's own post, or opens them again. Existing comments stay. Safe
 * to repeat. Refuses PostNotFound.
 */
export async function setCommentsClosed(
  ctx: Context,
  { postId, personId, closed }: { postId: string; personId: string; closed: boolean },
): Promise<void> {
  const own = and(eq(posts.id, postId), eq(posts.authorId, personId), isNull(posts.deletedAt));
  const changed = await ctx.db
    .update(posts)
    .set({
      commentsClosedAt: closed ? sql`coalesce(${posts.commentsClosedAt}, ${ctx.now()})` : null,
    })
    .where(own)
    .returning({ id: posts.id });
  if (changed.length === 0) throw new PostNotFound();
}

/**
 * Builds the statement that holds a post, for the batch of the moderation decision. Only its author
 * and moderators see a held post.
 */
export function holdPostStatement(ctx: Context, { postId }: { postId: string }) {
  const unheld = and(eq(posts.id, postId), isNull(posts.heldAt), isNull(posts.deletedAt));
  return mustChangeOne(ctx.db.update(posts).set({ heldAt: ctx.now() }).where(unheld));
}

/**
 * Builds the statement that ends the hold of a post, for a reversed decision. Matches nothing when
 * there is no hold.
 */
export function releasePostStatement(ctx: Context, { postId }: { postId: string }) {
  return ctx.db
    .update(posts)
    .set({ heldAt: null })
    .where(and(eq(posts.id, postId), isNotNull(posts.heldAt)));
}
