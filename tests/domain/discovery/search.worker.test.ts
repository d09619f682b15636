import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { block, mute, updateProfile } from "#app/domain/profiles/commands.server.ts";
import { people } from "#drizzle/schema/identity.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { testContext } from "#tests/support/context.ts";
import { attach, creator, explore, ids, postRow } from "#tests/support/discovery.ts";
import { createPerson } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let ctx: Context;
let viewer: TestPerson;
beforeAll(async () => {
  ({ ctx } = await testContext());
  viewer = await createPerson(ctx, "Quem procura");
});

const foundPosts = async (
  q: string,
  asked: Parameters<typeof explore>[2] = {},
  who: TestPerson = viewer,
) => ids((await explore(ctx, who, { q, ...asked })).posts);
const foundPeople = async (q: string, who: TestPerson = viewer) =>
  ids((await explore(ctx, who, { q })).people);

describe("searching posts", () => {
  test("finds words in any case and accents, and the word still being typed", async () => {
    const author = await creator(ctx, "Autora de música");
    const postId = await postRow(ctx, {
      authorId: author.id,
      title: "Música de cabaçaria",
      teaser: "Um refrão",
      content: "Sanfoneiríssima.",
    });
    for (const typed of [
      "musica cabacaria",
      "MÚSICA CABAÇARIA",
      "cabaça",
      "refrao cabacaria",
      "sanfoneirissima",
      "mus",
    ])
      expect(await foundPosts(typed)).toContain(postId);
    expect(await foundPosts("cabacaria inexistente")).toEqual([]);
  });

  test("finds a locked post only by its title and teaser, even for viewers with access", async () => {
    const author = await creator(ctx, "Autora de segredos");
    const locked = await postRow(ctx, {
      authorId: author.id,
      title: "Xilofagia aberta",
      teaser: "Umas palavrinhas xereteiras",
      content: "O segredo é quixotesco.",
      rule: "subscribers",
    });
    const later = await postRow(ctx, {
      authorId: author.id,
      title: "Xilofagia depois",
      content: "O segredo é quixotesco.",
      rule: "public",
      opensAt: ctx.now() + 60_000,
    });
    expect((await foundPosts("xilofagia")).toSorted()).toEqual([locked, later].toSorted());
    expect(await foundPosts("xereteiras")).toEqual([locked]);
    for (const who of [viewer, author]) expect(await foundPosts("quixotesco", {}, who)).toEqual([]);
    const { posts: page } = await explore(ctx, viewer, { q: "xilofagia" });
    expect(JSON.stringify(page)).not.toContain("quixotesco");
  });

  test("excludes blocked, muted, banned and leaving authors, and held, deleted, draft and scheduled posts", async () => {
    const authors = await Promise.all(
      ["bloqueou", "bloqueada", "silenciada", "banida", "de saída", "retida"].map((name) =>
        creator(ctx, `Pessoa ${name}`),
      ),
    );
    const [blocking, blocked, muted, banned, leaving, other] = authors;
    for (const author of authors)
      await postRow(ctx, { authorId: author.id, title: "Perambulagem" });
    const now = ctx.now();
    const hidden = [
      { heldAt: now },
      { deletedAt: now },
      { state: "draft" as const, publishedAt: null },
      { state: "scheduled" as const, publishedAt: null, scheduledAt: now + 1 },
    ];
    for (const row of hidden)
      await postRow(ctx, { authorId: other?.id ?? "", title: "Perambulagem", ...row });
    expect(await foundPosts("perambulagem")).toHaveLength(6);
    await block(ctx, { personId: blocking?.id ?? "", otherId: viewer.id });
    await block(ctx, { personId: viewer.id, otherId: blocked?.id ?? "" });
    await mute(ctx, { personId: viewer.id, otherId: muted?.id ?? "" });
    await ctx.db
      .update(people)
      .set({ bannedAt: now })
      .where(eq(people.id, banned?.id ?? ""));
    await ctx.db
      .update(people)
      .set({ leavingAt: now })
      .where(eq(people.id, leaving?.id ?? ""));
    await ctx.db
      .update(posts)
      .set({ heldAt: now })
      .where(eq(posts.authorId, other?.id ?? ""));
    expect(await foundPosts("perambulagem")).toEqual([]);
    const people_ = await foundPeople("pessoa");
    for (const gone of [blocking, blocked, banned, leaving])
      expect(people_).not.toContain(gone?.id);
    // A muted creator can still be found by name, so that a member can unmute them.
    expect(people_).toContain(muted?.id);
  });

  test("accepts any input without an error", { timeout: 60_000 }, async () => {
    for (const typed of [
      '"',
      "'",
      '""',
      "*",
      "a*",
      "NEAR(",
      "AND OR NOT",
      "title:",
      "{",
      "^x",
      "-",
      "+",
      "%_\\",
      "\u0000",
      "'; DROP TABLE posts;--",
      "a".repeat(5_000),
      "𞤀𞤁",
      "ـــ",
      "é́́́",
    ]) {
      await expect(explore(ctx, viewer, { q: typed })).resolves.toBeDefined();
    }
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary", maxLength: 40 }),
        async (typed) => void (await explore(ctx, viewer, { q: typed })),
      ),
      { numRuns: 60 },
    );
  });

  test("lists every post once across pages, also past a window without visible posts", async () => {
    const [author, blocked] = [
      await creator(ctx, "Autora prolixa"),
      await creator(ctx, "Autora bloqueada"),
    ];
    const made: string[] = [];
    for (let index = 0; index < 12; index += 1)
      made.push(await postRow(ctx, { authorId: author.id, title: "Bricabraque" }));
    for (let index = 0; index < 210; index += 1)
      await postRow(ctx, { authorId: blocked.id, title: "Bricabraque", rule: null });
    await block(ctx, { personId: blocked.id, otherId: viewer.id });
    const seen: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const page: Awaited<ReturnType<typeof explore>>["posts"] = (
        await explore(ctx, viewer, { q: "bricabraque", show: "posts", cursor })
      ).posts;
      seen.push(...ids(page));
      cursor = page.next;
      pages += 1;
    } while (cursor && pages < 10);
    expect(seen).toEqual(made.toReversed());
  });

  test("filters by the kind of post and the category of its creator", async () => {
    const [musician, cook] = [
      await creator(ctx, "Autora musical", { category: "music" }),
      await creator(ctx, "Autora culinária", { category: "food" }),
    ];
    const text = await postRow(ctx, { authorId: musician.id, title: "Rebimboca" });
    const filmed = await postRow(ctx, { authorId: cook.id, title: "Rebimboca" });
    await attach(ctx, filmed, cook.id, "video");
    expect(await foundPosts("rebimboca", { kind: "video" })).toEqual([filmed]);
    expect(await foundPosts("rebimboca", { kind: "text" })).toEqual([text]);
    expect(await foundPosts("rebimboca", { category: "music" })).toEqual([text]);
    expect(await foundPosts("rebimboca", { category: "music", kind: "video" })).toEqual([]);
  });
});

