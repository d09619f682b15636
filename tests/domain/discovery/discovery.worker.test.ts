import { eq, inArray, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { addComment } from "#app/domain/comments/commands.server.ts";
import type { Context } from "#app/domain/context.ts";
import { refreshDiscovery } from "#app/domain/discovery/commands.server.ts";
import { COMMENT_WEIGHT, heatOf, LIKE_WEIGHT } from "#app/domain/discovery/rules.ts";
import { likePost, unlikePost } from "#app/domain/posts/commands.server.ts";
import { block, follow, mute, openSpace, updateProfile } from "#app/domain/profiles/commands.server.ts";
import type { CreatorCategory } from "#app/domain/profiles/schema.ts";
import { comments } from "#drizzle/schema/comments.ts";
import { discoveryDirty, exploreEntries } from "#drizzle/schema/discovery.ts";
import { people } from "#drizzle/schema/identity.ts";
import { media } from "#drizzle/schema/media.ts";
import { postAccessRules, postLikes, postMedia, posts } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { explore, postRow } from "#tests/support/discovery.ts";
import { person } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ctx: Context;
let viewer: TestPerson;
beforeAll(async () => {
  world = await testContext();
  ({ ctx } = world);
  viewer = await person(ctx, "Quem procura");
});

/** Somebody with a page. Their words are theirs alone, so that the people of other tests are not found by them. */
async function creator(name: string, words: { craft?: string; city?: string; category?: CreatorCategory } = {}): Promise<TestPerson> {
  const made = await person(ctx, name);
  await openSpace(ctx, { personId: made.id, name, bio: "Uma página.", craft: words.craft ?? "de tudo", city: words.city ?? "", category: words.category ?? "", avatarMediaId: null, bannerMediaId: null });
  return made;
}

const ids = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id);
const foundPosts = async (q: string, asked: Parameters<typeof explore>[2] = {}, who: TestPerson = viewer) => ids((await explore(ctx, who, { q, ...asked })).posts);
const foundPeople = async (q: string, who: TestPerson = viewer) => ids((await explore(ctx, who, { q })).people);

