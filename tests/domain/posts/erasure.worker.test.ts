import { eq, like } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { addComment } from "#app/domain/comments/commands.server.ts";
import { likePost, publishPost } from "#app/domain/posts/commands.server.ts";
import { eraseDeletedPost, erasePosts } from "#app/domain/posts/commands/erasure.server.ts";
import { publishComposition } from "#app/domain/posts/commands/compose.server.ts";
import { deletePost, restorePost } from "#app/domain/posts/commands/lifecycle.server.ts";
import { voteInPoll } from "#app/domain/posts/commands/polls.server.ts";
import { TooLateToRestore } from "#app/domain/posts/errors.ts";
import { storedPost, postsToErase } from "#app/domain/posts/queries/studio.server.ts";
import { endAndRefundPurchase } from "#app/domain/purchases/single-purchases/commands/end.server.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { collectionPosts } from "#drizzle/schema/collections.ts";
import { commentLikes, comments } from "#drizzle/schema/comments.ts";
import { media } from "#drizzle/schema/media.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import {
  postAccessRules,
  postLikes,
  postMedia,
  postPollOptions,
  postPolls,
  postPollVotes,
  posts,
} from "#drizzle/schema/posts.ts";
import { purchases } from "#drizzle/schema/purchases.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { composition } from "#tests/support/compositions.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { crashPoints, survives } from "#tests/support/crash.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { picture } from "#tests/support/picture.ts";
import { paidPurchase } from "#tests/support/purchases.ts";
import { erasureSteps } from "#workers/steps/erase-posts.ts";
import { runNotificationsCron } from "#workers/notifications/sweep.ts";

let world: World;

beforeAll(async () => {
  world = await testContext();
});

/**
 * A published post with everything that can belong to one: a file, a poll with a vote, a like,
 * comments, notifications and a collection.
 */
async function livelyPost({ ctx, drain }: World = world): Promise<{
  postId: string;
  authorId: string;
  fan: TestPerson;
  mediaId: string;
}> {
  const [author, fan] = [await createSeller(ctx), await createPerson(ctx)];
  await follow(ctx, { followerId: fan.id, creatorId: author.id });
  const content = {
    title: "Segredo de família",
    content: "A receita da minha avó.",
    teaser: "Só hoje.",
  };
  const image = { bytes: picture(3).buffer as ArrayBuffer, alt: "A panela" };
  const poll = {
    question: "Com coentro?",
    options: ["Sim", "Não"],
    isMultiple: false,
    closesAt: null,
  };
  const { postId, ...post } = composition(ctx, author.id, { ...content, image, poll });
  await publishComposition(ctx, { postId, ...post, at: null });
  await drain();
  const { commentId } = await addComment(ctx, {
    postId,
    authorId: fan.id,
    authorName: fan.name,
    body: "Que delícia.",
  });
  await addComment(ctx, {
    postId,
    authorId: author.id,
    authorName: author.name,
    body: "Obrigada!",
    parentId: commentId,
  });
  await ctx.db.insert(commentLikes).values({ commentId, personId: author.id, createdAt: 1 });
  await likePost(ctx, { postId, personId: fan.id });
  await voteInPoll(ctx, { postId, personId: fan.id, places: [0] });
  await ctx.db.insert(collectionPosts).values({ collectionId: ctx.newId(), postId, position: 0 });
  await ctx.db.update(outbox).set({ createdAt: 0 });
  await runNotificationsCron(ctx);
  await drain();
  const [shown] = await ctx.db
    .select({ mediaId: postMedia.mediaId })
    .from(postMedia)
    .where(eq(postMedia.postId, postId));
  return { postId, authorId: author.id, fan, mediaId: shown?.mediaId ?? "" };
}

/** Counts what is left of a post, by kind. */
const eraseDeletedPosts = ({ ctx }: World) => erasureSteps.eraseDeletedPosts.run(ctx, () => true);

