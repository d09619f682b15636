import { XMLValidator } from "fast-xml-parser";
import { beforeAll, describe, expect, test } from "vitest";
import { deleteCollection } from "#app/domain/collections/commands.server.ts";
import { banPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import type { Picture } from "#app/domain/syndication/schema.ts";
import { isPublicPage } from "#app/http/headers/cache.ts";
import { isIndexable } from "#app/http/headers/indexing.ts";
import * as login from "#app/routes/auth/login.tsx";
import * as publicPost from "#app/routes/public/post.tsx";
import { signCursor } from "#app/http/public-pages/public-cursor.server.ts";
import * as feedsPage from "#app/routes/public/feeds.tsx";
import * as publicSpace from "#app/routes/public/space.tsx";
import * as picture from "#app/routes/resources/syndication/picture.ts";
import * as publicFeed from "#app/routes/resources/syndication/public-feed.ts";
import { collectionOf } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const FILES = ["rss.xml", "atom.xml", "feed.json"] as const;
const drawn: Picture[] = [];
/** Stands in for the worker that draws pictures. */
const PICTURES = {
  fetch: async (request: Request) => {
    drawn.push(await request.json());
    return new Response("png", { headers: { "Content-Type": "image/png" } });
  },
} as unknown as Fetcher;

const ask = createRouteCaller(
  [
    ...FILES.map((file) => ({ path: `space/:username/${file}`, module: publicFeed })),
    { path: "space/:username/public", module: publicSpace },
    { path: "space/:username/public/feeds", module: feedsPage },
    { path: "space/:username/public/:postId", module: publicPost },
    { path: "auth/login", module: login },
    { path: "pictures/:kind/:key/:version", module: picture },
  ],
  { ...testEnv, PICTURES },
);
const get = (path: string) => ask(new Request(TEST_ORIGIN + path));

let world: World;
let ana: Seller;
let lockedId: string;

beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  const words = { authorId: ana.id, planIds: [], image: null };
  await publishPost(world.ctx, {
    ...words,
    title: "Aberta",
    content: "**Texto aberto**",
    teaser: "",
    audience: "public",
  });
  ({ postId: lockedId } = await publishPost(world.ctx, {
    ...words,
    title: "Fechada",
    content: "Texto fechado",
    teaser: "A chamada",
    audience: "subscribers",
  }));
});

describe("public feeds of a creator", () => {
  test.each(FILES)(
    "%s holds public posts whole, and title and teaser of the others",
    async (file) => {
      const answer = await get(`/space/${ana.username}/${file}`);
      const text = await answer.text();
      expect(answer.status).toBe(200);
      expect(file === "feed.json" ? JSON.parse(text) : XMLValidator.validate(text)).toBeTruthy();
      for (const shown of ["Texto aberto", "Fechada", "A chamada"]) expect(text).toContain(shown);
      expect(text).not.toContain("Texto fechado");
      expect(answer.headers.get("ETag")).toMatch(/^"[0-9a-f]{32}"$/);
      expect((await get(`/space/${ana.username}/${file}`)).headers.get("ETag")).toBe(
        answer.headers.get("ETag"),
      );
      expect(answer.headers.get("Cache-Control")).toMatch(/^public, .*s-maxage/);
      expect(answer.headers.get("Set-Cookie")).toBeNull();
      expect(isPublicPage(`/space/${ana.username}/${file}`)).toBe(true);
    },
  );

  test("redirect to one canonical URL, and answer 404 for unknown and banned creators", async () => {
    const shouted = await get(`/space/${ana.username.toUpperCase()}/rss.xml`);
    expect([shouted.status, shouted.headers.get("Location")]).toEqual([
      301,
      `/space/${ana.username}/rss.xml`,
    ]);
    expect((await get("/space/ninguem-mesmo/rss.xml")).status).toBe(404);
    const banned = await createSeller(world.ctx);
    await banPerson(world.ctx, {
      moderatorId: (await createModerator(world.ctx)).id,
      personId: banned.id,
      reason: "Golpe",
    });
    expect((await get(`/space/${banned.username}/rss.xml`)).status).toBe(404);
  });
});

