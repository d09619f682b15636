import { eq } from "drizzle-orm";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { beforeAll, describe, expect, test } from "vitest";
import { cancelEvent, createEvent } from "#app/domain/events/commands.server.ts";
import { publicEventPath } from "#app/domain/events/rules.ts";
import { banPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { holdPost } from "#app/domain/moderation/commands.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { splitSitemapFiles } from "#app/domain/syndication/commands/sitemap.server.ts";
import { sitemapEntries, allSitemapFiles } from "#app/domain/syndication/queries/sitemap.server.ts";
import { parseSitemapPath } from "#app/domain/syndication/rules/sitemap.ts";
import * as robots from "#app/routes/resources/syndication/robots.ts";
import * as sitemap from "#app/routes/resources/syndication/sitemap.ts";
import * as sitemapFile from "#app/routes/resources/syndication/sitemap-file.ts";
import { publicCollectionPath } from "#app/domain/collections/rules.ts";
import { collections } from "#drizzle/schema/collections.ts";
import { people } from "#drizzle/schema/identity.ts";
import { posts } from "#drizzle/schema/posts.ts";
import { sitemapPages } from "#drizzle/schema/syndication.ts";
import { testClock } from "#tests/support/clock.ts";
import { collectionOf } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { eventInput, publishedEvent } from "#tests/support/events.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

const ask = createRouteCaller([
  { path: "robots.txt", module: robots },
  { path: "sitemap.xml", module: sitemap },
  { path: "sitemaps/:file", module: sitemapFile },
]);
const get = (path: string) => ask(new Request(TEST_ORIGIN + path));
const parser = new XMLParser({ isArray: (name) => ["sitemap", "url"].includes(name) });

let world: World;
let ana: Seller;
const ids: string[] = [];

const published = async (
  authorId: string,
  title: string,
  audience: "public" | "subscribers" = "public",
) =>
  (
    await publishPost(world.ctx, {
      authorId,
      title,
      content: "Texto",
      teaser: "",
      audience,
      planIds: [],
      image: null,
    })
  ).postId;

beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  for (let count = 0; count < 7; count += 1)
    ids.push(
      await published(ana.id, `Número ${count}`, count % 2 === 0 ? "public" : "subscribers"),
    );
});

async function allPaths(): Promise<string[]> {
  const pages = await allSitemapFiles(world.ctx);
  return (await Promise.all(pages.map((page) => sitemapEntries(world.ctx, page)))).flatMap(
    (entries) => (entries ?? []).map(({ path }) => path),
  );
}

const pathOf = (id: string | undefined, username = ana.username) =>
  `/space/${username}/public/${id}`;

