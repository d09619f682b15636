import { eq } from "drizzle-orm";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { cancelEvent, updateEvent } from "#app/domain/events/commands.server.ts";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { checkIn } from "#app/domain/events/door/commands.server.ts";
import { NothingToCancel } from "#app/domain/events/errors.ts";
import { ticketsOf } from "#app/domain/events/queries.server.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { requestPurchaseCoolingOffRefund } from "#app/domain/purchases/single-purchases/commands/end.server.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import { chargeReleases } from "#drizzle/schema/payments.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import {
  eventInput,
  paidTickets,
  pendingTickets,
  seatCounts,
  sellingEvent,
} from "#tests/support/events.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { purchaseEndsOf } from "#tests/support/purchases.ts";

let world: World;
let ana: Seller;
let bia: TestPerson;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});
afterEach(() => expectInvariantsToHold(world.ctx));

/** An event in `inDays`, with what Bia paid for. */
async function bought({
  inDays,
  quantity = 1,
  refundHours = 48,
}: {
  inDays: number;
  quantity?: number;
  refundHours?: number | null;
}) {
  bia = await createPerson(world.ctx, "Bia");
  const startsAt = world.ctx.now() + inDays * DAY_MS;
  const tickets = await sellingEvent(world.ctx, ana, {
    startsAt,
    endsAt: startsAt + 2 * HOUR_MS,
    maxPerPerson: 5,
    refundHours,
  });
  const { chargeId } = await paidTickets(world, bia, { ...tickets, quantity });
  return { ...tickets, chargeId, startsAt };
}
const cancel = (eventId: string, seatId?: string) =>
  cancelSeats(world.ctx, { eventId, personId: bia.id, seatId });
const charge = async (chargeId: string) => {
  await world.drain();
  const { status, refundedCents } = (await chargeRow(world.ctx, { chargeId })) ?? {};
  return { status, refundedCents };
};
const seats = async (eventId: string) => (await seatCounts(world.ctx, eventId)).stored.taken;

describe("who cancels", () => {
  test("in time gets everything back, and the seat is free", async () => {
    const { eventId, chargeId } = await bought({ inDays: 20, quantity: 2 });
    await world.advance(10 * DAY_MS);
    expect(await cancel(eventId)).toEqual({ refundCents: 6_000 });
    expect(await charge(chargeId)).toEqual({ status: "refunded", refundedCents: 6_000 });
    expect(await seats(eventId)).toBe(0);
    expect(await purchaseEndsOf(world.ctx, bia)).toEqual(["regret"]);
  });

  test("one of several tickets gets that one back, and the last ends the purchase", async () => {
    const { eventId, chargeId } = await bought({ inDays: 20, quantity: 3 });
    const [first, second] = await ticketsOf(world.ctx, { eventId, personId: bia.id });
    expect(await cancel(eventId, first?.seatId)).toEqual({ refundCents: 3_000 });
    expect(await charge(chargeId)).toEqual({ status: "partially_refunded", refundedCents: 3_000 });
    expect(await purchaseEndsOf(world.ctx, bia)).toEqual([null]);
    await Promise.allSettled([cancel(eventId, second?.seatId), cancel(eventId, second?.seatId)]);
    expect(await charge(chargeId)).toMatchObject({ refundedCents: 6_000 });
    expect(await cancel(eventId)).toEqual({ refundCents: 3_000 });
    expect(await charge(chargeId)).toEqual({ status: "refunded", refundedCents: 9_000 });
    expect(await seats(eventId)).toBe(0);
    await expect(cancel(eventId)).rejects.toThrow(NothingToCancel);
  });

  test("after the time of the rule gets nothing, and the creator keeps what was paid", async () => {
    const { eventId, chargeId } = await bought({ inDays: 20 });
    await world.advance(19 * DAY_MS);
    expect(await cancel(eventId)).toEqual({ refundCents: 0 });
    expect(await charge(chargeId)).toEqual({ status: "succeeded", refundedCents: 0 });
    expect(await seats(eventId)).toBe(0);
  });

  test("within seven days of the payment gets it back by law, but not once it began", async () => {
    const { eventId, chargeId } = await bought({ inDays: 1, refundHours: 168 });
    expect(await cancel(eventId)).toEqual({ refundCents: 3_000 });
    expect(await charge(chargeId)).toMatchObject({ status: "refunded" });
    const late = await bought({ inDays: 1 });
    await world.advance(DAY_MS + HOUR_MS);
    expect(await cancel(late.eventId)).toEqual({ refundCents: 0 });
    const { purchaseId = "" } = (await chargeRow(world.ctx, late)) ?? {};
    await expect(
      requestPurchaseCoolingOffRefund(world.ctx, { personId: bia.id, purchaseId }),
    ).rejects.toThrow("o evento começou");
  });

  test("a ticket whose person is inside is neither canceled nor refunded", async () => {
    const { eventId, chargeId } = await bought({ inDays: 1 });
    const [ticket] = await ticketsOf(world.ctx, { eventId, personId: bia.id });
    const door = { eventId, creatorId: ana.id, byId: ana.id };
    expect(await checkIn(world.ctx, { ...door, code: ticket?.code ?? "" })).toMatchObject({
      kindName: "Inteira",
    });
    await expect(cancel(eventId)).rejects.toThrow(NothingToCancel);
    const { purchaseId = "" } = (await chargeRow(world.ctx, { chargeId })) ?? {};
    await expect(
      requestPurchaseCoolingOffRefund(world.ctx, { personId: bia.id, purchaseId }),
    ).rejects.toThrow("o evento começou");
  });
});