describe("looking for posts", () => {
  test("finds words with or without accents and capitals, and the one still being typed", async () => {
    const author = await creator("Autora de música");
    const postId = await postRow(ctx, { authorId: author.id, title: "Música de cabaçaria", teaser: "Um refrão", content: "Sanfoneiríssima." });
    for (const typed of ["musica cabacaria", "MÚSICA CABAÇARIA", "cabaça", "refrao cabacaria", "sanfoneirissima", "mus"]) expect(await foundPosts(typed)).toContain(postId);
    expect(await foundPosts("cabacaria inexistente")).toEqual([]);
  });

  test("finds a closed post by its face only, for whoever looks, also who may read it", async () => {
    const author = await creator("Autora de segredos");
    const locked = await postRow(ctx, { authorId: author.id, title: "Xilofagia aberta", teaser: "Umas palavrinhas xereteiras", content: "O segredo é quixotesco.", rule: "subscribers" });
    const later = await postRow(ctx, { authorId: author.id, title: "Xilofagia depois", content: "O segredo é quixotesco.", rule: "public", opensAt: ctx.now() + 60_000 });
    expect((await foundPosts("xilofagia")).toSorted()).toEqual([locked, later].toSorted());
    expect(await foundPosts("xereteiras")).toEqual([locked]);
    for (const who of [viewer, author]) expect(await foundPosts("quixotesco", {}, who)).toEqual([]);
    const { posts: page } = await explore(ctx, viewer, { q: "xilofagia" });
    expect(JSON.stringify(page)).not.toContain("quixotesco");
  });

  test("finds nothing of who is blocked either way, muted, banned or leaving, nor what is held, deleted, a draft or scheduled", async () => {
    const authors = await Promise.all(["bloqueou", "bloqueada", "silenciada", "banida", "de saída", "retida"].map((name) => creator(`Pessoa ${name}`)));
    const [blocking, blocked, muted, banned, leaving, other] = authors;
    for (const author of authors) await postRow(ctx, { authorId: author.id, title: "Perambulagem" });
    const now = ctx.now();
    const hidden = [{ heldAt: now }, { deletedAt: now }, { state: "draft" as const, publishedAt: null }, { state: "scheduled" as const, publishedAt: null, scheduledAt: now + 1 }];
    for (const row of hidden) await postRow(ctx, { authorId: other?.id ?? "", title: "Perambulagem", ...row });
    expect(await foundPosts("perambulagem")).toHaveLength(6);
    await block(ctx, { personId: blocking?.id ?? "", otherId: viewer.id });
    await block(ctx, { personId: viewer.id, otherId: blocked?.id ?? "" });
    await mute(ctx, { personId: viewer.id, otherId: muted?.id ?? "" });
    await ctx.db.update(people).set({ bannedAt: now }).where(eq(people.id, banned?.id ?? ""));
    await ctx.db.update(people).set({ leavingAt: now }).where(eq(people.id, leaving?.id ?? ""));
    await ctx.db.update(posts).set({ heldAt: now }).where(eq(posts.authorId, other?.id ?? ""));
    expect(await foundPosts("perambulagem")).toEqual([]);
    const people_ = await foundPeople("pessoa");
    for (const gone of [blocking, blocked, banned, leaving]) expect(people_).not.toContain(gone?.id);
    // Whom one muted is still found by name: it is where one goes to hear them again.
    expect(people_).toContain(muted?.id);
  });

  test("never breaks, whatever is typed", { timeout: 60_000 }, async () => {
    for (const typed of ['"', "'", '""', "*", "a*", "NEAR(", "AND OR NOT", "title:", "{", "^x", "-", "+", "%_\\", "\u0000", "'; DROP TABLE posts;--", "a".repeat(5_000), "𞤀𞤁", "ـــ", "é́́́"]) {
      await expect(explore(ctx, viewer, { q: typed })).resolves.toBeDefined();
    }
    await fc.assert(fc.asyncProperty(fc.string({ unit: "binary", maxLength: 40 }), async (typed) => void (await explore(ctx, viewer, { q: typed }))), { numRuns: 60 });
  });

  test("goes on page after page, each post once, and through a window in which nothing may be seen", async () => {
    const [author, blocked] = [await creator("Autora prolixa"), await creator("Autora bloqueada")];
    const made: string[] = [];
    for (let index = 0; index < 12; index += 1) made.push(await postRow(ctx, { authorId: author.id, title: "Bricabraque" }));
    for (let index = 0; index < 210; index += 1) await postRow(ctx, { authorId: blocked.id, title: "Bricabraque", rule: null });
    await block(ctx, { personId: blocked.id, otherId: viewer.id });
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const page: Awaited<ReturnType<typeof explore>>["posts"] = (await explore(ctx, viewer, { q: "bricabraque", show: "posts", cursor })).posts;
      seen.push(...ids(page));
      cursor = page.next;
      pages += 1;
    } while (cursor && pages < 10);
    expect(seen).toEqual(made.toReversed());
  });

  test("narrows to a kind of post and to a category of who made it", async () => {
    const [musician, cook] = [await creator("Autora musical", { category: "music" }), await creator("Autora culinária", { category: "food" })];
    const text = await postRow(ctx, { authorId: musician.id, title: "Rebimboca" });
    const filmed = await postRow(ctx, { authorId: cook.id, title: "Rebimboca" });
    await attach(filmed, cook.id, "video");
    expect(await foundPosts("rebimboca", { kind: "video" })).toEqual([filmed]);
    expect(await foundPosts("rebimboca", { kind: "text" })).toEqual([text]);
    expect(await foundPosts("rebimboca", { category: "music" })).toEqual([text]);
    expect(await foundPosts("rebimboca", { category: "music", kind: "video" })).toEqual([]);
  });
});

