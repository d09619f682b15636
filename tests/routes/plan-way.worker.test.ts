import { beforeEach, expect, test } from "vitest";
import { publishPost } from "#app/domain/posts/commands.server.ts";
import { creatorsToFollow } from "#app/domain/profiles/queries.server.ts";
import { pauseSubscription } from "#app/domain/subscriptions/pauses/commands.server.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import type { ExistingAccess } from "#app/domain/purchases/single-purchases/queries/purchasable.server.ts";
import type { HeldSubscription } from "#app/domain/access/rules/plan-way.ts";
import * as checkoutPage from "#app/routes/checkout/checkout.tsx";
import * as postPage from "#app/routes/space/post.tsx";
import * as spacePage from "#app/routes/space/space.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { publishInCollection } from "#tests/support/collections.ts";
import { createPerson } from "#tests/support/people.ts";
import { createPlanChangeScenario } from "#tests/support/plan-changes.ts";
import type { PlanChangeScenario } from "#tests/support/plan-changes.ts";

const routes = callRoutesAs([
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
  await (await routes.get({ person: stage.bruno, isCreator: false }, path)).json<Shown>();

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

test("a subscriber of one plan is offered a plan change for another plan's post, on every page", async () => {
  const { subscriptionId } = stage;
  const way = { kind: "change_plan", subscriptionId };
  expect(await waysShown()).toEqual([way, way, subscriptionId]);
});

test("a paused subscriber is offered to resume first, on every page", async () => {
  const { subscriptionId } = stage;
  await pauseSubscription(stage.world.ctx, { fanId: stage.bruno.id, subscriptionId });
  const way = { kind: "resume", subscriptionId };
  expect(await waysShown()).toEqual([way, way, subscriptionId]);
});

test("a subscriber sees posts for followers, and is not asked to follow", async () => {
  const { ctx } = stage.world;
  const followersPostId = await publishInCollection(ctx, stage.ana, "Para quem segue", "followers");
  expect((await read(`/post/${followersPostId}`)).post.access).toEqual({ visible: true });
  const suggested = async (viewerId: string) =>
    (await creatorsToFollow(ctx, { viewerId, limit: 200 })).map(({ id }) => id);
  expect(await suggested(stage.bruno.id)).not.toContain(stage.ana.id);
  expect(await suggested((await createPerson(ctx)).id)).toContain(stage.ana.id);
});
