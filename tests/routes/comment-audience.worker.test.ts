import { beforeAll, expect, test } from "vitest";
import * as post from "#app/routes/space/post.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { commentHelpers } from "#tests/support/comments.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

const pages = callRoutesAs([{ path: "post/:id", module: post }]);

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});
const { publish } = commentHelpers(() => ({ world, author: ana }));

test.each([
  ["public", true],
  ["followers", false],
  ["subscribers", false],
] as const)(
  "the comment form of a post for %s says whether visitors read along: %s",
  async (audience, isPublic) => {
    const postId = await publish(audience);
    expect(await pages.read({ person: ana }, `/post/${postId}`)).toMatchObject({ isPublic });
  },
);
