import { afterEach, beforeEach, expect, test } from "vitest";
import { CreatorOnVacation } from "#app/domain/plans/errors/vacations.ts";
import { claimGift } from "#app/domain/purchases/gifts/commands/claim-gift.server.ts";
import { formatDay } from "#app/domain/time.ts";
import * as claimPage from "#app/routes/checkout/claim.tsx";
import * as giftPage from "#app/routes/checkout/gift.tsx";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import * as publicPost from "#app/routes/public/post.tsx";
import * as publicSpace from "#app/routes/public/space.tsx";
import * as subscriptionPage from "#app/routes/settings/subscriptions/subscription.tsx";
import * as subscriptionsPage from "#app/routes/settings/subscriptions/subscriptions.tsx";
import * as vacationPage from "#app/routes/studio/space/vacation.tsx";
import * as returnPage from "#app/routes/studio/space/vacation-return.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { publishInCollection } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidGift } from "#tests/support/gifts.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const routes = callRoutesAs([
  { path: "me/vacation", module: vacationPage },
  { path: "me/vacation/return", module: returnPage },
  { path: "settings/subscriptions", module: subscriptionsPage },
  { path: "settings/subscriptions/:id", module: subscriptionPage },
  { path: "space/:username/public", module: publicSpace },
  { path: "space/:username/public/:postId", module: publicPost },
  { path: "plan/:planId/gift", module: giftPage },
  { path: "gift/:code", module: claimPage },
]);

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const asAna = () => ({ person: ana, isCreator: true });
const asBruno = () => ({ person: bruno });
const { read } = routes;

test("a creator previews a vacation, starts it, is shown as away everywhere, and returns", async () => {
  const locked = `/space/${ana.username}/public/${await publishInCollection(world.ctx, ana, "Ensaio", "subscribers")}`;
  const { purchaseId } = await paidSubscription(world, bruno, ana);
  expect(await read(asAna(), "/me/vacation?days=3")).toMatchObject({
    chosen: null,
    problem: "Escolha de 7 a 60 dias",
  });
  expect(await read(asAna(), "/me/vacation?days=14")).toMatchObject({
    until: null,
    moved: 1,
    renewing: 1,
    problem: null,
    chosen: { days: 14 },
  });
  expect((await routes.get(asAna(), "/me/vacation/return")).status).toBe(302);
  expect((await routes.post(asAna(), "/me/vacation", { days: "100" })).status).toBe(400);
  expect((await routes.post(asAna(), "/me/vacation", { days: "14" })).status).toBe(302);
  await world.tick();
  const { until } = await read<{ until: number }>(asAna(), "/me/vacation");
  expect(formatDay(until)).toBe(formatDay(world.ctx.now() + 14 * 86_400_000));
  expect(await read(asBruno(), `/settings/subscriptions/${purchaseId}`)).toMatchObject({
    awayUntil: until,
    vacationMs: 14 * 86_400_000,
    acts: ["payment_method", "cancel"],
  });
  expect(await read(asBruno(), "/settings/subscriptions")).toMatchObject({
    items: [{ awayUntil: until }],
  });
  expect(await read(asBruno(), `/space/${ana.username}/public`)).toMatchObject({
    awayUntil: until,
  });
  expect((await read<{ post: PostPreview }>(asBruno(), locked)).post.access).toMatchObject({
    visible: false,
    awayUntil: until,
    cheapestUnlock: null,
  });
  expect(await read(asBruno(), `/plan/${ana.planId}/gift`)).toMatchObject({
    obstacle: "away",
    awayUntil: until,
  });
  expect((await routes.post(asAna(), "/me/vacation/return", {})).status).toBe(302);
  await world.tick();
  expect(await read(asBruno(), `/space/${ana.username}/public`)).toMatchObject({ awayUntil: null });
  expect((await read<{ post: PostPreview }>(asBruno(), locked)).post.access).toMatchObject({
    awayUntil: null,
    cheapestUnlock: { kind: "plan" },
  });
});

test("a gift can be claimed only after the creator returns", async () => {
  const carla = await createPerson(world.ctx, "Carla");
  const { code } = await paidGift(world, bruno, ana);
  await routes.post(asAna(), "/me/vacation", { days: "7" });
  expect(await read({ person: carla }, `/gift/${code}`)).toMatchObject({ problem: "away" });
  await expect(
    claimGift(world.ctx, { memberId: carla.id, memberName: carla.name, code }),
  ).rejects.toThrow(CreatorOnVacation);
  await routes.post(asAna(), "/me/vacation/return", {});
  expect(
    (await claimGift(world.ctx, { memberId: carla.id, memberName: carla.name, code }))
      .creatorUsername,
  ).toBe(ana.username);
  // The cron of the ended vacation runs after the claim, and must not shift the subscription.
  await world.tick();
});
