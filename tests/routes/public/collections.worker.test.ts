import { RouterContextProvider } from "react-router";
import { beforeAll, describe, expect, test } from "vitest";
import { isPublicPage } from "#app/http/headers/cache.ts";
import { domainContext } from "#app/http/contexts.ts";
import * as publicCollection from "#app/routes/public/collection.tsx";
import * as publicCollections from "#app/routes/public/collections.tsx";
import * as publicPost from "#app/routes/public/post.tsx";
import * as collection from "#app/routes/space/collection.tsx";
import * as spaceCollections from "#app/routes/space/collections.tsx";
import * as reading from "#app/routes/space/collection-reading.tsx";
import * as post from "#app/routes/space/post.tsx";
import * as create from "#app/routes/studio/collections/collection-create.tsx";
import * as deletion from "#app/routes/studio/collections/collection-deletion.tsx";
import * as edit from "#app/routes/studio/collections/collection-edit.tsx";
import * as importing from "#app/routes/studio/collections/collection-import.tsx";
import * as removal from "#app/routes/studio/collections/collection-post-removal.tsx";
import * as returning from "#app/routes/studio/collections/collection-post-return.tsx";
import * as organise from "#app/routes/studio/collections/collection-posts.tsx";
import * as restoration from "#app/routes/studio/collections/collection-restoration.tsx";
import * as own from "#app/routes/studio/collections/collections.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import type { ActingCaller } from "#tests/support/acting.ts";
import { collectionOf } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { TEST_ORIGIN } from "#tests/support/call-route.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

const routes = callRoutesAs([
  { path: "post/:id", module: post },
  { path: "space/:id/collections", module: spaceCollections },
  { path: "me/collections", module: own },
  { path: "collection/create", module: create },
  { path: "collection/:id", module: collection },
  { path: "collection/:id/reading", module: reading },
  { path: "collection/:id/edit", module: edit },
  { path: "collection/:id/posts", module: organise },
  { path: "collection/:id/posts/:postId/removal", module: removal },
  { path: "collection/:id/posts/:postId/return", module: returning },
  { path: "collection/:id/import", module: importing },
  { path: "collection/:id/deletion", module: deletion },
  { path: "collection/:id/restoration", module: restoration },
]);

let world: World;
let ana: Seller;
let as: ActingCaller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  as = { person: ana, isCreator: true };
});

describe("public collection pages", () => {
  type Loads = { loader(args: never): Promise<unknown> };
  async function visited(
    module: Loads,
    params: Record<string, string>,
    search = "",
  ): Promise<unknown> {
    const context = new RouterContextProvider();
    context.set(domainContext, world.ctx);
    const request = new Request(`${TEST_ORIGIN}/x${search}`);
    return module.loader({
      context,
      params,
      request,
      url: new URL(request.url),
      pattern: "",
    } as never);
  }
  type Meta = Record<string, unknown>[];
  const metaOf = (loaderData: unknown): Meta =>
    (publicCollection.meta as (args: unknown) => Meta)({ loaderData });

  test("have one canonical URL, a description and structured data of their contents", async () => {
    const made = await collectionOf(world.ctx, ana, ["a", "b"], {
      title: "Aulas",
      description: "Do começo.",
      priceCents: 2_990,
    });
    const page = await visited(publicCollection, { username: ana.username, id: made.collectionId });
    const meta = metaOf(page);
    const canonical = `${TEST_ORIGIN}/space/${ana.username}/public/collections/${made.collectionId}`;
    expect(meta).toContainEqual({ tagName: "link", rel: "canonical", href: canonical });
    expect(meta).toContainEqual({ name: "description", content: "Do começo." });
    expect(meta).toContainEqual({ title: "Aulas · Ana Lira · Coreto" });
    expect(meta.some(({ name }) => name === "robots")).toBe(false);
    const picture = String(meta.find(({ property }) => property === "og:image")?.["content"]);
    expect(picture).toMatch(
      new RegExp(`^${TEST_ORIGIN}/pictures/collection/${made.collectionId}/[0-9a-f]{16}\\.png$`),
    );
    const data = meta.find((tag) => "script:ld+json" in tag)?.["script:ld+json"] as
      | { "@graph": Record<string, unknown>[] }
      | undefined;
    expect(data?.["@graph"].find((thing) => thing["@type"] === "CollectionPage")).toMatchObject({
      "@type": "CollectionPage",
      isAccessibleForFree: false,
      offers: { price: "29.90", priceCurrency: "BRL" },
      mainEntity: {
        numberOfItems: 2,
        itemListElement: [
          { position: 1, name: "a" },
          { position: 2, name: "b" },
        ],
      },
    });
    await expect(
      visited(publicCollection, { username: "another", id: made.collectionId }),
    ).rejects.toMatchObject({ status: 301 });
    expect(isPublicPage(`/space/ana/public/collections/${made.collectionId}`)).toBe(true);
    expect([
      isPublicPage("/space/ana/public/collections"),
      isPublicPage("/collection/x"),
      isPublicPage("/space/ana/public/a/b"),
    ]).toEqual([true, false, false]);
  });

  test("an empty collection is noindex, a deleted one is 404, and no member's progress is shown", async () => {
    const empty = await collectionOf(world.ctx, ana, []);
    expect(
      metaOf(await visited(publicCollection, { username: ana.username, id: empty.collectionId })),
    ).toContainEqual({ name: "robots", content: "noindex" });
    await routes.post(as, `/collection/${empty.collectionId}/deletion`, {});
    await expect(
      visited(publicCollection, { username: ana.username, id: empty.collectionId }),
    ).rejects.toMatchObject({ init: { status: 404 } });
    const made = await collectionOf(world.ctx, ana, ["a"]);
    await routes.post(as, `/collection/${made.collectionId}/reading`, {
      postId: made.postIds[0] ?? "",
      isRead: "true",
      inPlace: "true",
    });
    expect(
      await visited(publicCollection, { username: ana.username, id: made.collectionId }),
    ).toMatchObject({ progress: { read: 0 }, entries: [{ isRead: false }] });
  });

  test("list a creator's collections for members and visitors, and a post links to the next one", async () => {
    const rui = await createSeller(world.ctx);
    const made = await collectionOf(world.ctx, rui, ["a", "b"], { title: "Primeira" });
    await collectionOf(world.ctx, rui, [], { title: "Segunda" });
    const titles = (page: unknown) =>
      (page as { collections: { title: string }[] }).collections.map(({ title }) => title);
    expect(titles(await visited(publicCollections, { username: rui.username }))).toEqual([
      "Segunda",
      "Primeira",
    ]);
    expect(
      titles(
        await routes.read(
          { person: await createPerson(world.ctx) },
          `/space/${rui.username}/collections`,
        ),
      ),
    ).toEqual(["Segunda", "Primeira"]);
    expect(
      await visited(
        publicPost,
        { username: rui.username, postId: made.postIds[0] ?? "" },
        `?collection=${made.collectionId}`,
      ),
    ).toMatchObject({ data: { readIn: { number: 1, next: { title: "b" } } } });
    await expect(
      visited(
        publicPost,
        { username: rui.username, postId: made.postIds[0] ?? "" },
        "?collection=made-up",
      ),
    ).rejects.toMatchObject({ status: 302 });
    await expect(visited(publicCollections, { username: "nobody-at-all" })).rejects.toMatchObject({
      init: { status: 404 },
    });
  });
});
