import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { addComment } from "#app/domain/comments/commands.server.ts";
import { commentsOf } from "#app/domain/comments/queries.server.ts";
import type { Context } from "#app/domain/context.ts";
import { holdPost } from "#app/domain/moderation/commands.server.ts";
import { likePost, publishPost, unlikePost } from "#app/domain/posts/commands.server.ts";
import {
  NotACreator,
  PlanNotYours,
  PostLocked,
  PostNotFound,
  TooManyLikes,
} from "#app/domain/posts/errors.ts";
import { homeFeed } from "#app/domain/posts/queries/feed.server.ts";
import { postFor, postsPage, spacePosts } from "#app/domain/posts/queries.server.ts";
import type { PostAudience } from "#app/domain/posts/schema.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { postLikes } from "#drizzle/schema/posts.ts";
import { blocks } from "#drizzle/schema/profiles.ts";
import { testContext } from "#tests/support/context.ts";
import { newestExplored } from "#tests/support/discovery.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

let ctx: Context;
let ana: Seller;
beforeAll(async () => {
  ({ ctx } = await testContext());
  ana = await createSeller(ctx);
});

async function publish(
  audience: PostAudience = "public",
  authorId = ana.id,
  title = "Uma rabeca",
): Promise<string> {
  const { postId } = await publishPost(ctx, {
    authorId,
    title,
    content: "Texto.",
    teaser: "",
    audience,
    planIds: [ana.planId],
    image: null,
  });
  return postId;
}

test("likes have a limit; to take one back has none", async () => {
  const fan = await createPerson(ctx);
  const postId = await publish();
  for (let count = 0; count < 60; count += 1) {
    await likePost(ctx, { postId, personId: fan.id });
    await unlikePost(ctx, { postId, personId: fan.id });
  }
  await expect(likePost(ctx, { postId, personId: fan.id })).rejects.toThrow(TooManyLikes);
  await unlikePost(ctx, { postId, personId: fan.id });
  expect(await ctx.db.select().from(postLikes).where(eq(postLikes.personId, fan.id))).toEqual([]);
  const later = { ...ctx, now: () => ctx.now() + 60_001 };
  await likePost(later, { postId, personId: fan.id });
});

describe("publishing", () => {
  test("counts on the page at once", async () => {
    const before = (await profileOfPerson(ctx, { personId: ana.id }))?.postsCount ?? 0;
    await publish();
    expect((await profileOfPerson(ctx, { personId: ana.id }))?.postsCount).toBe(before + 1);
  });

  test("is allowed only to creators", async () => {
    await expect(publish("public", (await createPerson(ctx)).id)).rejects.toThrow(NotACreator);
  });

  test("accepts only the creator's own active plans", async () => {
    const other = await createSeller(ctx);
    await expect(publish("plans", other.id)).rejects.toThrow(PlanNotYours);
  });
});

describe("likes", () => {
  test("1,000 concurrent clicks of one person count as one like", async () => {
    const postId = await publish();
    const { id } = await createPerson(ctx);
    // Past the limit they are refused.
    await Promise.allSettled(
      Array.from({ length: 1_000 }, () => likePost(ctx, { postId, personId: id })),
    );
    expect((await postFor(ctx, { postId, viewerId: id }))?.likesCount).toBe(1);
  });

  test("100 people like and half of them unlike concurrently, which leaves 50", async () => {
    const postId = await publish();
    const ids = Array.from({ length: 100 }, () => ctx.newId());
    await Promise.all(ids.map((personId) => likePost(ctx, { postId, personId })));
    await Promise.all(
      ids
        .filter((_, index) => index % 2 === 0)
        .flatMap((personId) => [
          unlikePost(ctx, { postId, personId }),
          unlikePost(ctx, { postId, personId }),
        ]),
    );
    const post = await postFor(ctx, { postId, viewerId: null });
    expect(post?.likesCount).toBe(50);
    expect(await ctx.db.$count(postLikes, eq(postLikes.postId, postId))).toBe(50);
  });

  test("are refused on a locked or unknown post", async () => {
    const { id } = await createPerson(ctx);
    await expect(
      likePost(ctx, { postId: await publish("subscribers"), personId: id }),
    ).rejects.toThrow(PostLocked);
    await expect(likePost(ctx, { postId: "nothing", personId: id })).rejects.toThrow(PostNotFound);
  });
});