async function leftOf({ ctx }: World, postId: string): Promise<Record<string, number>> {
  const count = async (rows: Promise<unknown[]>) => (await rows).length;
  return {
    comments: await count(ctx.db.select().from(comments).where(eq(comments.postId, postId))),
    likes: await count(ctx.db.select().from(postLikes).where(eq(postLikes.postId, postId))),
    polls: await count(ctx.db.select().from(postPolls).where(eq(postPolls.postId, postId))),
    options: await count(
      ctx.db.select().from(postPollOptions).where(eq(postPollOptions.postId, postId)),
    ),
    votes: await count(ctx.db.select().from(postPollVotes).where(eq(postPollVotes.postId, postId))),
    files: await count(ctx.db.select().from(postMedia).where(eq(postMedia.postId, postId))),
    rules: await count(
      ctx.db.select().from(postAccessRules).where(eq(postAccessRules.postId, postId)),
    ),
    places: await count(
      ctx.db.select().from(collectionPosts).where(eq(collectionPosts.postId, postId)),
    ),
    told: await count(
      ctx.db
        .select()
        .from(notifications)
        .where(like(notifications.path, `/post/${postId}%`)),
    ),
    words: await count(
      ctx.db
        .select()
        .from(posts)
        .where(like(posts.content, "%receita%"))
        .then((rows) => rows.filter((row) => row.id === postId)),
    ),
  };
}

const NOTHING = {
  comments: 0,
  likes: 0,
  polls: 0,
  options: 0,
  votes: 0,
  files: 0,
  rules: 0,
  places: 0,
  told: 0,
  words: 0,
};