describe("the sitemap", () => {
  test("lists every page that visitors can open, public or locked, and nobody without a page", async () => {
    const fan = await createPerson(world.ctx, "Bruno");
    const paths = await allPaths();
    for (const id of ids) expect(paths).toContain(pathOf(id));
    expect(paths).toContain(`/space/${ana.username}/public`);
    expect(paths.join()).not.toContain(fan.username);
  });

  test("leaves out drafts, held or deleted posts, and people who are banned or leaving", async () => {
    const [held, deleted, draft] = [
      await published(ana.id, "Retida"),
      await published(ana.id, "Apagada"),
      await published(ana.id, "Rascunho"),
    ];
    const [banned, leaving] = [await createSeller(world.ctx), await createSeller(world.ctx)];
    const [ofBanned, ofLeaving] = [
      await published(banned.id, "De quem foi banida"),
      await published(leaving.id, "De quem vai sair"),
    ];
    await holdPost(world.ctx, { postId: held });
    await world.ctx.db
      .update(posts)
      .set({ deletedAt: testClock.now() })
      .where(eq(posts.id, deleted));
    await world.ctx.db.update(posts).set({ state: "draft" }).where(eq(posts.id, draft));
    await banPerson(world.ctx, {
      moderatorId: (await createModerator(world.ctx)).id,
      personId: banned.id,
      reason: "Golpe",
    });
    await world.ctx.db
      .update(people)
      .set({ leavingAt: testClock.now() })
      .where(eq(people.id, leaving.id));
    const paths = (await allPaths()).join("\n");
    for (const gone of [
      held,
      deleted,
      draft,
      ofBanned,
      ofLeaving,
      `/space/${banned.username}/`,
      `/space/${leaving.username}/`,
    ])
      expect(paths).not.toContain(gone);
  });

  test("lists collections with a public post, and none that is held, deleted or of a leaving creator", async () => {
    const creator = await createSeller(world.ctx);
    const made = async (owner: Seller, titles: string[]) =>
      (await collectionOf(world.ctx, owner, titles)).collectionId;
    const [shown, empty, held, deleted] = [
      await made(creator, ["Primeiro passo"]),
      await made(creator, []),
      await made(creator, ["Retido"]),
      await made(creator, ["Apagado"]),
    ];
    const leaving = await createSeller(world.ctx);
    const ofLeaving = await made(leaving, ["De quem parte"]);
    await world.ctx.db
      .update(collections)
      .set({ heldAt: testClock.now() })
      .where(eq(collections.id, held));
    await world.ctx.db
      .update(collections)
      .set({ deletedAt: testClock.now() })
      .where(eq(collections.id, deleted));
    await world.ctx.db
      .update(people)
      .set({ leavingAt: testClock.now() })
      .where(eq(people.id, leaving.id));
    const paths = await allPaths();
    expect(paths).toContain(publicCollectionPath(creator.username, shown));
    for (const gone of [empty, held, deleted, ofLeaving])
      expect(paths.join("\n")).not.toContain(gone);
  });

  test("is split into files of the maximum size, without loss or repetition, with each modification date", async () => {
    const before = (await allPaths()).toSorted();
    await splitSitemapFiles(world.ctx, { pageEntries: 3, pages: 50 });
    const pages = await allSitemapFiles(world.ctx);
    const files = await Promise.all(pages.map((page) => sitemapEntries(world.ctx, page)));
    expect(pages.length).toBeGreaterThan(4);
    expect(files.every((entries) => entries !== null && entries.length <= 3)).toBe(true);
    expect((await allPaths()).toSorted()).toEqual(before);
    await world.advance(60_000);
    const late = await published(ana.id, "Depois do corte");
    await splitSitemapFiles(world.ctx, { pageEntries: 3, pages: 50 });
    expect(await allPaths()).toContain(pathOf(late));
    const last = (
      await world.ctx.db.select().from(sitemapPages).where(eq(sitemapPages.kind, "posts"))
    ).find(({ toKey }) => toKey === null);
    expect(last?.changedAt).toBeGreaterThan(testClock.now() + 50_000);
  });

  test("is split identically by two concurrent runs", async () => {
    await Promise.all([
      splitSitemapFiles(world.ctx, { pageEntries: 2, pages: 60 }),
      splitSitemapFiles(world.ctx, { pageEntries: 2, pages: 60 }),
    ]);
    const paths = await allPaths();
    expect(new Set(paths).size).toBe(paths.length);
    for (const id of ids) expect(paths).toContain(pathOf(id));
  });

  test("is well-formed XML at its address, with absolute URLs and dates", async () => {
    const index = await (await get("/sitemap.xml")).text();
    expect(XMLValidator.validate(index)).toBe(true);
    const files: { loc: string }[] = parser.parse(index).sitemapindex.sitemap;
    expect(files[0]?.loc).toBe(`${TEST_ORIGIN}/sitemaps/site.xml`);
    for (const { loc } of files) {
      const answer = await get(new URL(loc).pathname);
      const text = await answer.text();
      expect([
        answer.status,
        XMLValidator.validate(text),
        answer.headers.get("Content-Type"),
      ]).toEqual([200, true, "application/xml; charset=utf-8"]);
      for (const url of parser.parse(text).urlset.url ?? []) {
        expect(url.loc.startsWith(`${TEST_ORIGIN}/`)).toBe(true);
        if (url.lastmod !== undefined) expect(Number.isNaN(Date.parse(url.lastmod))).toBe(false);
      }
    }
    expect((await get("/sitemap.xml")).headers.get("Cache-Control")).toContain("s-maxage=3600");
  });

  test.each(["posts-999999.xml", "creators-x.xml", "../posts-1.xml", "posts-1.xml.gz"])(
    "has no file %s",
    async (file) => {
      expect(parseSitemapPath(file)?.id ?? 0).not.toBe(1);
      expect((await get(`/sitemaps/${encodeURIComponent(file)}`)).status).toBe(404);
    },
  );
});

test("robots.txt names the sitemap and the disallowed paths", async () => {
  const text = await (await get("/robots.txt")).text();
  expect(text).toContain(`Sitemap: ${TEST_ORIGIN}/sitemap.xml`);
  for (const path of ["/feed/", "/settings", "/checkout", "/admin"])
    expect(text).toContain(`Disallow: ${path}`);
  expect(text).not.toContain("Disallow: /space");
});

test("events that visitors can open and that are not over are in the sitemap", async () => {
  const coming = await publishedEvent(world.ctx, ana);
  const canceled = await publishedEvent(world.ctx, ana);
  await cancelEvent(world.ctx, { eventId: canceled, creatorId: ana.id });
  const { eventId: draft } = await createEvent(world.ctx, {
    creatorId: ana.id,
    ...eventInput(world.ctx),
  });
  const paths = (await allPaths()).join("\n");
  expect(paths).toContain(publicEventPath(ana.username, coming));
  expect(paths).not.toContain(canceled);
  expect(paths).not.toContain(draft);
});
