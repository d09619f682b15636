import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { checkoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import type { FormProblem } from "#app/lib/form-problem.ts";
import { againAt } from "#app/routes/checkout/retry.server.ts";
import * as checkoutPage from "#app/routes/checkout/checkout.tsx";
import { checkoutShown } from "#app/routes/checkout/checkout-view.server.ts";
import { parseCheckoutTarget } from "#app/http/checkout/checkout-target.ts";
import * as aheadPage from "#app/routes/settings/subscriptions/prepay.tsx";
import { formatDay } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { planPrices } from "#drizzle/schema/plans.ts";
import { callRoutesAs } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { otherPlan } from "#tests/support/plan-changes.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

const routes = callRoutesAs([
  { path: "checkout", module: checkoutPage },
  { path: "settings/subscriptions/:id/ahead", module: aheadPage },
]);

let world: World;
let ana: Seller;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx, { amountCents: 1_990 });
  bruno = await createPerson(world.ctx, "Bruno");
});
afterEach(() => expectInvariantsToHold(world.ctx));

const post = (path: string, fields: Record<string, string>, by = bruno) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return routes.postForm({ person: by, isCreator: false }, path, form);
};
const shown = async (search: string) =>
  await checkoutShown(world.ctx, {
    memberId: bruno.id,
    wanted: parseCheckoutTarget(`https://coreto.test/checkout?plan=${ana.planId}${search}`),
  });
const chargesOf = (payerId: string) =>
  world.ctx.db.select().from(charges).where(eq(charges.payerId, payerId));

test("the checkout shows the price of each number of months, the prepaid periods and the next charge", async () => {
  const one = await shown("");
  expect(one?.ahead).toMatchObject({
    chosen: null,
    choices: [{ count: 3, amountCents: 5_970 }, { count: 6 }, { count: 12, amountCents: 23_880 }],
  });
  const three = await shown("&periods=3");
  expect(three).toMatchObject({
    todayCents: 5_970,
    methods: ["pix"],
    summary: { amountCents: 5_970, ahead: { count: 3, nextCents: 1_990 } },
  });
  expect(three?.summary.nextChargeAt).toBe(three?.ahead?.chosen?.endsAt);
  expect((await shown("&periods=5"))?.ahead?.chosen).toBeNull();
});

test("the checkout form charges the prepaid amount, and a retry asks for the same", async () => {
  const answer = await post(`/checkout?plan=${ana.planId}&periods=3`, {
    planPriceId: ana.priceId,
    method: "pix",
    periods: "3",
    amountCents: "5970",
  });
  const [made] = await chargesOf(bruno.id);
  expect({ status: answer.status, to: answer.headers.get("Location") }).toEqual({
    status: 303,
    to: `/checkout/${made?.id ?? ""}`,
  });
  expect(made?.amountCents).toBe(5_970);
  const charge = await checkoutCharge(world.ctx, { memberId: bruno.id, chargeId: made?.id ?? "" });
  if (!charge) throw new Error("nothing was begun");
  expect(charge).toMatchObject({ periods: 3, renewsSubscriptionId: null });
  expect((await againAt(world.ctx, { memberId: bruno.id, charge }))?.fields).toEqual({
    planPriceId: ana.priceId,
    method: "pix",
    amountCents: "5970",
    periods: "3",
  });
});

test.each([
  [
    "by card",
    { method: "card", periods: "3" },
    "Não dá para pagar adiantado por tanto tempo. Nada foi cobrado. Escolha outra opção.",
  ],
  ["for four months", { method: "pix", periods: "4" }, "Escolha quanto pagar agora"],
  ["for a hundred years", { method: "pix", periods: "1e3" }, "Escolha quanto pagar agora"],
])(
  "prepaying %s is refused with a message, and nothing is charged",
  async (_, fields, sentence) => {
    const problem = await (
      await post(`/checkout?plan=${ana.planId}`, { planPriceId: ana.priceId, ...fields })
    ).json<FormProblem>();
    expect(problem.errors["periods"]).toBe(sentence);
    expect(await chargesOf(bruno.id)).toEqual([]);
  },
);

test("the subscriber prepays an active subscription on its own page, and others get 404", async () => {
  const { purchaseId: subscriptionId } = await paidSubscription(world, bruno, ana);
  const path = `/settings/subscriptions/${subscriptionId}/ahead`;
  const answer = await post(path, { periods: "6" });
  const chargeId = answer.headers.get("Location")?.split("/").at(-1) ?? "";
  expect(await chargeRow(world.ctx, { chargeId })).toMatchObject({
    amountCents: 11_940,
    purchaseId: subscriptionId,
  });
  const charge = await checkoutCharge(world.ctx, { memberId: bruno.id, chargeId });
  if (!charge) throw new Error("nothing was begun");
  const subscription = await fanSubscription(world.ctx, { fanId: bruno.id, subscriptionId });
  expect(formatDay(charge.periodEndsAt ?? 0)).not.toBe(
    formatDay(subscription?.currentPeriodEndsAt ?? 0),
  );
  expect(await againAt(world.ctx, { memberId: bruno.id, charge })).toEqual({
    path,
    fields: { periods: "6", amountCents: "11940" },
  });
  expect((await post(path, { periods: "3" }, ana)).status).toBe(404);
  expect((await post(path, { periods: "1" })).status).toBe(409);
});

test("where a year is sold for less, twelve months are not offered beside it", async () => {
  const { planId, prices } = await otherPlan(world.ctx, ana.id, {
    monthly: 1_990,
    annual: 19_900,
  });
  const page = await checkoutShown(world.ctx, {
    memberId: bruno.id,
    wanted: parseCheckoutTarget(
      `https://coreto.test/checkout?plan=${planId}&interval=monthly&periods=12`,
    ),
  });
  expect(page?.ahead?.choices.map(({ count }) => count)).toEqual([3, 6]);
  expect(page).toMatchObject({ todayCents: 1_990, plan: { priceId: prices.monthly } });
});

test("a subscriber by the month is offered the cheaper year, and no twelve months beside it", async () => {
  const { purchaseId: subscriptionId } = await paidSubscription(world, bruno, ana);
  const path = `/settings/subscriptions/${subscriptionId}/ahead`;
  const page = async () =>
    await routes.read<{
      choices: { count: number }[];
      longer: { id: string; interval: string; amountCents: number; savedCents: number }[];
    }>({ person: bruno }, path);
  expect((await page()).choices.map(({ count }) => count)).toEqual([3, 6, 12]);
  const yearId = world.ctx.newId();
  await world.ctx.db.insert(planPrices).values({
    id: yearId,
    planId: ana.planId,
    interval: "annual",
    amountCents: 19_900,
    createdAt: world.ctx.now(),
  });
  const { choices, longer } = await page();
  expect(choices.map(({ count }) => count)).toEqual([3, 6]);
  expect(longer).toMatchObject([
    { id: yearId, interval: "annual", amountCents: 19_900, savedCents: 3_980 },
  ]);
});
