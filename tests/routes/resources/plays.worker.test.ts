import { beforeEach, expect, test, vi } from "vitest";
import * as plays from "#app/routes/resources/plays.ts";
import { coretoViews } from "#drizzle/schema/analytics.ts";
import { media } from "#drizzle/schema/media.ts";
import { postMedia } from "#drizzle/schema/posts.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";
import { soldPost } from "#tests/support/purchases.ts";
import { testEnv } from "#tests/support/worker-env.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const call = createRouteCaller([{ path: "resources/plays", module: plays }]);

let world: World;
let ana: Seller;
let postId: string;
beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext();
  ana = await createSeller(world.ctx);
  const everyone = { kind: "public", planId: null, amountCents: null, opensAt: null } as const;
  ({ postId } = await soldPost(world.ctx, ana, { rules: [everyone] }));
  await addFile("song", postId);
});

async function addFile(id: string, of: string): Promise<void> {
  const file = { contentType: "audio/mpeg", sizeBytes: 1, width: 0, height: 0 };
  const owned = { id, ownerId: ana.id, purpose: "post", kind: "audio" } as const;
  await world.ctx.db.insert(media).values({ ...owned, ...file, createdAt: world.ctx.now() });
  await world.ctx.db.insert(postMedia).values({ postId: of, mediaId: id, position: 0 });
}

const play = (
  id: string,
  headers: Record<string, string> = {},
  said: Record<string, string> = {},
): Promise<Response> =>
  call(
    new Request(`${TEST_ORIGIN}/resources/plays`, {
      method: "POST",
      headers: { Origin: TEST_ORIGIN, "User-Agent": FIREFOX, ...headers },
      body: new URLSearchParams({ media: id, ...said }),
    }),
  );
const counted = () => world.ctx.db.select().from(coretoViews);

test("a play of a post's file is counted as one, and answers nothing", async () => {
  expect((await play("song")).status).toBe(204);
  await vi.waitFor(async () =>
    expect(await counted()).toMatchObject([{ index1: ana.id, blob2: postId, blob3: "play" }]),
  );
});

test("a file that the visitor may not see, another's word and a refusal are not counted", async () => {
  await addFile("paid-song", (await soldPost(world.ctx, ana)).postId);
  for (const id of ["paid-song", "other", "", "../x"]) expect((await play(id)).status).toBe(204);
  expect((await play("song", { DNT: "1" })).status).toBe(204);
  // A play after them is counted alone.
  await play("song");
  await vi.waitFor(async () => expect(await counted()).toHaveLength(1));
});

test("how far a file was played is counted apart, and only a step that there is", async () => {
  for (const reach of ["21", "-1", "1.5", "longe"]) await play("song", {}, { reach });
  await play("song", {}, { reach: "20" });
  await vi.waitFor(async () =>
    expect(await counted()).toMatchObject([{ blob2: postId, blob3: "reach", double1: 20 }]),
  );
});
