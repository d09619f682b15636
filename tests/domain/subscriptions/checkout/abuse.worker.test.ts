import { and, eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openChargesCount } from "#app/domain/payments/queries.server.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import {
  PaymentDeclined,
  PlanNotForSale,
  TooManyDeclines,
  TooManyOpenPayments,
} from "#app/domain/subscriptions/errors.ts";
import { DECLINES_LIMIT, OPEN_CHECKOUTS_LIMIT } from "#app/domain/subscriptions/checkout/rules.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { blocks } from "#drizzle/schema/profiles.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

let world: World;
beforeEach(async () => {
  world = await testContext();
});
afterEach(() => expectInvariantsToHold(world.ctx));

const asPix = (memberId: string, planPriceId: string) => ({
  memberId,
  memberName: "Bruno",
  planPriceId,
  method: "pix" as const,
  cardToken: null,
});

async function cardToken(number: string): Promise<string> {
  const answer = await world.browse("/v1/tokens", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ number, expiry: "12/32", cvv: "123", holder: "Bruno Tavares" }),
  });
  return ((await answer.json()) as { id: string }).id;
}

test("concurrent checkouts open no more charges, and hold no more seats, than the limit", async () => {
  const { ctx } = world;
  const bruno = await createPerson(ctx, "Bruno");
  const sellers = await Promise.all(
    Array.from({ length: 2 * OPEN_CHECKOUTS_LIMIT }, () => createSeller(ctx)),
  );
  const outcomes = await Promise.allSettled(
    sellers.map(({ priceId }) => startSubscription(ctx, asPix(bruno.id, priceId))),
  );
  const refused = outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason as unknown] : [],
  );
  expect(refused.every((reason) => reason instanceof TooManyOpenPayments)).toBe(true);
  expect(await openChargesCount(ctx, { payerId: bruno.id, now: ctx.now() })).toBe(
    OPEN_CHECKOUTS_LIMIT,
  );
  const seats = await Promise.all(
    sellers.map(
      async ({ planId, id }) =>
        (await creatorPlan(ctx, { planId, creatorId: id }))?.seatsTaken ?? 0,
    ),
  );
  expect(seats.reduce((sum, taken) => sum + taken, 0)).toBe(OPEN_CHECKOUTS_LIMIT);
});

test("repeated declined cards are refused for an hour without a provider call, while Pix stays possible", async () => {
  const { ctx } = world;
  const ana = await createSeller(ctx);
  const thief = await createPerson(ctx, "Bruno");
  const tried = async () =>
    startSubscription(ctx, {
      ...asPix(thief.id, ana.priceId),
      method: "card",
      cardToken: await cardToken("4000000000000002"),
    });
  for (let tries = 0; tries < DECLINES_LIMIT; tries += 1)
    await expect(tried()).rejects.toBeInstanceOf(PaymentDeclined);
  await expect(tried()).rejects.toBeInstanceOf(TooManyDeclines);
  const failed = await ctx.db
    .select()
    .from(charges)
    .where(and(eq(charges.payerId, thief.id), eq(charges.status, "failed")));
  expect(failed).toHaveLength(DECLINES_LIMIT);
  await expect(startSubscription(ctx, asPix(thief.id, ana.priceId))).resolves.toMatchObject({
    status: "awaiting_payment",
  });
  await world.advance(HOUR_MS + 1);
  await expect(tried()).rejects.toBeInstanceOf(PaymentDeclined);
});

test("a block in either direction refuses a checkout", async () => {
  const { ctx } = world;
  const [ana, bruno, carla] = [
    await createSeller(ctx),
    await createPerson(ctx, "Bruno"),
    await createPerson(ctx, "Carla"),
  ];
  await ctx.db.insert(blocks).values([
    { blockerId: ana.id, blockedId: bruno.id, createdAt: ctx.now() },
    { blockerId: carla.id, blockedId: ana.id, createdAt: ctx.now() },
  ]);
  await expect(startSubscription(ctx, asPix(bruno.id, ana.priceId))).rejects.toBeInstanceOf(
    PlanNotForSale,
  );
  await expect(startSubscription(ctx, asPix(carla.id, ana.priceId))).rejects.toBeInstanceOf(
    PlanNotForSale,
  );
});
