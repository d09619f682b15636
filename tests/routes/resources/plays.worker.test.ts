import { beforeEach, expect, test, vi } from "vitest";
import * as plays from "#app/routes/resources/plays.ts";
import { coretoViews } from "#drizzle/schema/analytics.ts";
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
  ({ postId } = await soldPost(world.ctx, ana));
  await world.ctx.db.insert(postMedia).values({ postId, mediaId: "song", position: 0 });
});

const play = (media: string, headers: Record<string, string> = {}): Promise<Response> =>
  call(
    new Request(`${TEST_ORIGIN}/resources/plays`, {
      method: "POST",
      headers: { Origin: TEST_ORIGIN, "User-Agent": FIREFOX, ...headers },
      body: new URLSearchParams({ media }),
    }),
  );
const counted = () => world.ctx.db.select().from(coretoViews);

test("a play of a post's file is counted as one, and answers nothing", async () => {
  expect((await play("song")).status).toBe(204);
  await vi.waitFor(async () =>
    expect(await counted()).toMatchObject([{ index1: ana.id, blob2: postId, blob3: "play" }]),
  );
});

test("what is no post's file, and who asks not to be measured, is not counted", async () => {
  for (const media of ["other", "", "../x"]) expect((await play(media)).status).toBe(204);
  expect((await play("song", { DNT: "1" })).status).toBe(204);
  // A play after them is counted alone.
  await play("song");
  await vi.waitFor(async () => expect(await counted()).toHaveLength(1));
});
