import type { MiddlewareFunction } from "react-router";
import { afterEach, beforeEach, expect, test } from "vitest";
import { coolingOffReviewSince } from "#app/domain/payments/refunds/rules/cooling-off.ts";
import { requestSubscriptionCoolingOffRefund } from "#app/domain/subscriptions/cancellations/commands/cooling-off.server.ts";
import { instantOfIsoDay, isoDay } from "#app/domain/time.ts";
import * as disputes from "#app/routes/admin/disputes.tsx";
import * as layout from "#app/routes/admin/layout.tsx";
import * as regretPerson from "#app/routes/admin/cooling-off-person.tsx";
import * as regrets from "#app/routes/admin/cooling-off-refunds.tsx";
import { callRoutesAs } from "#tests/support/acting.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { followFiguresAs } from "#tests/support/money-figures.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

const middleware = layout.middleware as MiddlewareFunction[];
const routes = callRoutesAs([
  { path: "admin/disputes", module: disputes, middleware },
  { path: "admin/disputes/regrets", module: regrets, middleware },
  { path: "admin/disputes/regrets/:personId", module: regretPerson, middleware },
]);

let world: World;
let staff: TestPerson;
let bruno: TestPerson;
beforeEach(async () => {
  world = await testContext();
  [staff, bruno] = [await createModerator(world.ctx), await createPerson(world.ctx, "Bruno")];
});
afterEach(() => expectInvariantsToHold(world.ctx));

/** Subscribes to a new creator, and requests the cooling-off refund. */
async function regretted(fan: TestPerson, amountCents: number): Promise<void> {
  const { purchaseId: subscriptionId } = await paidSubscription(
    world,
    fan,
    await createSeller(world.ctx, { amountCents }),
  );
  await requestSubscriptionCoolingOffRefund(world.ctx, { fanId: fan.id, subscriptionId });
  await world.drain();
}

type Listed = { items: { personId: string; times: number; amountCents: number }[] };
const listed = async () =>
  (
    await routes.read<Listed>({ person: staff, isModerator: true }, "/admin/disputes/regrets")
  ).items.filter(({ personId }) => personId === bruno.id);

test("staff sees payer, count, amount and payments from the third cooling-off refund in a year; refunds go on", async () => {
  await regretted(bruno, 1_000);
  await regretted(bruno, 2_000);
  expect(await listed()).toEqual([]);
  await regretted(bruno, 3_000);
  expect(await listed()).toMatchObject([{ times: 3, amountCents: 6_000 }]);
  const money = followFiguresAs(
    () => world.ctx,
    () => ({ ...staff, avatarUrl: null, isCreator: false, isModerator: true, leavingAt: null }),
    [
      { path: "admin/disputes/regrets", module: regrets },
      { path: "admin/disputes/regrets/:personId", module: regretPerson },
    ],
  );
  expect(await money.wrong(["/admin/disputes/regrets"])).toEqual([]);
  expect(
    (await money.shown(`/admin/disputes/regrets/${bruno.id}`)).links.filter((link) =>
      link.startsWith("/settings/transactions/"),
    ),
  ).toHaveLength(3);
  await regretted(bruno, 4_000);
  expect(await listed()).toMatchObject([{ times: 4, amountCents: 10_000 }]);
});

test("cooling-off refunds older than twelve months do not count", () => {
  expect(isoDay(coolingOffReviewSince(instantOfIsoDay("2027-03-31")))).toBe("2026-03-31");
});

test("only staff reads the review; a member without cooling-off refunds has no page", async () => {
  for (const path of ["/admin/disputes/regrets", `/admin/disputes/regrets/${bruno.id}`])
    expect((await routes.get({ person: bruno }, path)).status, path).not.toBe(200);
  expect(
    (await routes.get({ person: staff, isModerator: true }, `/admin/disputes/regrets/${bruno.id}`))
      .status,
  ).toBe(404);
  expect((await routes.get({ person: staff, isModerator: true }, "/admin/disputes")).status).toBe(
    200,
  );
});
