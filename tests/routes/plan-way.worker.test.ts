import { beforeEach, expect, test } from "vitest";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { pauseSubscription } from "#app/domain/subscriptions/pauses/commands.server.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import type { ExistingAccess } from "#app/domain/purchases/single-purchases/queries/purchasable.server.ts";
import type { HeldSubscription } from "#app/domain/access/rules/plan-way.ts";
import * as checkoutPage from "#app/routes/checkout/checkout.tsx";
import * as postPage from "#app/routes/space/post.tsx";
import * as spacePage from "#app/routes/space/space.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { createPlanChangeScenario } from "#tests/support/plan-changes.ts";
import type { PlanChangeScenario } from "#tests/support/plan-changes.ts";

const doors = callRoutesAs([
  { path: "checkout", module: checkoutPage },
  { path: "post/:id", module: postPage },
  { path: "space/:id", module: spacePage },
]);

let stage: PlanChangeScenario;
let postId: string;
beforeEach(async () => {
  stage = await createPlanChangeScenario();
  ({ postId } = await publishPost(stage.world.ctx, {
    authorId: stage.ana.id,
    title: "Do plano mais caro",
    content: "Só para quem assina o outro.",
    teaser: "",
    audience: "plans",
    planIds: [stage.palco.planId],
    image: null,
  }));
});

type Shown = {
  post: PostPreview;
  profile: { heldSubscription: HeldSubscription | null };
  obstacle: string | null;
  plan: { live: ExistingAccess | null };
};
const read = async (path: string) =>
  await (await doors.get({ person: stage.bruno, isCreator: false }, path)).json<Shown>();

/** The kinds of way that a locked post, its checkout and the page of its creator show. */
async function waysShown() {
  const { post } = await read(`/post/${postId}`);
  const checkout = await read(`/checkout?plan=${stage.palco.planId}`);
  const space = await read(`/space/${stage.ana.username}`);
  const unlock = post.access.visible ? null : post.access.cheapestUnlock;
  return [
    unlock && "way" in unlock ? unlock.way : null,
    checkout.plan.live?.way,
    space.profile.heldSubscription?.id,
  ];
}

test("who subscribes to one plan changes it for another's post, everywhere alike", async () => {
  const { subscriptionId } = stage;
  const way = { kind: "change_plan", subscriptionId };
  expect(await waysShown()).toEqual([way, way, subscriptionId]);
});

test("who paused comes back first, everywhere alike", async () => {
  const { subscriptionId } = stage;
  await pauseSubscription(stage.world.ctx, { fanId: stage.bruno.id, subscriptionId });
  const way = { kind: "resume", subscriptionId };
  expect(await waysShown()).toEqual([way, way, subscriptionId]);
});
