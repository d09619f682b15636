import { eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { postAccessRules, posts } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { testContext } from "#tests/support/context.ts";
import { creator, postRow } from "#tests/support/discovery.ts";
import { createPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let ctx: Context;
beforeAll(async () => {
  ({ ctx } = await testContext());
});

/** Returns the content of an index, word by word. */
async function instances(table: string): Promise<unknown[]> {
  await testEnv.DB.exec(
    `CREATE VIRTUAL TABLE IF NOT EXISTS ${table}_words USING fts5vocab('${table}', 'instance')`,
  );
  return (
    await testEnv.DB.prepare(
      `SELECT term, doc, col, "offset" FROM ${table}_words ORDER BY doc, col, "offset", term`,
    ).all()
  ).results;
}

describe("after random writing, editing, closing, opening and deleting", () => {
  const words = fc.constantFrom("rabeca", "Música", "lua", "cordel", "", "São João");
  const act = fc.record({
    what: fc.constantFrom(
      "publish",
      "draft",
      "edit",
      "hold",
      "release",
      "delete",
      "restore",
      "unpublish",
      "open",
      "close",
      "open later",
      "erase",
    ),
    which: fc.nat(),
    title: words,
    teaser: words,
    content: words,
  });

  test("the search index of posts equals a rebuilt index", { timeout: 120_000 }, async () => {
    await testEnv.DB.exec(
      "CREATE VIRTUAL TABLE post_search_anew USING fts5(title, teaser, body, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2')",
    );
    const author = await creator(ctx, "Autora indecisa");
    const made: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        for (const { what, which, title, teaser, content } of acts) {
          const id = made[which % Math.max(made.length, 1)] ?? "";
          const change = (set: Partial<typeof posts.$inferInsert>) =>
            ctx.db.update(posts).set(set).where(eq(posts.id, id));
          if (what === "publish" || what === "draft")
            made.push(
              await postRow(ctx, {
                authorId: author.id,
                title,
                teaser,
                content,
                state: what === "publish" ? "published" : "draft",
                rule: which % 2 === 0 ? "public" : "subscribers",
              }),
            );
          else if (what === "edit") await change({ title, teaser, content });
          else if (what === "hold") await change({ heldAt: 1 });
          else if (what === "release") await change({ heldAt: null });
          else if (what === "delete") await change({ deletedAt: 1 });
          else if (what === "restore") await change({ deletedAt: null });
          else if (what === "unpublish") await change({ state: "draft" });
          else if (what === "close")
            await ctx.db.delete(postAccessRules).where(eq(postAccessRules.postId, id));
          else if (what === "erase") await ctx.db.delete(posts).where(eq(posts.id, id));
          else if (id)
            await ctx.db.insert(postAccessRules).values({
              id: ctx.newId(),
              postId: id,
              kind: "public",
              opensAt: what === "open later" ? ctx.now() + 1 : null,
            });
        }
        await testEnv.DB.exec("DELETE FROM post_search_anew");
        await testEnv.DB.exec(
          `INSERT INTO post_search_anew (rowid, title, teaser, body)
          SELECT s.seq, p.title, p.teaser, CASE WHEN EXISTS (SELECT 1 FROM post_access_rules r WHERE r.post_id = p.id AND r.kind = 'public' AND r.opens_at IS NULL) THEN p.content ELSE '' END
          FROM posts p JOIN searchable_posts s ON s.post_id = p.id WHERE p.state = 'published' AND p.held_at IS NULL AND p.deleted_at IS NULL`.replaceAll(
            "\n",
            " ",
          ),
        );
        expect(await instances("post_search")).toEqual(await instances("post_search_anew"));
        const [missing] = await ctx.db.all<{ count: number }>(
          sql`SELECT COUNT(*) AS count FROM posts p WHERE p.state = 'published' AND NOT EXISTS (SELECT 1 FROM searchable_posts s WHERE s.post_id = p.id)`,
        );
        expect(missing?.count).toBe(0);
      }),
      { numRuns: 25 },
    );
  });

  test("the search indexes of people equal rebuilt indexes", { timeout: 120_000 }, async () => {
    await testEnv.DB.exec(
      "CREATE VIRTUAL TABLE creator_search_anew USING fts5(name, username, craft, city, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2')",
    );
    await testEnv.DB.exec(
      "CREATE VIRTUAL TABLE creator_trigrams_anew USING fts5(name, username, content='', contentless_delete=1, tokenize='trigram remove_diacritics 1')",
    );
    const somebody = await Promise.all(
      Array.from({ length: 4 }, () => createPerson(ctx, "Alguém")),
    );
    const change = fc.record({
      which: fc.nat({ max: 3 }),
      name: words,
      craft: words,
      city: words,
      isCreator: fc.boolean(),
      followersCount: fc.nat({ max: 5_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        for (const { which, followersCount, ...set } of changes) {
          const own = eq(profiles.personId, somebody[which]?.id ?? "");
          await ctx.db.update(profiles).set(set).where(own);
          await ctx.db.update(profiles).set({ followersCount }).where(own);
        }
        const from =
          "FROM profiles p JOIN searchable_creators s ON s.person_id = p.person_id WHERE p.is_creator = 1";
        const row = "s.seq - CAST(log2(p.followers_count + 1) AS INTEGER) * 4294967296";
        await testEnv.DB.exec("DELETE FROM creator_search_anew");
        await testEnv.DB.exec("DELETE FROM creator_trigrams_anew");
        await testEnv.DB.exec(
          `INSERT INTO creator_search_anew (rowid, name, username, craft, city) SELECT ${row}, p.name, p.username, p.craft, p.city ${from}`,
        );
        await testEnv.DB.exec(
          `INSERT INTO creator_trigrams_anew (rowid, name, username) SELECT ${row}, p.name, p.username ${from}`,
        );
        for (const index of ["creator_search", "creator_trigrams"])
          expect(await instances(index)).toEqual(await instances(`${index}_anew`));
      }),
      { numRuns: 25 },
    );
  });
});
