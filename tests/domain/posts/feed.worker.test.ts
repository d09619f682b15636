import { and, eq, inArray, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { canList } from "#app/domain/access/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { encodeCursor } from "#app/domain/page.ts";
import {
  homeFeed,
  feedStatement,
  newFeedPostsCount,
  newFeedPosts,
  NEW_POSTS_MAX,
} from "#app/domain/posts/queries/feed.server.ts";
import { postFor } from "#app/domain/posts/queries.server.ts";
import { block, follow, mute } from "#app/domain/profiles/commands.server.ts";
import { people } from "#drizzle/schema/identity.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { follows } from "#drizzle/schema/profiles.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { postRow } from "#tests/support/discovery.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ctx: Context;
beforeAll(async () => {
  world = await testContext();
  ({ ctx } = world);
});

async function wholeFeed(viewerId: string, limit: number): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof homeFeed>> = await homeFeed(ctx, {
      viewerId,
      cursor,
      limit,
    });
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.next;
  } while (cursor);
  return seen;
}

describe("the feed", () => {
  const kinds = [
    "followed",
    "subscribed",
    "muted",
    "blocking",
    "blocked",
    "banned",
    "leaving",
    "leaving and paid",
    "stranger",
  ] as const;
  const states = ["published", "held", "deleted", "draft", "scheduled", "to come"] as const;

  test(
    "lists the posts of followed and subscribed creators, newest first, each once, for any page size",
    { timeout: 120_000 },
    async () => {
      const reader = await createPerson(ctx);
      const authors = new Map<(typeof kinds)[number], TestPerson>();
      for (const kind of kinds) {
        const author = await createSeller(ctx);
        authors.set(kind, author);
        if (kind === "subscribed" || kind === "leaving and paid")
          await paidSubscription(world, reader, author);
        else if (kind !== "stranger")
          await follow(ctx, { followerId: reader.id, creatorId: author.id });
        if (kind === "muted") await mute(ctx, { personId: reader.id, otherId: author.id });
        if (kind === "blocking") await block(ctx, { personId: author.id, otherId: reader.id });
        if (kind === "blocked") await block(ctx, { personId: reader.id, otherId: author.id });
        if (kind === "banned")
          await ctx.db.update(people).set({ bannedAt: ctx.now() }).where(eq(people.id, author.id));
        if (kind.startsWith("leaving"))
          await ctx.db.update(people).set({ leavingAt: ctx.now() }).where(eq(people.id, author.id));
      }
      const shown = ["followed", "subscribed", "leaving and paid"];
      const rows = fc.array(
        fc.record({
          kind: fc.constantFrom(...kinds),
          state: fc.constantFrom(...states, "published", "published"),
          hour: fc.integer({ min: 0, max: 6 }),
        }),
        { maxLength: 24 },
      );
      await fc.assert(
        fc.asyncProperty(rows, fc.integer({ min: 1, max: 5 }), async (made, limit) => {
          const now = ctx.now();
          const expected: { id: string; at: number }[] = [];
          const all: string[] = [];
          for (const { kind, state, hour } of made) {
            const at = now - hour * 3_600_000;
            const isOut =
              state === "published" ||
              state === "held" ||
              state === "deleted" ||
              state === "to come";
            const id = await postRow(ctx, {
              authorId: authors.get(kind)?.id ?? "",
              state: isOut ? "published" : state,
              publishedAt: isOut ? (state === "to come" ? now + 3_600_000 : at) : null,
              heldAt: state === "held" ? now : null,
              deletedAt: state === "deleted" ? now : null,
              rule: hour % 2 === 0 ? "public" : "subscribers",
            });
            all.push(id);
            if (state === "published" && shown.includes(kind)) expected.push({ id, at });
          }
          const inOrder = expected
            .toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
            .map(({ id }) => id);
          try {
            expect(await wholeFeed(reader.id, limit)).toEqual(inOrder);
          } finally {
            if (all.length > 0) await ctx.db.delete(posts).where(inArray(posts.id, all));
          }
        }),
        { numRuns: 25 },
      );
    },
  );

  test("excludes posts whose page the reader cannot open, and shows no more than that page", async () => {
    const [author, reader] = [await createSeller(ctx), await createPerson(ctx)];
    await follow(ctx, { followerId: reader.id, creatorId: author.id });
    const locked = await postRow(ctx, {
      authorId: author.id,
      rule: "subscribers",
      content: "O segredo",
    });
    const [card] = (await homeFeed(ctx, { viewerId: reader.id, cursor: null, limit: 5 })).items;
    expect(card?.id).toBe(locked);
    expect(JSON.stringify(card)).not.toContain("segredo");
    const alone = await postFor(ctx, { postId: locked, viewerId: reader.id });
    expect(alone && canList(alone.access)).toBe(true);
  });

  test("a forged cursor shows no future post", async () => {
    const [author, reader] = [await createSeller(ctx), await createPerson(ctx)];
    await follow(ctx, { followerId: reader.id, creatorId: author.id });
    await postRow(ctx, { authorId: author.id, publishedAt: ctx.now() + 60_000 });
    for (const cursor of [encodeCursor({ at: ctx.now() + 120_000, id: "f" }), "nothing", "9_9_9"]) {
      expect((await homeFeed(ctx, { viewerId: reader.id, cursor, limit: 5 })).items).toEqual([]);
    }
  });
});

