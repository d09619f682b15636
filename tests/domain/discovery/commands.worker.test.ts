import { eq, inArray, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { addComment } from "#app/domain/comments/commands.server.ts";
import type { Context } from "#app/domain/context.ts";
import { refreshDiscovery } from "#app/domain/discovery/commands.server.ts";
import { COMMENT_WEIGHT, heatScore, LIKE_WEIGHT } from "#app/domain/discovery/rules.ts";
import { likePost, unlikePost } from "#app/domain/posts/commands.server.ts";
import { follow, mute } from "#app/domain/profiles/commands.server.ts";
import { comments } from "#drizzle/schema/comments.ts";
import { discoveryDirty, exploreEntries } from "#drizzle/schema/discovery.ts";
import { people } from "#drizzle/schema/identity.ts";
import { postAccessRules, postLikes } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { attach, creator, explore, ids, postRow } from "#tests/support/discovery.ts";
import { createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let world: World;
let ctx: Context;
let viewer: TestPerson;
beforeAll(async () => {
  world = await testContext();
  ({ ctx } = world);
  viewer = await createPerson(ctx, "Quem procura");
});

describe("the rollup of posts for the explore page", () => {
  test("has the author, category, kind and opening time of each post, and drops posts that close", async () => {
    const author = await creator(ctx, "Autora da praça", { category: "podcast" });
    const postId = await postRow(ctx, { authorId: author.id });
    await attach(ctx, postId, author.id, "audio");
    const later = await postRow(ctx, { authorId: author.id, opensAt: ctx.now() + 60_000 });
    const closed = await postRow(ctx, { authorId: author.id, rule: "followers" });
    await refreshDiscovery(ctx);
    const shown = async (asked: Parameters<typeof explore>[2]) =>
      ids((await explore(ctx, viewer, { sort: "new", ...asked })).posts);
    for (const asked of [
      {},
      { category: "podcast" as const },
      { kind: "audio" as const },
      { category: "podcast" as const, kind: "audio" as const },
    ])
      expect(await shown(asked)).toContain(postId);
    for (const asked of [{ category: "music" as const }, { kind: "text" as const }])
      expect(await shown(asked)).not.toContain(postId);
    expect(await shown({})).not.toContain(later);
    expect(await shown({})).not.toContain(closed);
    await world.advance(60_000);
    expect(await shown({})).toContain(later);
    await ctx.db
      .update(profiles)
      .set({ category: "games" })
      .where(eq(profiles.personId, author.id));
    await refreshDiscovery(ctx);
    await refreshDiscovery(ctx);
    expect(await shown({ category: "games" })).toContain(postId);
    expect(await shown({ category: "podcast" })).not.toContain(postId);
    await ctx.db.delete(postAccessRules).where(eq(postAccessRules.postId, postId));
    await refreshDiscovery(ctx);
    expect(await ctx.db.$count(exploreEntries, eq(exploreEntries.postId, postId))).toBe(0);
    await ctx.db.update(people).set({ bannedAt: ctx.now() }).where(eq(people.id, author.id));
    expect(await shown({})).not.toContain(later);
    await refreshDiscovery(ctx);
    await refreshDiscovery(ctx);
    expect(await ctx.db.$count(exploreEntries, eq(exploreEntries.postId, later))).toBe(0);
  });

  test(
    "moves a creator's posts page by page when they change category",
    { timeout: 60_000 },
    async () => {
      const author = await creator(ctx, "Autora de mil", { category: "science" });
      await ctx.db
        .run(sql`INSERT INTO posts (id, author_id, title, content, state, published_at, created_at, updated_at)
      SELECT lower(hex(randomblob(16))), ${author.id}, 'Uma de mil', '', 'published', value, 0, 0 FROM (WITH RECURSIVE counter(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM counter WHERE value < 1100) SELECT value FROM counter)`);
      await ctx.db.run(
        sql`INSERT INTO post_access_rules (id, post_id, kind) SELECT id, id, 'public' FROM posts WHERE author_id = ${author.id}`,
      );
      for (let run = 0; run < 2; run += 1) await refreshDiscovery(ctx);
      await ctx.db
        .update(profiles)
        .set({ category: "nature" })
        .where(eq(profiles.personId, author.id));
      for (let run = 0; run < 4; run += 1) await refreshDiscovery(ctx);
      expect(await ctx.db.$count(exploreEntries, eq(exploreEntries.facet, "category:nature"))).toBe(
        1_100,
      );
      expect(await ctx.db.$count(discoveryDirty)).toBe(0);
    },
  );

  test(
    "has the heat of the likes and comments of others, whatever was added, removed or hidden",
    { timeout: 120_000 },
    async () => {
      const author = await creator(ctx, "Autora quente");
      const crowd = await Promise.all(Array.from({ length: 5 }, () => createPerson(ctx)));
      const everyone = [...crowd, author];
      const act = fc.record({
        what: fc.constantFrom("like", "unlike", "comment", "hide", "remove"),
        who: fc.nat({ max: everyone.length - 1 }),
        minute: fc.nat({ max: 20_000 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(act, { maxLength: 16 }), async (acts) => {
          const postId = await postRow(ctx, { authorId: author.id });
          for (const { what, who, minute } of acts) {
            const personId = everyone[who]?.id ?? "";
            const at = ctx.now() - minute * 60_000;
            if (what === "like")
              await ctx.db
                .insert(postLikes)
                .values({ postId, personId, createdAt: at })
                .onConflictDoNothing();
            else if (what === "unlike") await unlikePost(ctx, { postId, personId });
            else if (what === "comment")
              await ctx.db.insert(comments).values({
                id: ctx.newId(),
                postId,
                authorId: personId,
                body: "Que beleza.",
                createdAt: at,
              });
            else
              await ctx.db
                .update(comments)
                .set(what === "hide" ? { hiddenAt: at } : { deletedAt: at })
                .where(
                  inArray(
                    comments.id,
                    sql`(SELECT id FROM comments WHERE post_id = ${postId} AND author_id = ${personId} LIMIT 1)`,
                  ),
                );
          }
          await refreshDiscovery(ctx);
          const likes = (
            await ctx.db.select().from(postLikes).where(eq(postLikes.postId, postId))
          ).filter(({ personId }) => personId !== author.id);
          const said = (
            await ctx.db.select().from(comments).where(eq(comments.postId, postId))
          ).filter(
            ({ authorId, deletedAt, hiddenAt }) =>
              authorId !== author.id && deletedAt === null && hiddenAt === null,
          );
          const latest = Map.groupBy(said, ({ authorId }) => authorId);
          const expected = heatScore([
            ...likes.map(({ createdAt }) => ({ at: createdAt, weight: LIKE_WEIGHT })),
            ...[...latest.values()].map((own) => ({
              at: Math.max(...own.map(({ createdAt }) => createdAt)),
              weight: COMMENT_WEIGHT,
            })),
          ]);
          const [entry] = await ctx.db
            .select()
            .from(exploreEntries)
            .where(eq(exploreEntries.postId, postId))
            .limit(1);
          if (expected === null) expect(entry?.heat).toBeNull();
          else expect(Math.abs((entry?.heat ?? 0) - expected)).toBeLessThanOrEqual(1);
        }),
        { numRuns: 25 },
      );
    },
  );

  test("lists the hottest posts first, page by page, without posts never liked", async () => {
    const author = await creator(ctx, "Autora em alta", { category: "stage" });
    const crowd = await Promise.all(Array.from({ length: 12 }, () => createPerson(ctx)));
    const made: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const postId = await postRow(ctx, { authorId: author.id });
      for (const { id } of crowd.slice(0, index + 1)) await likePost(ctx, { postId, personId: id });
      made.push(postId);
    }
    const never = await postRow(ctx, { authorId: author.id });
    await addComment(ctx, {
      postId: never,
      authorId: author.id,
      authorName: author.name,
      body: "Eu mesma.",
    });
    await refreshDiscovery(ctx);
    const first = await explore(ctx, viewer, { category: "stage" });
    const second = await explore(ctx, viewer, { category: "stage", cursor: first.posts.next });
    // A post without likes is not listed. A comment of its own author does not count.
    expect([...ids(first.posts), ...ids(second.posts)]).toEqual(made.toReversed());
    expect(second.posts.next).toBeNull();
    await mute(ctx, { personId: viewer.id, otherId: author.id });
    expect(ids((await explore(ctx, viewer, { category: "stage" })).posts)).toEqual([]);
  });
});

describe("the creators on the explore page", () => {
  test("are filtered by category, listed by followers, and marked if followed", async () => {
    const [one, other, elsewhere] = [
      await creator(ctx, "Fotógrafa Um", { category: "photography" }),
      await creator(ctx, "Fotógrafa Dois", { category: "photography" }),
      await creator(ctx, "Jogadora", { category: "games" }),
    ];
    await follow(ctx, { followerId: viewer.id, creatorId: other.id });
    const { people: page } = await explore(ctx, viewer, { category: "photography" });
    expect(page.items.map(({ id, isFollowing }) => ({ id, isFollowing }))).toEqual([
      { id: other.id, isFollowing: true },
      { id: one.id, isFollowing: false },
    ]);
    expect(ids(page)).not.toContain(elsewhere.id);
  });
});
