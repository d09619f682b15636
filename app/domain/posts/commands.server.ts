import { and, eq, isNull } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { prepareImage } from "#app/domain/media/commands.server.ts";
import { plansOfCreator } from "#app/domain/plans/queries.server.ts";
import { NotACreator, PlanNotYours, PostLocked, PostNotFound } from "#app/domain/posts/errors.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import { rulesOfAudience } from "#app/domain/posts/rules.ts";
import type { Audience } from "#app/domain/posts/schema.ts";
import { profileOf } from "#app/domain/profiles/queries.server.ts";
import { postAccessRules, postLikes, postMedia, posts } from "#drizzle/schema/posts.ts";

export type NewPost = {
  authorId: string;
  title: string;
  content: string;
  teaser: string;
  audience: Audience;
  /** Plans that open it when `audience` is "plans"; ignored otherwise. */
  planIds: string[];
  image: { bytes: ArrayBuffer; alt: string } | null;
};

/**
 * Publishes a post at once, with its image, its access rules and its counters in one batch. Refuses who has no page, a plan that
 * is not an active one of theirs, and what is no image. Gives the post's id.
 */
export async function publishPost(ctx: Context, input: NewPost): Promise<{ postId: string }> {
  const author = await profileOf(ctx, { personId: input.authorId });
  if (!author?.isCreator) throw new NotACreator();
  const rules = rulesOfAudience(input.audience, input.planIds);
  if (input.audience === "plans") await refuseOthersPlans(ctx, input);
  const postId = ctx.newId();
  const image = input.image ? await prepareImage(ctx, { ...uploadOf(input.image, input.title), ownerId: input.authorId }) : null;
  const now = ctx.now();
  await commit(ctx.db, [
    ctx.db.insert(posts).values({
      id: postId,
      authorId: input.authorId,
      title: input.title,
      teaser: input.teaser,
      content: input.content,
      state: "published",
      publishedAt: now,
      createdAt: now,
      updatedAt: now,
    }),
    ...rules.map((rule) => ctx.db.insert(postAccessRules).values({ id: ctx.newId(), postId, ...rule })),
    ...(image ? [image.statement, ctx.db.insert(postMedia).values({ postId, mediaId: image.mediaId, position: 0 })] : []),
  ]);
  return { postId };
}

/** Likes a post. Safe to repeat: the counter moves by a trigger only when a like is really added. Refuses what the person may not see. */
export async function likePost(ctx: Context, { postId, personId }: { postId: string; personId: string }): Promise<void> {
  const post = await postFor(ctx, { postId, viewerId: personId });
  if (!post) throw new PostNotFound();
  if (!post.access.visible) throw new PostLocked();
  await commit(ctx.db, [ctx.db.insert(postLikes).values({ postId, personId, createdAt: ctx.now() }).onConflictDoNothing()]);
}

/** Takes a like back, also from a post that has closed since. Safe to repeat. */
export async function unlikePost(ctx: Context, { postId, personId }: { postId: string; personId: string }): Promise<void> {
  await commit(ctx.db, [ctx.db.delete(postLikes).where(and(eq(postLikes.postId, postId), eq(postLikes.personId, personId)))]);
}

/** The hold of a post, for the batch of the moderation that decides it: only its author and moderators see it then. */
export function holdPostStatement(ctx: Context, { postId }: { postId: string }) {
  const unheld = and(eq(posts.id, postId), isNull(posts.heldAt), isNull(posts.deletedAt));
  return exactlyOne(ctx.db.update(posts).set({ heldAt: ctx.now() }).where(unheld));
}

/** An image that nobody described is at least said to be the post's. */
function uploadOf(image: { bytes: ArrayBuffer; alt: string }, title: string) {
  return { bytes: image.bytes, alt: image.alt || `Imagem da publicação “${title}”`, purpose: "post" as const, field: "image" };
}

async function refuseOthersPlans(ctx: Context, { authorId, planIds }: NewPost): Promise<void> {
  const own = await plansOfCreator(ctx, { creatorId: authorId, states: ["active"] });
  const isOwn = (planId: string) => own.some((plan) => plan.id === planId);
  if (planIds.length === 0 || !planIds.every(isOwn)) throw new PlanNotYours();
}
