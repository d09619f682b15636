import { expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { domainContext } from "#app/http/contexts.ts";
import * as chargePage from "#app/routes/checkout/charge.tsx";
import * as giftPage from "#app/routes/settings/purchases/gift.tsx";
import * as subscriptionPage from "#app/routes/settings/subscriptions/subscription.tsx";
import * as collectionPage from "#app/routes/space/collection.tsx";
import * as postPage from "#app/routes/space/post.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { testContext } from "#tests/support/context.ts";
import { paidGift } from "#tests/support/gifts.ts";
import { payAtBank, pixCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller, createTrialPerson } from "#tests/support/people.ts";
import { paidPurchase, soldCollection, soldPost } from "#tests/support/purchases.ts";
import { TEST_TRIAL_DAYS, trialHelpers } from "#tests/support/trials.ts";

const GIVEN = { username: "pessoa-ad8485", name: "Lia de Souza" };
const OFFER = { given: "pessoa-ad8485", suggested: "lia.souza" };

async function pages(trialDays = 0) {
  const world = await testContext();
  const ana = await createSeller(world.ctx, { trialDays });
  const inWorld: MiddlewareFunction = ({ context }) => {
    context.set(domainContext, world.ctx);
  };
  const routes = callRoutesAs([
    { path: "checkout/:chargeId", module: chargePage, middleware: [inWorld] },
    { path: "settings/subscriptions/:id", module: subscriptionPage, middleware: [inWorld] },
    { path: "settings/gifts/:id", module: giftPage, middleware: [inWorld] },
    { path: "post/:id", module: postPage, middleware: [inWorld] },
    { path: "collection/:id", module: collectionPage, middleware: [inWorld] },
  ]);
  const offerAt = async (person: Parameters<typeof routes.get>[0]["person"], path: string) =>
    (await routes.read<{ usernameOffer: unknown }>({ person }, path)).usernameOffer;
  return { world, ana, offerAt };
}

test("a guest may choose a username once it is paid; who has chosen one is not asked", async () => {
  const { world, ana, offerAt } = await pages();
  const bruno = await createPerson(world.ctx, "Bruno");
  const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
  const path = `/checkout/${chargeId}`;
  expect(await offerAt({ ...bruno, ...GIVEN }, path)).toBeNull();
  await payAtBank(world, { providerChargeId });
  await world.drain();
  expect(await offerAt({ ...bruno, ...GIVEN }, path)).toEqual(OFFER);
  expect(await offerAt(bruno, path)).toBeNull();
});

test("a guest whose trial has begun may choose one too", async () => {
  const { world, ana, offerAt } = await pages(TEST_TRIAL_DAYS);
  const bruno = await createTrialPerson(world.ctx, "Bruno");
  const trial = trialHelpers(() => ({ world, seller: ana, fan: bruno }));
  const path = `/settings/subscriptions/${await trial.began(trial.wish())}`;
  expect(await offerAt({ ...bruno, ...GIVEN }, path)).toEqual(OFFER);
  expect(await offerAt(bruno, path)).toBeNull();
});

test("a guest who bought a post, a collection or a gift is offered one on its page", async () => {
  const { world, ana, offerAt } = await pages();
  const bruno = await createPerson(world.ctx, "Bruno");
  const { postId } = await soldPost(world.ctx, ana);
  const { collectionId } = await soldCollection(world.ctx, ana, [postId]);
  const own = [`/post/${postId}`, `/collection/${collectionId}`];
  for (const path of own) expect(await offerAt({ ...bruno, ...GIVEN }, path)).toBeNull();
  await paidPurchase(world, bruno, collectionId, "collection");
  const { gift } = await paidGift(world, bruno, ana);
  for (const path of [...own, `/settings/gifts/${gift.id}`]) {
    expect(await offerAt({ ...bruno, ...GIVEN }, path), path).toEqual(OFFER);
    expect(await offerAt(bruno, path), path).toBeNull();
  }
});
