import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { eventNumbers } from "#app/domain/analytics/events/queries.server.ts";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { checkIn, undoCheckIn } from "#app/domain/events/door/commands.server.ts";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { ticketsOf } from "#app/domain/events/queries.server.ts";
import { DAY_MS, dayNumberOf } from "#app/domain/time.ts";
import { eventSeats } from "#drizzle/schema/events.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { NOON_OF_NOVEMBER_11, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { paidTickets, publishedEvent, sellingEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ana: Seller;
let bia: TestPerson;
beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext({ startsAt: NOON_OF_NOVEMBER_11 });
  ana = await createSeller(world.ctx);
  bia = await createPerson(world.ctx, "Bia");
});

const numbers = async (days = 7, creator: { id: string } = ana) => {
  const today = dayNumberOf(world.ctx.now());
  const range = { from: today - days + 1, until: today };
  return await eventNumbers(world.ctx, { creatorId: creator.id, range });
};

test("presence counts who came in, each once, and no more who is taken back", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { capacity: 5, startsAt: ctx.now() + DAY_MS });
  const door = { eventId, creatorId: ana.id };
  await takeSeats(ctx, { eventId, personId: bia.id, quantity: 1 });
  await takeSeats(ctx, {
    eventId,
    personId: (await createPerson(ctx, "Caio")).id,
    quantity: 1,
  });
  const [ticket] = await ticketsOf(ctx, { eventId, personId: bia.id });
  await world.advance(DAY_MS);
  expect(await numbers()).toMatchObject([{ capacity: 5, seatsTaken: 2, checkedInCount: 0 }]);
  const { entryId } = await checkIn(ctx, { ...door, code: ticket?.code ?? "", byId: ana.id });
  expect(await numbers()).toMatchObject([{ seatsTaken: 2, checkedInCount: 1 }]);
  await undoCheckIn(ctx, { ...door, entryId });
  expect(await numbers()).toMatchObject([{ checkedInCount: 0 }]);
  await world.advance(1_000);
  await checkIn(ctx, { ...door, code: ticket?.code ?? "", byId: ana.id });
  await ctx.db
    .update(eventSeats)
    .set({ status: "canceled" })
    .where(eq(eventSeats.personId, bia.id));
  expect(await numbers()).toMatchObject([{ seatsTaken: 1, checkedInCount: 0 }]);
});

test("money is of the whole event, to the centavo, with its refunds", async () => {
  const tickets = { ...(await sellingEvent(world.ctx, ana, { maxPerPerson: 2 })), quantity: 2 };
  const { chargeId } = await paidTickets(world, bia, tickets);
  const [before] = await numbers();
  expect(before).toMatchObject({
    id: tickets.eventId,
    seatsTaken: 2,
    checkedInCount: null,
    sales: 1,
    grossCents: 6_000,
    netCents: 5_700,
  });
  await refundCharge(world.ctx, {
    sellerId: ana.id,
    decidedBy: ana.id,
    chargeId,
    refundId: world.ctx.newId(),
    amountCents: 1_000,
    reason: "",
  });
  await world.drain();
  expect(await numbers()).toMatchObject([{ grossCents: 6_000, netCents: 4_750 }]);
});

test("a range has the events that began or sold in it, and no draft and nobody else's", async () => {
  const { ctx } = world;
  const later = await sellingEvent(ctx, ana, { startsAt: ctx.now() + 20 * DAY_MS });
  await paidTickets(world, bia, { ...later, quantity: 1 });
  await publishedEvent(ctx, ana, { title: "Logo", startsAt: ctx.now() + DAY_MS });
  expect((await numbers()).map(({ title }) => title)).toEqual(["Roda de rabeca"]);
  await world.advance(10 * DAY_MS);
  expect(await numbers(7)).toEqual([]);
  expect((await numbers(28)).map(({ title }) => title)).toEqual(["Roda de rabeca", "Logo"]);
  expect(await numbers(28, await createSeller(ctx))).toEqual([]);
});