test("a canceled event refunds everybody whole, and a payment on its way when it arrives", async () => {
  const { eventId, kindId, chargeId } = await bought({ inDays: 3, quantity: 2 });
  const caio = await createPerson(world.ctx, "Caio");
  const onItsWay = await pendingTickets(world, caio, { eventId, kindId });
  await cancelEvent(world.ctx, { eventId, creatorId: ana.id });
  await payAtBank(world, onItsWay);
  await world.drain();
  await world.tick();
  await world.tick();
  expect(await charge(chargeId)).toEqual({ status: "refunded", refundedCents: 6_000 });
  expect(await purchaseEndsOf(world.ctx, bia)).toEqual(["removed"]);
  expect(await charge(onItsWay.chargeId)).toEqual({ status: "refunded", refundedCents: 3_000 });
  expect(await purchaseEndsOf(world.ctx, caio)).toEqual(["given_back"]);
  // Calendars still show what was canceled.
  expect(await seats(eventId)).toBe(2);
});

test("whom the creator blocks loses the seat and gets the money back", async () => {
  const { eventId, chargeId } = await bought({ inDays: 3 });
  await block(world.ctx, { personId: ana.id, otherId: bia.id });
  expect(await seats(eventId)).toBe(0);
  await world.tick();
  expect(await charge(chargeId)).toMatchObject({ status: "refunded" });
});

test("who blocks the creator is refunded by the rule, and after it keeps the seat", async () => {
  const early = await bought({ inDays: 20 });
  await block(world.ctx, { personId: bia.id, otherId: ana.id });
  await world.tick();
  expect(await charge(early.chargeId)).toMatchObject({ status: "refunded" });
  expect(await seats(early.eventId)).toBe(0);
  const late = await bought({ inDays: 20 });
  await world.advance(19 * DAY_MS);
  await block(world.ctx, { personId: bia.id, otherId: ana.id });
  await world.tick();
  expect(await charge(late.chargeId)).toMatchObject({ status: "succeeded" });
  expect(await seats(late.eventId)).toBe(1);
});

test("a lost dispute takes the seat away", async () => {
  const { eventId, chargeId } = await bought({ inDays: 3 });
  const { providerChargeId } = (await chargeRow(world.ctx, { chargeId })) ?? {};
  const dispute = await world.console(`/sandbox/charges/${providerChargeId}/dispute`);
  await world.drain();
  await expect(cancel(eventId)).rejects.toThrow("em contestação");
  expect(await seats(eventId)).toBe(1);
  await world.console(`/sandbox/disputes/${String(dispute.body.id)}/lose`);
  await world.drain();
  expect(await seats(eventId)).toBe(0);
});

describe("an event that is moved", () => {
  const move = async (eventId: string, by: number) => {
    const own = { eventId, creatorId: ana.id };
    const saved = await editableEvent(world.ctx, own);
    if (!saved) throw new Error("no event");
    const { revision, startsAt, endsAt, maxPerPerson, refundHours } = saved;
    await updateEvent(world.ctx, {
      ...own,
      revision,
      ...eventInput(world.ctx, {
        startsAt: startsAt + by,
        endsAt: endsAt + by,
        maxPerPerson,
        refundHours,
      }),
    });
  };

  test("lets those who bought before go with their money until the start", async () => {
    const { eventId } = await bought({ inDays: 20, refundHours: 168 });
    await world.advance(18 * DAY_MS);
    await move(eventId, HOUR_MS);
    expect(await cancel(eventId)).toEqual({ refundCents: 3_000 });
  });

  test("is paid out a day after its new end, and not before", async () => {
    const { eventId, chargeId, startsAt } = await bought({ inDays: 2 });
    const releaseAt = async () =>
      (
        await world.ctx.db
          .select()
          .from(chargeReleases)
          .where(eq(chargeReleases.chargeId, chargeId))
      )[0]?.releaseAt;
    expect(await releaseAt()).toBe(startsAt + 2 * HOUR_MS + DAY_MS);
    await move(eventId, 10 * DAY_MS);
    expect(await releaseAt()).toBe(startsAt + 2 * HOUR_MS + 11 * DAY_MS);
    const pending = async () => (await chargeRow(world.ctx, { chargeId }))?.pendingCents;
    await world.advance(12 * DAY_MS);
    await world.tick();
    expect(await pending()).toBe(2_850);
    await world.advance(2 * DAY_MS);
    await world.tick();
    expect(await pending()).toBe(0);
  });
});