describe("a post deleted thirty days ago", () => {
  test("has its text, files, poll, comments and notifications erased, and not before", async () => {
    const { postId, authorId, mediaId } = await livelyPost();
    const before = await leftOf(world, postId);
    expect(before).toEqual({
      comments: 2,
      likes: 1,
      polls: 1,
      options: 2,
      votes: 1,
      files: 1,
      rules: 1,
      places: 1,
      told: 4,
      words: 1,
    });
    await deletePost(world.ctx, { postId, authorId });
    await world.advance(30 * DAY_MS - HOUR_MS);
    await runNotificationsCron(world.ctx);
    expect(await leftOf(world, postId)).toEqual(before);
    await world.advance(HOUR_MS);
    await runNotificationsCron(world.ctx);
    expect(await leftOf(world, postId)).toEqual(NOTHING);
    expect(await world.ctx.db.select().from(posts).where(eq(posts.id, postId))).toMatchObject([
      {
        title: "Publicação excluída",
        content: "",
        teaser: "",
        likesCount: 0,
        commentsCount: 0,
        erasedAt: expect.any(Number),
      },
    ]);
    const mentions = await world.env.DB.prepare(
      "SELECT id FROM outbox WHERE INSTR(payload, 'Segredo de família') > 0 AND INSTR(id, ?) > 0",
    )
      .bind(postId)
      .all();
    expect(mentions.results).toEqual([]);
    expect(
      (await world.ctx.db.select().from(media).where(eq(media.id, mediaId)))[0]?.unusedSince,
    ).not.toBeNull();
    await expect(restorePost(world.ctx, { postId, authorId })).rejects.toThrow(TooLateToRestore);
    expect(await postsToErase(world.ctx, { limit: 50 })).not.toContain(postId);
  });

  test("keeps everything when it was restored in time", async () => {
    const { postId, authorId } = await livelyPost();
    const before = await leftOf(world, postId);
    await deletePost(world.ctx, { postId, authorId });
    await world.advance(29 * DAY_MS);
    await restorePost(world.ctx, { postId, authorId });
    await world.advance(3 * DAY_MS);
    await runNotificationsCron(world.ctx);
    await eraseDeletedPost(world.ctx, { postId, extraWrites: [] });
    expect(await leftOf(world, postId)).toEqual(before);
  });

  test("is retained while a purchase of it is active; charges and the ledger never change", async () => {
    const { postId, authorId } = await livelyPost();
    const buyer = await createPerson(world.ctx);
    await world.ctx.db
      .update(postAccessRules)
      .set({ kind: "price", amountCents: 1_990 })
      .where(eq(postAccessRules.postId, postId));
    const { purchase } = await paidPurchase(world, buyer, postId);
    await deletePost(world.ctx, { postId, authorId });
    await world.advance(31 * DAY_MS);
    await runNotificationsCron(world.ctx);
    await eraseDeletedPost(world.ctx, { postId, extraWrites: [] });
    expect((await leftOf(world, postId))["words"]).toBe(1);
    await endAndRefundPurchase(world.ctx, { purchaseId: purchase.id, because: "removed" });
    await runNotificationsCron(world.ctx);
    // The payment notification of the buyer stays.
    expect(await leftOf(world, postId)).toEqual({ ...NOTHING, told: 1 });
    expect(
      await world.ctx.db
        .select({ title: purchases.title })
        .from(purchases)
        .where(eq(purchases.id, purchase.id)),
    ).toEqual([{ title: "Segredo de família" }]);
    await expectInvariantsToHold(world.ctx);
  });

  test("with hundreds of comments is erased in portions, minute by minute", async () => {
    const { postId, authorId, fan } = await livelyPost();
    for (let from = 0; from < 500; from += 10) {
      await world.ctx.db.insert(comments).values(
        Array.from({ length: 10 }, () => ({
          id: world.ctx.newId(),
          postId,
          authorId: fan.id,
          body: "Oi",
          createdAt: 1,
        })),
      );
    }
    await deletePost(world.ctx, { postId, authorId });
    await world.advance(31 * DAY_MS);
    await runNotificationsCron(world.ctx);
    const left = await leftOf(world, postId);
    expect(left["comments"]).toBeGreaterThan(0);
    expect(left["words"]).toBe(1);
    await runNotificationsCron(world.ctx);
    expect(await leftOf(world, postId)).toEqual(NOTHING);
  });

  test("is erased by the next run after a crash at any point", { timeout: 120_000 }, async () => {
    for (let at = 1; at < 60; at += 1) {
      // The erasure in R2 has no crash point.
      const points = crashPoints(undefined, { both: true });
      const mortal = await testContext({ database: points.database });
      const { postId, authorId } = await livelyPost(mortal);
      await deletePost(mortal.ctx, { postId, authorId });
      await mortal.advance(31 * DAY_MS);
      points.arm(at);
      const end = await survives(points, () => eraseDeletedPosts(mortal));
      points.disarm();
      await eraseDeletedPosts(mortal);
      expect(await leftOf(mortal, postId)).toEqual(NOTHING);
      if (end === "finished") return expect(at).toBeGreaterThan(8);
    }
    throw new Error("the run never finished");
  });

  test("is found through an index, without a table scan", async () => {
    const { results } = await world.env.DB.prepare(
      "EXPLAIN QUERY PLAN SELECT id FROM posts WHERE deleted_at IS NOT NULL AND erased_at IS NULL AND deleted_at <= 1 ORDER BY deleted_at LIMIT 20",
    ).all<{ detail: string }>();
    expect(results.map((row) => row.detail).join("\n")).toContain("USING INDEX posts_deleted");
  });
});

test("account deletion erases the votes of the member and the polls of their posts", async () => {
  const { postId, authorId, fan } = await livelyPost();
  expect(await erasePosts(world.ctx, { authorId: fan.id, limit: 100 })).toBeGreaterThan(0);
  expect(await leftOf(world, postId)).toMatchObject({ votes: 0, likes: 0, options: 2 });
  const { postId: plainId } = await publishPost(world.ctx, {
    authorId,
    title: "Outra",
    content: "Texto.",
    teaser: "",
    audience: "public",
    planIds: [],
    image: null,
  });
  while ((await erasePosts(world.ctx, { authorId, limit: 100 })) > 0);
  expect(await leftOf(world, postId)).toMatchObject({ polls: 0, options: 0, files: 0 });
  expect(await storedPost(world.ctx, { postId: plainId })).toMatchObject({
    title: "Publicação excluída",
  });
});
