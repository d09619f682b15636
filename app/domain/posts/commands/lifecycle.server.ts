import { and, eq, gt, inArray, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import {
  PurchasedPostRequired,
  PostInSoldCollection,
  NotPublished,
  PostNotFound,
  TooLateToRestore,
  TooManyPins,
} from "#app/domain/posts/errors.ts";
import { storedPost } from "#app/domain/posts/queries/studio.server.ts";
import type { StoredPost } from "#app/domain/posts/queries/studio.server.ts";
import { PINS_MAX, RESTORABLE_MS } from "#app/domain/posts/rules/composing.ts";
import {
  buyersSummary,
  collectionBuyersCount,
  notBoughtIndividually,
  notInSoldCollection,
} from "#app/domain/purchases/queries.server.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { postPublishedStatements, wakeNotifications } from "./compose.server.ts";

type OwnedPostRef = { postId: string; authorId: string };

/**
 * Publishes a due scheduled post, once. One batch writes state, time and announcement, so that
 * parallel or repeated runs leave one publication. The post is dated at its scheduled minute. Does
 * nothing to any other post.
 */
export async function publishDuePost(ctx: Context, { postId }: { postId: string }): Promise<void> {
  const post = await storedPost(ctx, { postId });
  const now = ctx.now();
  if (
    !post ||
    post.state !== "scheduled" ||
    post.deletedAt !== null ||
    post.scheduledAt === null ||
    post.scheduledAt > now
  )
    return;
  const author = await profileOfPerson(ctx, { personId: post.authorId });
  const isDue = and(
    eq(posts.id, postId),
    eq(posts.state, "scheduled"),
    lte(posts.scheduledAt, now),
    isNull(posts.deletedAt),
  );
  try {
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(posts)
          .set({
            state: "published",
            publishedAt: sql`COALESCE(${posts.publishedAt}, ${posts.scheduledAt})`,
            scheduledAt: null,
            version: sql`${posts.version} + 1`,
          })
          .where(isDue),
      ),
      ...postPublishedStatements(ctx, {
        postId,
        mailTo: post.mailTo,
        authorId: post.authorId,
        title: post.title,
        authorName: author?.name ?? "",
      }),
    ]);
  } catch (error) {
    // Another write published, changed or deleted the post first, and wins.
    if (!(error instanceof StaleWrite)) throw error;
    return;
  }
  await wakeNotifications(ctx, postId, post.mailTo);
}

/**
 * Makes a published or scheduled post a draft again, and keeps its likes and comments. Safe to
 * repeat. Refuses a post that people bought. Its deletion refunds them.
 */
export async function unpublishPost(
  ctx: Context,
  { postId, authorId }: OwnedPostRef,
): Promise<void> {
  await retryOnConflict(async () => {
    const post = await owned(ctx, { postId, authorId });
    if (post.state === "draft") return;
    const { count } = await buyersSummary(ctx, { kind: "post", targetId: postId });
    if (count > 0) throw new PurchasedPostRequired(count);
    await refuseInSoldCollection(ctx, { postId });
    const mayGo = and(
      isOwned({ postId, authorId }),
      inArray(posts.state, ["scheduled", "published"]),
      notBoughtIndividually,
      notInSoldCollection,
    );
    const draft = {
      state: "draft",
      scheduledAt: null,
      pinnedAt: null,
      version: sql`${posts.version} + 1`,
      updatedAt: ctx.now(),
    } as const;
    await commit(ctx.db, [mustChangeOne(ctx.db.update(posts).set(draft).where(mayGo))]);
  });
}

/**
 * Deletes a post for everyone. Its author can restore it for thirty days. Safe to repeat. Refuses a
 * post in a collection that people bought: its share of the collection's price is undefined.
 */
export async function deletePost(ctx: Context, { postId, authorId }: OwnedPostRef): Promise<void> {
  await retryOnConflict(async () => {
    const post = await anyOwned(ctx, { postId, authorId });
    if (post.deletedAt !== null) return;
    await refuseInSoldCollection(ctx, { postId });
    const deleted = { deletedAt: ctx.now(), pinnedAt: null };
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(posts)
          .set(deleted)
          .where(and(isOwned({ postId, authorId }), notInSoldCollection)),
      ),
    ]);
  });
}

/** Restores a deleted post. Refuses one deleted more than thirty days ago. Safe to repeat. */
export async function restorePost(ctx: Context, { postId, authorId }: OwnedPostRef): Promise<void> {
  await retryOnConflict(async () => {
    const post = await anyOwned(ctx, { postId, authorId });
    if (post.deletedAt === null) return;
    const earliest = ctx.now() - RESTORABLE_MS;
    if (post.deletedAt <= earliest) throw new TooLateToRestore();
    const mayReturn = and(
      eq(posts.id, postId),
      eq(posts.authorId, authorId),
      gt(posts.deletedAt, earliest),
    );
    await commit(ctx.db, [
      mustChangeOne(ctx.db.update(posts).set({ deletedAt: null }).where(mayReturn)),
    ]);
  });
}

/**
 * Pins a published post to the top of its author's page, at most three. Safe to repeat. The write
 * itself counts, so that parallel requests respect the limit.
 */
export async function pinPost(ctx: Context, { postId, authorId }: OwnedPostRef): Promise<void> {
  const post = await owned(ctx, { postId, authorId });
  if (post.state !== "published") throw new NotPublished();
  if (post.pinnedAt !== null) return;
  const pinned = sql`(SELECT COUNT(*) FROM posts pinned WHERE pinned.author_id = ${authorId} AND pinned.pinned_at IS NOT NULL)`;
  const hasRoom = and(
    isOwned({ postId, authorId }),
    eq(posts.state, "published"),
    isNull(posts.pinnedAt),
    sql`${pinned} < ${PINS_MAX}`,
  );
  try {
    await commit(ctx.db, [
      mustChangeOne(ctx.db.update(posts).set({ pinnedAt: ctx.now() }).where(hasRoom)),
    ]);
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    const again = await storedPost(ctx, { postId });
    if (again?.pinnedAt === null || !again) throw new TooManyPins();
  }
}

/** Unpins a post. Safe to repeat. */
export async function unpinPost(ctx: Context, { postId, authorId }: OwnedPostRef): Promise<void> {
  await ctx.db
    .update(posts)
    .set({ pinnedAt: null })
    .where(and(eq(posts.id, postId), eq(posts.authorId, authorId), isNotNull(posts.pinnedAt)));
}

async function refuseInSoldCollection(ctx: Context, { postId }: { postId: string }): Promise<void> {
  const buyers = await collectionBuyersCount(ctx, { postId });
  if (buyers > 0) throw new PostInSoldCollection(buyers);
}

async function owned(ctx: Context, own: OwnedPostRef): Promise<StoredPost> {
  const post = await anyOwned(ctx, own);
  if (post.deletedAt !== null) throw new PostNotFound();
  return post;
}

async function anyOwned(ctx: Context, { postId, authorId }: OwnedPostRef): Promise<StoredPost> {
  const post = await storedPost(ctx, { postId });
  if (post?.authorId !== authorId) throw new PostNotFound();
  return post;
}

const isOwned = ({ postId, authorId }: OwnedPostRef) =>
  and(eq(posts.id, postId), eq(posts.authorId, authorId), isNull(posts.deletedAt));