type Descriptor = Record<string, unknown>;
type Graph = { "@graph": (Descriptor & { "@type": string })[] };

/** Returns the meta tags and structured data of a page. */
async function headOf(
  path: string,
  meta: unknown,
): Promise<{ of(name: string): unknown; things: Graph["@graph"]; all: Descriptor[] }> {
  const loaderData = await (await get(path)).json();
  const all = (meta as (args: unknown) => Descriptor[])({ loaderData });
  const script = all.find((one) => "script:ld+json" in one)?.["script:ld+json"] as Graph;
  const of = (name: string) =>
    all.find((one) => one.property === name || one.name === name || one.rel === name);
  return { of: (name) => of(name)?.content ?? of(name)?.href, things: script["@graph"], all };
}

const thing = (things: Graph["@graph"], type: string) =>
  things.find((one) => one["@type"] === type);

describe("page metadata", () => {
  test("of a creator's page names the creator, the feeds and the canonical URL", async () => {
    const head = await headOf(`/space/${ana.username}/public`, publicSpace.meta);
    const pageUrl = `${TEST_ORIGIN}/space/${ana.username}/public`;
    expect(head.of("canonical")).toBe(pageUrl);
    expect(thing(head.things, "ProfilePage")).toMatchObject({
      url: pageUrl,
      mainEntity: { "@type": "Person", name: "Ana Lira", alternateName: ana.username },
    });
    expect(thing(head.things, "BreadcrumbList")).toMatchObject({
      itemListElement: [
        { position: 1, name: "Coreto" },
        { position: 2, name: "Ana Lira", item: pageUrl },
      ],
    });
    expect(head.things.map((one) => one["@type"])).toEqual(
      expect.arrayContaining(["Organization", "WebSite"]),
    );
    const alternates = head.all.filter(({ rel }) => rel === "alternate");
    expect(alternates.map(({ type, href }) => [type, href])).toEqual([
      ["application/rss+xml", `/space/${ana.username}/rss.xml`],
      ["application/atom+xml", `/space/${ana.username}/atom.xml`],
      ["application/feed+json", `/space/${ana.username}/feed.json`],
    ]);
    expect(head.of("robots")).toBeUndefined();
    const path = `/space/${ana.username}/public`;
    const later = `${path}?cursor=${await signCursor(world.ctx.signer, path, "1_a")}`;
    expect((await headOf(later, publicSpace.meta)).of("robots")).toBe("noindex, follow");
    const madeUp = await headOf(`${path}?cursor=1_a`, publicSpace.meta);
    expect(madeUp.of("robots")).toBeUndefined();
  });

  test("of a member who neither publishes nor sells is noindex", async () => {
    const reader = await createPerson(world.ctx, "Lia Leitora");
    expect((await headOf(`/space/${reader.username}/public`, publicSpace.meta)).of("robots")).toBe(
      "noindex, follow",
    );
  });

  test("of a locked post marks the paywall, and contains none of the text", async () => {
    const head = await headOf(`/space/${ana.username}/public/${lockedId}`, publicPost.meta);
    expect(thing(head.things, "BlogPosting")).toMatchObject({
      headline: "Fechada",
      description: "A chamada",
      isAccessibleForFree: false,
      hasPart: { "@type": "WebPageElement", isAccessibleForFree: false, cssSelector: ".paywall" },
    });
    expect(JSON.stringify(head.all)).not.toContain("Texto fechado");
    expect(thing(head.things, "BreadcrumbList")).toMatchObject({
      itemListElement: [{ name: "Coreto" }, { name: "Ana Lira" }, { name: "Fechada" }],
    });
    expect(head.of("og:image:width")).toBe("1200");
  });
});

test("the sign-in page names the product and has one canonical URL", async () => {
  const head = await headOf("/auth/login?to=%2Fexplore", login.meta);
  expect(head.of("canonical")).toBe(`${TEST_ORIGIN}/auth/login`);
  expect(head.of("description")).toContain("Coreto");
  expect(thing(head.things, "Organization")).toMatchObject({
    name: "Coreto",
    url: `${TEST_ORIGIN}/`,
  });
  expect(thing(head.things, "WebSite")).toMatchObject({ inLanguage: "pt-BR" });
});