async function attach(postId: string, ownerId: string, kind: "image" | "video" | "audio" | "document"): Promise<void> {
  const mediaId = ctx.newId();
  await ctx.db.batch([
    ctx.db.insert(media).values({ id: mediaId, ownerId, purpose: "post", kind, contentType: "video/mp4", sizeBytes: 1, width: 1, height: 1, createdAt: ctx.now() }),
    ctx.db.insert(postMedia).values({ postId, mediaId, position: 0 }),
  ]);
}

describe("looking for people", () => {
  test("finds them by name, username, what they do and where, with or without accents", async () => {
    const made = await creator("Zulmira Conceição", { craft: "rendeira de bilro", city: "Ituiutaba, MG" });
    for (const typed of ["zulmira", "CONCEICAO zulm", "conceição", "bilro", "ituiutaba", made.username, `@${made.username}`]) expect(await foundPeople(typed)).toContain(made.id);
    expect(await foundPeople("zulmira inexistente")).not.toContain(made.id);
  });

  test("offers whose name was nearly typed, and only those", async () => {
    const made = await creator("Epaminondas Vitalino");
    for (const typed of ["epaminomdas", "epaminodas", "vitalinno", "eapminondas vitalino", "epaminondasvitalino"]) {
      const { people: found, near } = await explore(ctx, viewer, { q: typed });
      expect([...ids(found), ...near.map(({ id }) => id)], typed).toContain(made.id);
    }
    const { near } = await explore(ctx, viewer, { q: "estapafúrdio" });
    expect(near.map(({ id }) => id)).not.toContain(made.id);
  });

  test("puts whose username it is first, then the most followed, page after page", async () => {
    const crowd: TestPerson[] = [];
    for (let index = 0; index < 30; index += 1) crowd.push(await creator("Gumercindo Silva"));
    for (const [index, one] of crowd.entries()) await ctx.db.update(profiles).set({ followersCount: 2 ** (index % 10) }).where(eq(profiles.personId, one.id));
    const named = await creator("Gumercindo Discreto");
    await ctx.db.update(profiles).set({ username: "gumercindo" }).where(eq(profiles.personId, named.id));
    const first = await explore(ctx, viewer, { q: "gumercindo", show: "people" });
    expect(first.people.items[0]?.id).toBe(named.id);
    const rest = await explore(ctx, viewer, { q: "gumercindo", show: "people", cursor: first.people.next });
    const all = [...first.people.items, ...rest.people.items].slice(1);
    const tiers = all.filter(({ id }) => id !== named.id).map(({ followersCount }) => Math.floor(Math.log2(followersCount + 1)));
    expect(tiers).toEqual(tiers.toSorted((one, other) => other - one));
    expect(new Set(all.map(({ id }) => id)).size).toBeGreaterThanOrEqual(30);
  });

  test("forgets a name that was left, and who closed the page", async () => {
    const made = await creator("Nicanor Antigo");
    await updateProfile(ctx, { personId: made.id, name: "Nicanor Modernoso", bio: "", craft: "", city: "", avatarMediaId: null, bannerMediaId: null });
    expect(await foundPeople("nicanor antigo")).not.toContain(made.id);
    expect(await foundPeople("nicanor modernoso")).toContain(made.id);
    await ctx.db.update(profiles).set({ isCreator: false }).where(eq(profiles.personId, made.id));
    expect(await foundPeople("nicanor modernoso")).not.toContain(made.id);
  });
});

/** What an index holds, word by word. */
async function instances(table: string): Promise<unknown[]> {
  await testEnv.DB.exec(`CREATE VIRTUAL TABLE IF NOT EXISTS ${table}_words USING fts5vocab('${table}', 'instance')`);
  return (await testEnv.DB.prepare(`SELECT term, doc, col, "offset" FROM ${table}_words ORDER BY doc, col, "offset", term`).all()).results;
}