describe("the count of new posts", () => {
  test("starts after a given post, has a limit, and the new posts come newest first", async () => {
    const [author, muted, reader] = [
      await createSeller(ctx),
      await createSeller(ctx),
      await createPerson(ctx),
    ];
    for (const one of [author, muted])
      await follow(ctx, { followerId: reader.id, creatorId: one.id });
    await mute(ctx, { personId: reader.id, otherId: muted.id });
    const start = ctx.now() - 1_000_000;
    const first = await postRow(ctx, { authorId: author.id, publishedAt: start });
    const since = encodeCursor({ at: start, id: first });
    expect(await newFeedPostsCount(ctx, { viewerId: reader.id, since })).toBe(0);
    const second = await postRow(ctx, { authorId: author.id, publishedAt: start + 1 });
    const third = await postRow(ctx, { authorId: author.id, publishedAt: start + 2 });
    await postRow(ctx, { authorId: muted.id, publishedAt: start + 3 });
    await postRow(ctx, { authorId: author.id, publishedAt: ctx.now() + 60_000 });
    expect(await newFeedPostsCount(ctx, { viewerId: reader.id, since })).toBe(2);
    expect((await newFeedPosts(ctx, { viewerId: reader.id, since }))?.map(({ id }) => id)).toEqual([
      third,
      second,
    ]);
    expect(await newFeedPostsCount(ctx, { viewerId: reader.id, since: "no cursor" })).toBe(0);
    await many(author.id, 80, start + 10);
    expect(await newFeedPostsCount(ctx, { viewerId: reader.id, since })).toBe(NEW_POSTS_MAX + 1);
    expect(await newFeedPosts(ctx, { viewerId: reader.id, since })).toBeNull();
  });
});

/** Inserts `count` public posts of one author, one each millisecond from `from` on. */
async function many(authorId: string, count: number, from: number): Promise<void> {
  await ctx.db
    .run(sql`INSERT INTO posts (id, author_id, title, content, state, published_at, created_at, updated_at)
    SELECT lower(hex(randomblob(16))), ${authorId}, 'Uma de muitas', 'Texto.', 'published', ${from} + value, ${from}, ${from}
    FROM (WITH RECURSIVE counter(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM counter WHERE value + 1 < ${count}) SELECT value FROM counter)`);
}

/** The rows that the statement of a page reads, as D1 counts them. */
async function rowsRead(
  build: (measured: Context) => { toSQL(): { sql: string; params: unknown[] } },
): Promise<number> {
  const { sql: text, params } = build(ctx).toSQL();
  const { meta } = await testEnv.DB.prepare(text)
    .bind(...params)
    .all();
  return meta.rows_read;
}

describe("the rows that the feed reads", () => {
  test(
    "do not grow with the posts of followed or other creators, nor with other followers",
    { timeout: 120_000 },
    async () => {
      const reader = await createPerson(ctx);
      const followed: TestPerson[] = [];
      for (let index = 0; index < 12; index += 1)
        followed.push(await createSeller(ctx, { approved: false }));
      const stranger = await createSeller(ctx);
      const month = ctx.now() - 30 * 86_400_000;
      for (const author of followed) {
        await follow(ctx, { followerId: reader.id, creatorId: author.id });
        await many(author.id, 20, month);
      }
      const asked = { viewerId: reader.id, limit: 10 };
      const newest = () => rowsRead((one) => feedStatement(one, { ...asked, cursor: null }));
      const { next } = await homeFeed(ctx, { ...asked, cursor: null });
      const older = () => rowsRead((one) => feedStatement(one, { ...asked, cursor: next }));
      const [first, second] = [await newest(), await older()];
      for (const author of followed) await many(author.id, 400, month + 1_000);
      await many(stranger.id, 5_000, month + 500_000);
      const hot = followed[0]?.id ?? "";
      await ctx.db
        .run(sql`INSERT INTO follows (follower_id, creator_id, created_at) SELECT 'other' || value, ${hot}, 0
      FROM (WITH RECURSIVE counter(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM counter WHERE value < 20000) SELECT value FROM counter)`);
      expect(await ctx.db.$count(follows, and(eq(follows.creatorId, hot)))).toBeGreaterThan(20_000);
      expect(await newest()).toBeLessThanOrEqual(first * 1.1);
      expect(await older()).toBeLessThanOrEqual(second * 1.1);
      const since = encodeCursor({ at: month + 1_390, id: "0" });
      expect(await newFeedPostsCount(ctx, { viewerId: reader.id, since })).toBeGreaterThan(
        NEW_POSTS_MAX,
      );
    },
  );

  test("grow by a few for each further followed creator", { timeout: 120_000 }, async () => {
    const reader = await createPerson(ctx);
    const crowd = await Promise.all(Array.from({ length: 60 }, () => createPerson(ctx)));
    const week = ctx.now() - 7 * 86_400_000;
    for (const author of crowd) await many(author.id, 15, week);
    const feed = () =>
      rowsRead((one) => feedStatement(one, { viewerId: reader.id, cursor: null, limit: 10 }));
    const followThem = (some: TestPerson[]) =>
      ctx.db
        .insert(follows)
        .values(some.map(({ id }) => ({ followerId: reader.id, creatorId: id, createdAt: 0 })));
    await followThem(crowd.slice(0, 30));
    const few = await feed();
    await followThem(crowd.slice(30));
    expect((await feed()) - few).toBeLessThanOrEqual(30 * 8);
  });
});

test("the query plan of the feed uses the index of listed posts and scans no posts", async () => {
  const { sql: text, params } = feedStatement(ctx, {
    viewerId: "someone",
    cursor: null,
    limit: 10,
  }).toSQL();
  const { results } = await testEnv.DB.prepare(`EXPLAIN QUERY PLAN ${text}`)
    .bind(...params)
    .all<{ detail: string }>();
  const plan = results.map(({ detail }) => detail);
  expect(plan.filter((step) => /^SCAN (posts|own|f|paid|writer)\b/.test(step))).toEqual([]);
  expect(
    plan.filter((step) => step.startsWith("SEARCH own USING COVERING INDEX posts_in_lists")),
  ).toHaveLength(2);
});