describe("searching people", () => {
  test("finds them by name, username, craft and city, with or without accents", async () => {
    const made = await creator(ctx, "Zulmira Conceição", {
      craft: "rendeira de bilro",
      city: "Ituiutaba, MG",
    });
    for (const typed of [
      "zulmira",
      "CONCEICAO zulm",
      "conceição",
      "bilro",
      "ituiutaba",
      made.username,
      `@${made.username}`,
    ])
      expect(await foundPeople(typed)).toContain(made.id);
    expect(await foundPeople("zulmira inexistente")).not.toContain(made.id);
  });

  test("suggests only names close to a misspelled one", async () => {
    const made = await creator(ctx, "Epaminondas Vitalino");
    for (const typed of [
      "epaminomdas",
      "epaminodas",
      "vitalinno",
      "eapminondas vitalino",
      "epaminondasvitalino",
    ]) {
      const { people: found, near } = await explore(ctx, viewer, { q: typed });
      expect([...ids(found), ...near.map(({ id }) => id)], typed).toContain(made.id);
    }
    const { near } = await explore(ctx, viewer, { q: "estapafúrdio" });
    expect(near.map(({ id }) => id)).not.toContain(made.id);
  });

  test("lists an exact username first, then by followers, page by page", async () => {
    const crowd: TestPerson[] = [];
    for (let index = 0; index < 30; index += 1) crowd.push(await creator(ctx, "Gumercindo Silva"));
    for (const [index, one] of crowd.entries())
      await ctx.db
        .update(profiles)
        .set({ followersCount: 2 ** (index % 10) })
        .where(eq(profiles.personId, one.id));
    const named = await creator(ctx, "Gumercindo Discreto");
    await ctx.db
      .update(profiles)
      .set({ username: "gumercindo" })
      .where(eq(profiles.personId, named.id));
    const first = await explore(ctx, viewer, { q: "gumercindo", show: "people" });
    expect(first.people.items[0]?.id).toBe(named.id);
    const rest = await explore(ctx, viewer, {
      q: "gumercindo",
      show: "people",
      cursor: first.people.next,
    });
    const all = [...first.people.items, ...rest.people.items].slice(1);
    const tiers = all
      .filter(({ id }) => id !== named.id)
      .map(({ followersCount }) => Math.floor(Math.log2(followersCount + 1)));
    expect(tiers).toEqual(tiers.toSorted((one, other) => other - one));
    expect(new Set(all.map(({ id }) => id)).size).toBeGreaterThanOrEqual(30);
  });

  test("drops a name that was changed and a page that was closed", async () => {
    const made = await creator(ctx, "Nicanor Antigo");
    await updateProfile(ctx, {
      personId: made.id,
      name: "Nicanor Modernoso",
      bio: "",
      craft: "",
      city: "",
      avatarMediaId: null,
      bannerMediaId: null,
    });
    expect(await foundPeople("nicanor antigo")).not.toContain(made.id);
    expect(await foundPeople("nicanor modernoso")).toContain(made.id);
    await ctx.db.update(profiles).set({ isCreator: false }).where(eq(profiles.personId, made.id));
    expect(await foundPeople("nicanor modernoso")).not.toContain(made.id);
  });
});

