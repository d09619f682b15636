import { and, eq, gt } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { preparePageReads } from "#app/db/page-reads.ts";
import type { Context } from "#app/domain/context.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { publicPostStatements } from "#app/http/public-pages/post-rows.server.ts";
import { spaceStatements } from "#app/http/public-pages/space-rows.server.ts";
import { loadSpace, spaceFromRows } from "#app/routes/space/load-space.server.ts";
import { people } from "#drizzle/schema/identity.ts";
import { testContext } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

const AUDIENCES = ["public", "followers", "subscribers"] as const;

/** A seller with a post of each audience, in a Context whose time stands still. */
async function publishedWorld(adultSpaces: boolean) {
  const world = await testContext({ adultSpaces });
  const seller = await createSeller(world.ctx);
  const postIds: string[] = [];
  for (const audience of AUDIENCES) {
    const { postId } = await publishPost(world.ctx, {
      authorId: seller.id,
      title: audience,
      audience,
      content: `**Tudo** de ${audience}`,
      teaser: "",
      planIds: [],
      image: null,
    });
    postIds.push(postId);
  }
  const now = world.ctx.now();
  const ctx: Context = { ...world.ctx, now: () => now };
  return { ctx, seller, postIds, fan: await createPerson(ctx, "Bruno") };
}

describe.each([false, true])("with adult spaces %s, prepared reads give", (adultSpaces) => {
  test("a creator's page as its statements do, to each viewer and by each key", async () => {
    const { ctx, seller, fan } = await publishedWorld(adultSpaces);
    for (const key of [seller.id, seller.username, seller.username.toUpperCase()])
      for (const viewerId of [null, fan.id, seller.id]) {
        const asked = { key, viewerId, cursor: null };
        const page = spaceFromRows(ctx, asked, await ctx.db.batch(spaceStatements(ctx, asked)));
        expect([page?.profile.id, page?.posts.items.length]).toEqual([seller.id, AUDIENCES.length]);
        expect(await loadSpace(ctx, asked)).toEqual(page);
      }
  });

  test("a post's page as its statements do", async () => {
    const { ctx, postIds } = await publishedWorld(adultSpaces);
    for (const postId of postIds) {
      const rows = await ctx.db.batch(publicPostStatements(ctx, { postId, collectionId: null }));
      expect(rows[0]).toHaveLength(1);
      // A collection that holds nothing changes nothing.
      expect(
        await ctx.db.batch(publicPostStatements(ctx, { postId, collectionId: "none" })),
      ).toEqual(rows);
    }
  });
});

describe("prepared reads of a page", () => {
  let times = 0;
  const reads = preparePageReads((ctx: Context, value) => {
    times += 1;
    return [
      ctx.db
        .select({ id: people.id, createdAt: people.createdAt })
        .from(people)
        .where(eq(people.id, value("id"))),
      ctx.db
        .select({ id: people.id })
        .from(people)
        .where(and(eq(people.id, value("id")), gt(people.createdAt, ctx.now()))),
    ];
  });

  test("are built once and take the time of each request", async () => {
    const { ctx } = await testContext();
    const ana = await createPerson(ctx, "Ana");
    const [[found], later] = await ctx.db.batch(reads(ctx, { id: ana.id }));
    expect([found?.id, later]).toEqual([ana.id, []]);
    const before = { ...ctx, now: () => (found?.createdAt ?? 0) - 1 };
    const [, [hers]] = await before.db.batch(reads(before, { id: ana.id }));
    expect(hers?.id).toBe(ana.id);
    expect(times).toBe(1);
  });

  test("refuse a calculation with what is not known yet", async () => {
    const { ctx } = await testContext();
    const tomorrow = preparePageReads((built: Context) => [
      built.db
        .select({ id: people.id })
        .from(people)
        .where(gt(people.createdAt, built.now() * 2)),
    ]);
    expect(() => tomorrow(ctx, {})).toThrow(/calculated/);
    const named = preparePageReads((built: Context, value) => [
      built.db
        .select({ id: people.id })
        .from(people)
        .where(eq(people.id, `p${value("id")}`)),
    ]);
    expect(() => named(ctx, { id: "x" })).toThrow(/calculated/);
  });
});