describe("picture of a shared link", () => {
  test("is drawn from public data only, at the URL in the page metadata", async () => {
    const head = await headOf(`/space/${ana.username}/public/${lockedId}`, publicPost.meta);
    const answer = await get(new URL(String(head.of("og:image"))).pathname);
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "image/png"]);
    expect(answer.headers.get("Cache-Control")).toMatch(/^public, max-age=604800/);
    expect(drawn.at(-1)).toEqual({
      kind: "post",
      title: "Fechada",
      line: "Só para quem tem acesso",
      handle: "Ana Lira",
      seed: "Fechada",
      avatarMediaId: null,
    });
  });

  test("of a page for stories has its address, and of an unknown page answers 404", async () => {
    const moved = await get(`/pictures/story/${ana.username}/0000.png`);
    expect((await get(moved.headers.get("Location") ?? "")).status).toBe(200);
    expect(drawn.at(-1)).toMatchObject({
      kind: "story",
      handle: `@${ana.username}`,
      address: `${TEST_ORIGIN}/@${ana.username}`,
    });
    expect((await get("/pictures/story/ninguem/0000.png")).status).toBe(404);
  });

  test("of a collection shows its title and number of posts, and of a deleted one answers 404", async () => {
    const { collectionId } = await collectionOf(world.ctx, ana, ["Uma", "Outra"], {
      title: "Rabeca do zero",
    });
    const moved = await get(`/pictures/collection/${collectionId}/0000.png`);
    expect((await get(moved.headers.get("Location") ?? "")).status).toBe(200);
    expect(drawn.at(-1)).toEqual({
      kind: "collection",
      title: "Rabeca do zero",
      line: "Coleção · 2 publicações",
      handle: "Ana Lira",
      seed: "Rabeca do zero",
      avatarMediaId: null,
    });
    await deleteCollection(world.ctx, { collectionId, creatorId: ana.id });
    expect((await get(`/pictures/collection/${collectionId}/0000.png`)).status).toBe(404);
  });

  test("of an old version redirects to the current one, and of an unknown page answers 404", async () => {
    const old = await get(`/pictures/space/${ana.username}/0000.png`);
    expect([old.status, old.headers.get("Location")]).toEqual([
      302,
      expect.stringMatching(new RegExp(`^/pictures/space/${ana.username}/[0-9a-f]{16}\\.png$`)),
    ]);
    for (const path of [
      "/pictures/post/nada/1.png",
      "/pictures/space/ninguem-mesmo/1.png",
      `/pictures/outro/${ana.username}/1.png`,
    ])
      expect((await get(path)).status).toBe(404);
  });
});

test.each([
  ["/space/ana/public", true],
  ["/space/ana/public/1", true],
  ["/terms/privacy", true],
  ["/auth/login", true],
  ["/media/1/640", true],
  ["/space/ana", false],
  ["/post/1", false],
  ["/", false],
  ["/explore", false],
  ["/auth/reset/abc", false],
  ["/feed/abc/rss.xml", false],
  ["/settings/profile", false],
])("isIndexable(%s) is %s", (path, may) => {
  expect(isIndexable(path)).toBe(may);
});

describe("the list of a page's feeds", () => {
  test("has an address for each format, and each of them answers", async () => {
    const { feeds } = await (
      await get(`/space/${ana.username}/public/feeds`)
    ).json<{ feeds: { url: string }[] }>();
    expect(feeds.map(({ url }) => url)).toEqual(
      FILES.map((file) => `${TEST_ORIGIN}/space/${ana.username}/${file}`),
    );
    for (const { url } of feeds) expect((await get(new URL(url).pathname)).status).toBe(200);
  });

  test("leads to the present spelling of a username, and of nobody answers 404", async () => {
    const asked = await get(`/space/${ana.username.toUpperCase()}/public/feeds`);
    expect([asked.status, asked.headers.get("Location")]).toEqual([
      301,
      `/space/${ana.username}/public/feeds`,
    ]);
    expect((await get("/space/ninguem/public/feeds")).status).toBe(404);
  });
});