describe("suggesting another search", () => {
  const suggested = async (
    q: string,
    asked: Parameters<typeof explore>[2] = {},
    who: TestPerson = viewer,
  ) => (await explore(ctx, who, { q, ...asked })).suggestion;

  test("corrects one mistake a word, of posts and of creators, as they write it", async () => {
    const author = await creator(ctx, "Autora de zabumba", {
      craft: "Luthière de cítaras",
      city: "Quixeramobim",
    });
    await postRow(ctx, {
      authorId: author.id,
      title: "Música de alaúde",
      content: "E uma zabumbeirada.",
    });
    for (const [typed, meant] of [
      ["allaude", "alaúde"],
      ["ALAUDI", "alaúde"],
      ["zabumbeirda", "zabumbeirada"],
      ["musica alaudde", "música alaúde"],
      ["muzica alaudde", "música alaúde"],
      ["cictaras", "cítaras"],
      ["kixeramobim", "quixeramobim"],
    ] as const)
      expect(await suggested(typed), typed).toBe(meant);
    expect(await suggested("alaude")).toBeNull();
    expect(await suggested("estapafurdissimo")).toBeNull();
  });

  test("suggests only what finds something for the viewer, with the same filters", async () => {
    const author = await creator(ctx, "Autora de bandolins", { category: "music" });
    const postId = await postRow(ctx, {
      authorId: author.id,
      title: "Bandolinata",
      content: "Segredo: cavaquinhada.",
      rule: "subscribers",
    });
    expect(await suggested("bandolinatta")).toBe("bandolinata");
    expect(await suggested("bandolinatta", { show: "posts", category: "music" })).toBe(
      "bandolinata",
    );
    expect(await suggested("bandolinatta", { category: "food" })).toBeNull();
    expect(await suggested("bandolinatta", { show: "people" })).toBeNull();
    expect(await suggested("cavaquinhadda"), "a locked word").toBeNull();
    const blocked = await createPerson(ctx, "Bloqueado");
    await block(ctx, { personId: author.id, otherId: blocked.id });
    expect(await suggested("bandolinatta", {}, blocked)).toBeNull();
    await ctx.db.update(posts).set({ heldAt: ctx.now() }).where(eq(posts.id, postId));
    expect(await suggested("bandolinatta"), "held by staff").toBeNull();
  });
});
