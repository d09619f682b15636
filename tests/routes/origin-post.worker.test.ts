import { beforeEach, expect, test } from "vitest";
import type { MiddlewareFunction } from "react-router";
import { waysInPath, unlockPath } from "#app/domain/posts/rules.ts";
import type { PostPreview } from "#app/domain/posts/schema.ts";
import { domainContext } from "#app/http/contexts.ts";
import { visitorsToPublicPage } from "#app/http/public-pages/public-address.server.ts";
import * as chargePage from "#app/routes/checkout/charge.tsx";
import * as checkoutPage from "#app/routes/checkout/checkout.tsx";
import * as subscriptionPage from "#app/routes/settings/subscriptions/subscription.tsx";
import * as postPage from "#app/routes/space/post.tsx";
import * as spacePage from "#app/routes/space/space.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { createRouteCaller, TEST_ORIGIN } from "#tests/support/call-route.ts";
import { publishInCollection } from "#tests/support/collections.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { payAtBank, pixCheckout } from "#tests/support/payments.ts";
import { createPerson, createSeller, createTrialPerson } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { TEST_TRIAL_DAYS, trialHelpers } from "#tests/support/trials.ts";

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bruno = await createPerson(world.ctx, "Bruno");
});

const inWorld: MiddlewareFunction = ({ context }) => {
  context.set(domainContext, world.ctx);
};
const routes = callRoutesAs([
  { path: "checkout", module: checkoutPage, middleware: [inWorld] },
  { path: "checkout/:chargeId", module: chargePage, middleware: [inWorld] },
  { path: "post/:id", module: postPage, middleware: [inWorld] },
  { path: "space/:id", module: spacePage, middleware: [inWorld] },
  { path: "settings/subscriptions/:id", module: subscriptionPage, middleware: [inWorld] },
]);
const asVisitor = createRouteCaller([
  {
    path: "space/:id",
    module: spacePage,
    middleware: [inWorld, visitorsToPublicPage as MiddlewareFunction],
  },
]);
const trialOf = trialHelpers(() => ({ world, seller: ana, fan: bruno }));
/** What a browser sends back of the cookie that an answer sets. */
const keptCookie = (answer: Response) => answer.headers.get("set-cookie")?.split(";")[0] ?? "";

/** The cookie that the button of a locked post leaves on the way to its plan. */
async function cookieOf(postId: string): Promise<string> {
  const { post } = await routes.read<{ post: PostPreview }>({ person: bruno }, `/post/${postId}`);
  const unlock = post.access.visible ? null : post.access.cheapestUnlock;
  if (unlock?.kind !== "plan") throw new Error("the post is sold by no plan");
  const answer = await routes.get({ person: bruno }, unlockPath(unlock, postId));
  return keptCookie(answer);
}
const soldBy = async (chargeId: string, cookie: string) =>
  (
    await routes.read<{ soldBy: { path: string; title: string } | null }>(
      { person: bruno, cookie },
      `/checkout/${chargeId}`,
    )
  ).soldBy;

test("a subscriber who came from a locked post is led back to it once the charge is paid", async () => {
  const postId = await publishInCollection(world.ctx, ana, "Ensaio", "subscribers");
  const cookie = await cookieOf(postId);
  expect(cookie).toBe(`__Host-coreto-origin-post=${postId}`);
  const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
  expect(await soldBy(chargeId, cookie)).toBeNull();
  await payAtBank(world, { providerChargeId });
  await world.drain();
  expect(await soldBy(chargeId, cookie)).toEqual({ path: `/post/${postId}`, title: "Ensaio" });
  expect(await soldBy(chargeId, "")).toBeNull();
});

test("another creator's post, or an unknown one, gives no link back", async () => {
  const clara = await createSeller(world.ctx);
  const postId = await publishInCollection(world.ctx, clara, "De outra", "public");
  const { chargeId, providerChargeId } = await pixCheckout(world, bruno, ana);
  await payAtBank(world, { providerChargeId });
  await world.drain();
  for (const id of [postId, "nenhuma"])
    expect(await soldBy(chargeId, `__Host-coreto-origin-post=${id}`)).toBeNull();
});

test("the plans reached from a post remember it, for visitors and for members", async () => {
  const postId = await publishInCollection(world.ctx, ana, "Ensaio", "subscribers");
  const [path = ""] = waysInPath({ id: postId, author: ana }).split("#");
  const answer = await asVisitor(new Request(TEST_ORIGIN + path));
  expect(answer.headers.get("location")).toBe(`/space/${ana.username}/public`);
  for (const answered of [answer, await routes.get({ person: bruno }, path)])
    expect(keptCookie(answered)).toBe(`__Host-coreto-origin-post=${postId}`);
  const plain = await routes.get({ person: bruno }, `/space/${ana.username}`);
  expect(plain.headers.get("set-cookie")).toBeNull();
});

test("who started a trial by a locked post is led back to it", async () => {
  ana = await createSeller(world.ctx, { trialDays: TEST_TRIAL_DAYS });
  bruno = await createTrialPerson(world.ctx, "Bruno");
  const postId = await publishInCollection(world.ctx, ana, "Ensaio", "subscribers");
  const cookie = await cookieOf(postId);
  const path = `/settings/subscriptions/${await trialOf.began(trialOf.wish())}`;
  const soldByOf = async (kept: string) =>
    (await routes.read<{ soldBy: unknown }>({ person: bruno, cookie: kept }, path)).soldBy;
  expect(await soldByOf(cookie)).toEqual({ path: `/post/${postId}`, title: "Ensaio" });
  expect(await soldByOf("")).toBeNull();
});
