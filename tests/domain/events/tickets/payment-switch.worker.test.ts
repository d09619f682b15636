import { afterEach, beforeAll, expect, test } from "vitest";
import type { Context } from "#app/domain/context.ts";
import { Refusal } from "#app/domain/errors.ts";
import { moveWaitingList } from "#app/domain/events/waiting-list/commands.server.ts";
import { chooseTickets } from "#app/domain/events/tickets/commands/orders.server.ts";
import { joinWaitingList } from "#app/domain/events/seats/commands.server.ts";
import { NoSeat } from "#app/domain/events/errors.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { APPROVED_CARD } from "#tests/support/dunning.ts";
import { pendingTickets, seatCounts, sellingEvent } from "#tests/support/events.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { cardToken } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { purchaseCheckoutInput } from "#tests/support/purchases.ts";

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});
afterEach(() => expectInvariantsToHold(world.ctx));

const counts = async (eventId: string) => (await seatCounts(world.ctx, eventId)).stored;

/** The last seat of an event: Bia's payment by Pix holds it, and Dora waits. */
async function lastSeat() {
  const { ctx } = world;
  const [bia, dora] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Dora")];
  const tickets = await sellingEvent(ctx, ana, { capacity: 1 });
  const { eventId } = tickets;
  const { orderId } = await pendingTickets(world, bia, tickets);
  await joinWaitingList(ctx, { eventId, personId: dora.id, quantity: 1 });
  return { tickets, eventId, orderId, bia };
}

/** Runs `act` after the first payment ended, and before the next one begins. */
const between = (act: () => Promise<unknown>): Context => ({
  ...world.ctx,
  live: {
    ...world.ctx.live,
    changed: async (topic) => {
      await world.ctx.live.changed(topic);
      await act();
    },
  },
});

async function payByCard(ctx: Context, buyer: TestPerson, orderId: string) {
  const token = await cardToken(world, APPROVED_CARD);
  const card = { kind: "event", method: "card", cardToken: token } as const;
  await startPurchase(ctx, purchaseCheckoutInput(buyer, orderId, card));
}

test("while a buyer changes the method, nobody else gets the seat", async () => {
  const { tickets, eventId, orderId, bia } = await lastSeat();
  const eva = await createPerson(world.ctx, "Eva");
  let tries = 0;
  const ctx = between(async () => {
    if ((tries += 1) > 1) return;
    await moveWaitingList(world.ctx, { eventId });
    await expect(
      chooseTickets(world.ctx, { ...tickets, personId: eva.id, quantity: 1 }),
    ).rejects.toThrow(NoSeat);
    expect(await counts(eventId)).toEqual({ taken: 0, held: 1, offered: 0, waiting: 1 });
  });
  await payByCard(ctx, bia, orderId);
  await world.drain();
  expect(tries).toBeGreaterThan(0);
  expect(await counts(eventId)).toEqual({ taken: 1, held: 0, offered: 0, waiting: 1 });
});

test("a change of method that dies half way frees the seat a minute later, for who waits", async () => {
  const { eventId, orderId, bia } = await lastSeat();
  const dying = between(() => Promise.reject(new Error("killed")));
  await expect(payByCard(dying, bia, orderId)).rejects.toThrow("killed");
  expect(await counts(eventId)).toEqual({ taken: 0, held: 1, offered: 0, waiting: 1 });
  await world.advance(MINUTE_MS);
  await world.tick();
  expect(await counts(eventId)).toEqual({ taken: 0, held: 0, offered: 1, waiting: 0 });
});

test("who chooses again after it gets their own seat", async () => {
  const { tickets, orderId, eventId, bia } = await lastSeat();
  await world.ctx.db.run("DELETE FROM event_waiting");
  const dying = between(() => Promise.reject(new Error("killed")));
  await expect(payByCard(dying, bia, orderId)).rejects.toThrow("killed");
  await pendingTickets(world, bia, tickets);
  expect(await counts(eventId)).toEqual({ taken: 0, held: 1, offered: 0, waiting: 0 });
});

test("an hour after the choice a change of method keeps no seat: who waits gets it", async () => {
  const { eventId, orderId, bia } = await lastSeat();
  await world.ctx.db.run(`UPDATE event_orders SET created_at = created_at - 3600000`);
  await expect(payByCard(world.ctx, bia, orderId)).rejects.toThrow(Refusal);
  await world.tick();
  expect(await counts(eventId)).toEqual({ taken: 0, held: 0, offered: 1, waiting: 0 });
});