describe("after random writing, editing, closing, opening and removing", () => {
  const words = fc.constantFrom("rabeca", "Música", "lua", "cordel", "", "São João");
  const act = fc.record({
    what: fc.constantFrom("publish", "draft", "edit", "hold", "release", "delete", "restore", "unpublish", "open", "close", "open later", "erase"),
    which: fc.nat(),
    title: words,
    teaser: words,
    content: words,
  });

  test("the index of posts is what it would be if it were made anew", { timeout: 120_000 }, async () => {
    await testEnv.DB.exec("CREATE VIRTUAL TABLE post_search_anew USING fts5(title, teaser, body, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2')");
    const author = await creator("Autora indecisa");
    const made: string[] = [];
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
        for (const { what, which, title, teaser, content } of acts) {
          const id = made[which % Math.max(made.length, 1)] ?? "";
          const change = (set: Partial<typeof posts.$inferInsert>) => ctx.db.update(posts).set(set).where(eq(posts.id, id));
          if (what === "publish" || what === "draft") made.push(await postRow(ctx, { authorId: author.id, title, teaser, content, state: what === "publish" ? "published" : "draft", rule: which % 2 === 0 ? "public" : "subscribers" }));
          else if (what === "edit") await change({ title, teaser, content });
          else if (what === "hold") await change({ heldAt: 1 });
          else if (what === "release") await change({ heldAt: null });
          else if (what === "delete") await change({ deletedAt: 1 });
          else if (what === "restore") await change({ deletedAt: null });
          else if (what === "unpublish") await change({ state: "draft" });
          else if (what === "close") await ctx.db.delete(postAccessRules).where(eq(postAccessRules.postId, id));
          else if (what === "erase") await ctx.db.delete(posts).where(eq(posts.id, id));
          else if (id) await ctx.db.insert(postAccessRules).values({ id: ctx.newId(), postId: id, kind: "public", opensAt: what === "open later" ? ctx.now() + 1 : null });
        }
        await testEnv.DB.exec("DELETE FROM post_search_anew");
        await testEnv.DB.exec(`INSERT INTO post_search_anew (rowid, title, teaser, body)
          SELECT s.seq, p.title, p.teaser, CASE WHEN EXISTS (SELECT 1 FROM post_access_rules r WHERE r.post_id = p.id AND r.kind = 'public' AND r.opens_at IS NULL) THEN p.content ELSE '' END
          FROM posts p JOIN searchable_posts s ON s.post_id = p.id WHERE p.state = 'published' AND p.held_at IS NULL AND p.deleted_at IS NULL`.replaceAll("\n", " "));
        expect(await instances("post_search")).toEqual(await instances("post_search_anew"));
        const [missing] = await ctx.db.all<{ count: number }>(sql`SELECT COUNT(*) AS count FROM posts p WHERE p.state = 'published' AND NOT EXISTS (SELECT 1 FROM searchable_posts s WHERE s.post_id = p.id)`);
        expect(missing?.count).toBe(0);
      }),
      { numRuns: 25 },
    );
  });

  test("the indexes of people are what they would be if they were made anew", { timeout: 120_000 }, async () => {
    await testEnv.DB.exec("CREATE VIRTUAL TABLE creator_search_anew USING fts5(name, username, craft, city, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2')");
    await testEnv.DB.exec("CREATE VIRTUAL TABLE creator_trigrams_anew USING fts5(name, username, content='', contentless_delete=1, tokenize='trigram remove_diacritics 1')");
    const somebody = await Promise.all(Array.from({ length: 4 }, () => person(ctx, "Alguém")));
    const change = fc.record({ which: fc.nat({ max: 3 }), name: words, craft: words, city: words, isCreator: fc.boolean(), followersCount: fc.nat({ max: 5_000 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        for (const { which, followersCount, ...set } of changes) {
          const own = eq(profiles.personId, somebody[which]?.id ?? "");
          await ctx.db.update(profiles).set(set).where(own);
          await ctx.db.update(profiles).set({ followersCount }).where(own);
        }
        const from = "FROM profiles p JOIN searchable_creators s ON s.person_id = p.person_id WHERE p.is_creator = 1";
        const row = "s.seq - CAST(log2(p.followers_count + 1) AS INTEGER) * 4294967296";
        await testEnv.DB.exec("DELETE FROM creator_search_anew");
        await testEnv.DB.exec("DELETE FROM creator_trigrams_anew");
        await testEnv.DB.exec(`INSERT INTO creator_search_anew (rowid, name, username, craft, city) SELECT ${row}, p.name, p.username, p.craft, p.city ${from}`);
        await testEnv.DB.exec(`INSERT INTO creator_trigrams_anew (rowid, name, username) SELECT ${row}, p.name, p.username ${from}`);
        for (const index of ["creator_search", "creator_trigrams"]) expect(await instances(index)).toEqual(await instances(`${index}_anew`));
      }),
      { numRuns: 25 },
    );
  });
});