describe("comments", () => {
  test("notify the author once, and nobody when the author comments", async () => {
    const postId = await publish();
    const bruno = await createPerson(ctx, "Bruno");
    const { commentId } = await addComment(ctx, {
      postId,
      authorId: bruno.id,
      authorName: "Bruno",
      body: "Que beleza!",
    });
    const { commentId: own } = await addComment(ctx, {
      postId,
      authorId: ana.id,
      authorName: "Ana",
      body: "Obrigada!",
    });
    const notifications = await ctx.db
      .select({ id: outbox.id })
      .from(outbox)
      .where(eq(outbox.type, "post.commented"));
    expect(notifications.map(({ id }) => id)).toContain(`comment:${commentId}:posted`);
    expect(notifications.map(({ id }) => id)).not.toContain(`comment:${own}:posted`);
    expect((await postFor(ctx, { postId, viewerId: null }))?.commentsCount).toBe(2);
  });

  test("follow the access of their post", async () => {
    const postId = await publish("followers");
    const [inside, outside] = [await createPerson(ctx, "Dentro"), await createPerson(ctx, "Fora")];
    await follow(ctx, { followerId: inside.id, creatorId: ana.id });
    await addComment(ctx, { postId, authorId: inside.id, authorName: "Dentro", body: "Segredo" });
    await expect(
      addComment(ctx, { postId, authorId: outside.id, authorName: "Fora", body: "?" }),
    ).rejects.toThrow(PostLocked);
    const read = async (viewerId: string | null) =>
      (await commentsOf(ctx, { postId, viewerId, cursor: null, limit: 9 })).items.length;
    expect([await read(inside.id), await read(outside.id), await read(null)]).toEqual([1, 0, 0]);
  });
});

describe("lists of posts", () => {
  test("the feed has the posts of followed creators and one's own, newest first, each once across pages", async () => {
    const [author, other, reader] = [
      await createSeller(ctx),
      await createSeller(ctx),
      await createPerson(ctx),
    ];
    await follow(ctx, { followerId: reader.id, creatorId: author.id });
    const made = [];
    for (let index = 0; index < 5; index += 1)
      made.push(await publish(index % 2 ? "public" : "subscribers", author.id));
    await publish("public", other.id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof homeFeed>> = await homeFeed(ctx, {
        viewerId: reader.id,
        cursor,
        limit: 2,
      });
      seen.push(...page.items.map((post) => post.id));
      cursor = page.next;
    } while (cursor);
    expect(seen).toEqual(made.toReversed());
  });

  test("a block hides each side from the other everywhere", async () => {
    const [author, reader] = [await createSeller(ctx), await createPerson(ctx)];
    const postId = await publish("public", author.id);
    await ctx.db
      .insert(blocks)
      .values({ blockerId: author.id, blockedId: reader.id, createdAt: ctx.now() });
    expect(await postFor(ctx, { postId, viewerId: reader.id })).toBeNull();
    expect(
      (
        await spacePosts(ctx, {
          authorKey: author.username,
          viewerId: reader.id,
          cursor: null,
          limit: 5,
        })
      ).items,
    ).toEqual([]);
    expect((await newestExplored({ ctx }, reader)).items.map((post) => post.id)).not.toContain(
      postId,
    );
    expect(await postFor(ctx, { postId, viewerId: null })).not.toBeNull();
  });

  test("the API's pages do not overlap, and the total is the number of published posts", async () => {
    const first = await postsPage(ctx, { viewerId: null, page: 1, limit: 4 });
    const second = await postsPage(ctx, { viewerId: null, page: 2, limit: 4 });
    const ids = [...first.items, ...second.items].map((post) => post.id);
    expect(new Set(ids).size).toBe(8);
    const held = ids[0] ?? "";
    await holdPost(ctx, { postId: held });
    expect((await postsPage(ctx, { viewerId: null, page: 1, limit: 4 })).totalItems).toBe(
      first.totalItems - 1,
    );
  });

  test("a page past the end is empty", async () => {
    expect((await postsPage(ctx, { viewerId: null, page: 100, limit: 10 })).items).toEqual([]);
  });
});
