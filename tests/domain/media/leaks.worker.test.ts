import { RouterContextProvider } from "react-router";
import { beforeAll, describe, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { prepareImage, storeImage } from "#app/domain/media/commands.server.ts";
import { NotAnImage } from "#app/domain/media/errors.ts";
import { imageHeader } from "#app/domain/media/rules.ts";
import { holdPost } from "#app/domain/moderation/commands.server.ts";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { postFor, spacePosts } from "#app/domain/posts/queries.server.ts";
import type { PostAudience, Post } from "#app/domain/posts/schema.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import { loader } from "#app/routes/resources/media.ts";
import { testContext } from "#tests/support/context.ts";
import { pngImage } from "#tests/support/images.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let ctx: Context;
let ana: Seller;
let bruno: TestPerson;
beforeAll(async () => {
  ({ ctx } = await testContext());
  ana = await createSeller(ctx);
  bruno = await createPerson(ctx, "Bruno");
});

const everyVariant = ["face", "320", "640", "1280", "original", "", "..", "640.webp", "FACE"];

async function published(audience: PostAudience): Promise<string> {
  const image = { bytes: await pngImage(1_600, 900), alt: "Uma rabeca" };
  const { postId } = await publishPost(ctx, {
    authorId: ana.id,
    title: "Ensaio",
    content: "Só para quem assina.",
    teaser: "",
    audience,
    planIds: [ana.planId],
    image,
  });
  return postId;
}

async function ask(
  viewer: TestPerson | null,
  mediaId: string,
  variant: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const context = new RouterContextProvider();
  context.set(domainContext, ctx);
  context.set(
    viewerContext,
    viewer && { ...viewer, avatarUrl: null, isCreator: false, isModerator: false, leavingAt: null },
  );
  const request = new Request(`https://coreto.test/media/${mediaId}/${variant}`, { headers });
  const args = {
    context,
    request,
    params: { id: mediaId, variant },
    url: new URL(request.url),
    pattern: "/media/:id/:variant",
  };
  return await loader(args as unknown as Parameters<typeof loader>[0]);
}

async function mediaOf(postId: string): Promise<string> {
  const post = await postFor(ctx, { postId, viewerId: ana.id });
  const [image] = post?.media ?? [];
  if (!image) throw new Error("the post has no image");
  return image.id;
}

const widthOf = async (response: Response) =>
  imageHeader(new Uint8Array(await response.arrayBuffer()))?.width;

describe("the image of a locked post", () => {
  test("gives its thumbnail to anyone, and no other variant", async () => {
    const mediaId = await mediaOf(await published("plans"));
    for (const viewer of [null, bruno]) {
      for (const variant of everyVariant) {
        const response = await ask(viewer, mediaId, variant);
        expect([variant, response.status]).toEqual([variant, variant === "face" ? 200 : 404]);
        if (response.status === 200) expect(await widthOf(response)).toBeLessThanOrEqual(24);
      }
    }
  });

  test("has the same 404 as an image that does not exist", async () => {
    const closed = await ask(bruno, await mediaOf(await published("subscribers")), "640");
    const never = await ask(bruno, ctx.newId(), "640");
    expect([closed.status, await closed.text(), [...closed.headers]]).toEqual([
      never.status,
      await never.text(),
      [...never.headers],
    ]);
  });

  test("opens with the post, for that viewer only, and is not cacheable by shared caches", async () => {
    const mediaId = await mediaOf(await published("followers"));
    expect((await ask(bruno, mediaId, "640")).status).toBe(404);
    await follow(ctx, { followerId: bruno.id, creatorId: ana.id });
    const open = await ask(bruno, mediaId, "640");
    expect([open.status, open.headers.get("Cache-Control"), await widthOf(open)]).toEqual([
      200,
      "private, no-cache",
      640,
    ]);
    expect((await ask(null, mediaId, "640")).status).toBe(404);
  });

  test("no list and no page contains its content", async () => {
    const postId = await published("plans");
    const seen = JSON.stringify([
      await postFor(ctx, { postId, viewerId: null }),
      await spacePosts(ctx, { authorKey: ana.username, viewerId: null, cursor: null, limit: 50 }),
    ]);
    expect(seen).toContain(postId);
    expect(seen).not.toContain("Só para quem assina.");
  });
});

describe("the image of a public post", () => {
  test("is public, with headers that prevent any other use than as an image", async () => {
    const response = await ask(null, await mediaOf(await published("public")), "1280");
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/webp",
      "content-disposition": "inline",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
    });
    expect(response.headers.get("Cache-Control")).toContain("public");
    expect(await widthOf(response)).toBe(1_280);
  });

  test("is not sent again to a client that has it", async () => {
    const mediaId = await mediaOf(await published("public"));
    const first = await ask(null, mediaId, "640");
    const again = await ask(null, mediaId, "640", {
      "If-None-Match": first.headers.get("ETag") ?? "",
    });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  test("is hidden with its post from everyone except the author and moderators", async () => {
    const postId = await published("public");
    const mediaId = await mediaOf(postId);
    await holdPost(ctx, { postId });
    const statuses = await Promise.all(
      [null, bruno, ana, await createModerator(ctx)].map(
        async (viewer) => (await ask(viewer, mediaId, "face")).status,
      ),
    );
    expect(statuses).toEqual([404, 404, 200, 200]);
  });
});

describe("stored images", () => {
  test("an unused upload is visible only to its owner", async () => {
    const { mediaId } = await storeImage(ctx, {
      ownerId: bruno.id,
      purpose: "post",
      bytes: await pngImage(30, 30),
      alt: "",
      field: "image",
    });
    expect((await ask(bruno, mediaId, "640")).status).toBe(200);
    expect((await ask(null, mediaId, "640")).status).toBe(404);
    expect((await ask(ana, mediaId, "face")).status).toBe(404);
  });

  test("an avatar is public, in its own sizes", async () => {
    const { mediaId } = await storeImage(ctx, {
      ownerId: bruno.id,
      purpose: "avatar",
      bytes: await pngImage(500, 500),
      alt: "",
      field: "avatar",
    });
    expect(await widthOf(await ask(null, mediaId, "320"))).toBe(320);
    expect((await ask(null, mediaId, "face")).status).toBe(404);
  });

  test("a file that is an image only in its first bytes is refused, and leaves no row", async () => {
    const lie = new Uint8Array(await pngImage(40, 40)).slice(0, 40);
    const upload = {
      ownerId: bruno.id,
      purpose: "post" as const,
      bytes: lie.buffer,
      alt: "",
      field: "image",
    };
    await expect(prepareImage(ctx, upload)).rejects.toThrow(NotAnImage);
    await expect(
      prepareImage(ctx, { ...upload, bytes: new TextEncoder().encode("<svg/>").buffer }),
    ).rejects.toThrow(NotAnImage);
  });
});

test("a locked post has the address of its thumbnail and nothing more", async () => {
  const post: Post | null = await postFor(ctx, {
    postId: await published("subscribers"),
    viewerId: null,
  });
  expect(post).toMatchObject({
    content: null,
    access: {
      visible: false,
      cheapestUnlock: { kind: "plan", planId: ana.planId, amountCents: 1_990 },
    },
  });
});