describe("the rollup of the square", () => {
  test("knows who made it and of what kind it is, when it opened, and forgets what closed", async () => {
    const author = await creator("Autora da praça", { category: "podcast" });
    const postId = await postRow(ctx, { authorId: author.id });
    await attach(postId, author.id, "audio");
    const later = await postRow(ctx, { authorId: author.id, opensAt: ctx.now() + 60_000 });
    const closed = await postRow(ctx, { authorId: author.id, rule: "followers" });
    await refreshDiscovery(ctx);
    const shown = async (asked: Parameters<typeof explore>[2]) => ids((await explore(ctx, viewer, { sort: "new", ...asked })).posts);
    for (const asked of [{}, { category: "podcast" as const }, { kind: "audio" as const }, { category: "podcast" as const, kind: "audio" as const }]) expect(await shown(asked)).toContain(postId);
    for (const asked of [{ category: "music" as const }, { kind: "text" as const }]) expect(await shown(asked)).not.toContain(postId);
    expect(await shown({})).not.toContain(later);
    expect(await shown({})).not.toContain(closed);
    await world.advance(60_000);
    expect(await shown({})).toContain(later);
    await ctx.db.update(profiles).set({ category: "games" }).where(eq(profiles.personId, author.id));
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

  test("takes a creator's posts page by page when they change category", { timeout: 60_000 }, async () => {
    const author = await creator("Autora de mil", { category: "science" });
    await ctx.db.run(sql`INSERT INTO posts (id, author_id, title, content, state, published_at, created_at, updated_at)
      SELECT lower(hex(randomblob(16))), ${author.id}, 'Uma de mil', '', 'published', value, 0, 0 FROM (WITH RECURSIVE counter(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM counter WHERE value < 1100) SELECT value FROM counter)`);
    await ctx.db.run(sql`INSERT INTO post_access_rules (id, post_id, kind) SELECT id, id, 'public' FROM posts WHERE author_id = ${author.id}`);
    for (let run = 0; run < 2; run += 1) await refreshDiscovery(ctx);
    await ctx.db.update(profiles).set({ category: "nature" }).where(eq(profiles.personId, author.id));
    for (let run = 0; run < 4; run += 1) await refreshDiscovery(ctx);
    expect(await ctx.db.$count(exploreEntries, eq(exploreEntries.facet, "category:nature"))).toBe(1_100);
    expect(await ctx.db.$count(discoveryDirty)).toBe(0);
  });

  test("has the heat that the likes and comments of others make, whatever came, went and was hidden", { timeout: 120_000 }, async () => {
    const author = await creator("Autora quente");
    const crowd = await Promise.all(Array.from({ length: 5 }, () => person(ctx)));
    const everyone = [...crowd, author];
    const act = fc.record({ what: fc.constantFrom("like", "unlike", "comment", "hide", "remove"), who: fc.nat({ max: everyone.length - 1 }), minute: fc.nat({ max: 20_000 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 16 }), async (acts) => {
        const postId = await postRow(ctx, { authorId: author.id });
        for (const { what, who, minute } of acts) {
          const personId = everyone[who]?.id ?? "";
          const at = ctx.now() - minute * 60_000;
          if (what === "like") await ctx.db.insert(postLikes).values({ postId, personId, createdAt: at }).onConflictDoNothing();
          else if (what === "unlike") await unlikePost(ctx, { postId, personId });
          else if (what === "comment") await ctx.db.insert(comments).values({ id: ctx.newId(), postId, authorId: personId, body: "Que beleza.", createdAt: at });
          else await ctx.db.update(comments).set(what === "hide" ? { hiddenAt: at } : { deletedAt: at }).where(inArray(comments.id, sql`(SELECT id FROM comments WHERE post_id = ${postId} AND author_id = ${personId} LIMIT 1)`));
        }
        await refreshDiscovery(ctx);
        const likes = (await ctx.db.select().from(postLikes).where(eq(postLikes.postId, postId))).filter(({ personId }) => personId !== author.id);
        const said = (await ctx.db.select().from(comments).where(eq(comments.postId, postId))).filter(({ authorId, deletedAt, hiddenAt }) => authorId !== author.id && deletedAt === null && hiddenAt === null);
        const latest = Map.groupBy(said, ({ authorId }) => authorId);
        const expected = heatOf([
          ...likes.map(({ createdAt }) => ({ at: createdAt, weight: LIKE_WEIGHT })),
          ...[...latest.values()].map((own) => ({ at: Math.max(...own.map(({ createdAt }) => createdAt)), weight: COMMENT_WEIGHT })),
        ]);
        const [entry] = await ctx.db.select().from(exploreEntries).where(eq(exploreEntries.postId, postId)).limit(1);
        if (expected === null) expect(entry?.heat).toBeNull();
        else expect(Math.abs((entry?.heat ?? 0) - expected)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 25 },
    );
  });

  test("shows what rises first what is hottest, page after page, and not what was never liked", async () => {
    const author = await creator("Autora em alta", { category: "stage" });
    const crowd = await Promise.all(Array.from({ length: 12 }, () => person(ctx)));
    const made: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      const postId = await postRow(ctx, { authorId: author.id });
      for (const { id } of crowd.slice(0, index + 1)) await likePost(ctx, { postId, personId: id });
      made.push(postId);
    }
    const never = await postRow(ctx, { authorId: author.id });
    await addComment(ctx, { postId: never, authorId: author.id, authorName: author.name, body: "Eu mesma." });
    await refreshDiscovery(ctx);
    const first = await explore(ctx, viewer, { category: "stage" });
    const second = await explore(ctx, viewer, { category: "stage", cursor: first.posts.next });
    // Neither a like of nobody nor a comment of its own author makes a post rise.
    expect([...ids(first.posts), ...ids(second.posts)]).toEqual(made.toReversed());
    expect(second.posts.next).toBeNull();
    await mute(ctx, { personId: viewer.id, otherId: author.id });
    expect(ids((await explore(ctx, viewer, { category: "stage" })).posts)).toEqual([]);
  });
});

describe("the people of the square", () => {
  test("are of a category when one is asked for, most followed first, and say who is followed", async () => {
    const [one, other, elsewhere] = [await creator("Fotógrafa Um", { category: "photography" }), await creator("Fotógrafa Dois", { category: "photography" }), await creator("Jogadora", { category: "games" })];
    await follow(ctx, { followerId: viewer.id, creatorId: other.id });
    const { people: page } = await explore(ctx, viewer, { category: "photography" });
    expect(page.items.map(({ id, isFollowing }) => ({ id, isFollowing }))).toEqual([{ id: other.id, isFollowing: true }, { id: one.id, isFollowing: false }]);
    expect(ids(page)).not.toContain(elsewhere.id);
  });
});
