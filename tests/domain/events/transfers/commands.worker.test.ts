import { commit } from "#app/db/client.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { purchaseRow } from "#app/domain/purchases/queries.server.ts";
import {
  endAndRefundPurchase,
  endBuyerPurchasesStatement,
  requestPurchaseCoolingOffRefund,
} from "#app/domain/purchases/single-purchases/commands/end.server.ts";
import { eq } from "drizzle-orm";
import { afterEach, beforeAll, expect, test } from "vitest";
import { Refusal } from "#app/domain/errors.ts";
import { cancelEvent } from "#app/domain/events/commands.server.ts";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { eraseSeats } from "#app/domain/events/commands/erasure.server.ts";
import { checkIn } from "#app/domain/events/door/commands.server.ts";
import { nameTicket } from "#app/domain/events/tickets/commands/holder.server.ts";
import { joinWaitingList, takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { ticketsOf } from "#app/domain/events/queries.server.ts";
import { attendees } from "#app/domain/events/attendees/queries.server.ts";
import {
  acceptTicket,
  offerTicket,
  withdrawOffer,
} from "#app/domain/events/transfers/commands.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import type { EventInput } from "#app/domain/events/schema.ts";
import { eventTransfers } from "#drizzle/schema/events.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import {
  paidTickets,
  pendingTickets,
  publishedEvent,
  seatCounts,
  sellingEvent,
} from "#tests/support/events.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});
afterEach(() => expectInvariantsToHold(world.ctx));

const one = async (eventId: string, person: TestPerson) => {
  const [ticket] = await ticketsOf(world.ctx, { eventId, personId: person.id });
  if (!ticket) throw new Error("no ticket");
  return ticket;
};

async function freeTicket(input: Partial<EventInput> = {}) {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { capacity: 3, ...input });
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  await takeSeats(ctx, { eventId, personId: bia.id, quantity: 1 });
  const ticket = await one(eventId, bia);
  const passed = { eventId, personId: bia.id, seatId: ticket.seatId };
  return { eventId, bia, caio, ticket, passed, door: { eventId, creatorId: ana.id, byId: ana.id } };
}

const transferIds = async (eventId: string) =>
  (await world.ctx.db.select().from(eventTransfers))
    .filter((row) => row.eventId === eventId)
    .map(({ id }) => id);

async function offeredTo(
  person: TestPerson,
  passed: Awaited<ReturnType<typeof freeTicket>>["passed"],
) {
  await offerTicket(world.ctx, { ...passed, to: { username: person.username } });
  const [id = ""] = (await transferIds(passed.eventId)).toReversed();
  return id;
}

/** The token of the link in the email to an address. */
async function mailedToken(eventId: string): Promise<string> {
  const rows = await world.ctx.db.select().from(outbox);
  const mailed = rows.find(
    ({ type, payload }) =>
      type === "event.ticket_mailed" && (payload as { eventId: string }).eventId === eventId,
  );
  return (
    String((mailed?.payload as { link?: string } | undefined)?.link)
      .split("/")
      .at(-1) ?? ""
  );
}

test("a member accepts a ticket once; the former code is void at once, and the new one enters", async () => {
  const { eventId, bia, caio, ticket, passed, door } = await freeTicket();
  const id = await offeredTo(caio, passed);
  expect((await one(eventId, bia)).transfer).toEqual({ to: `@${caio.username}` });
  const dora = await createPerson(world.ctx, "Dora");
  await expect(acceptTicket(world.ctx, { key: id, personId: dora.id })).rejects.toThrow(
    "Não encontramos este ingresso.",
  );
  await acceptTicket(world.ctx, { key: id, personId: caio.id });
  await expect(acceptTicket(world.ctx, { key: id, personId: caio.id })).rejects.toThrow(
    "não está mais disponível",
  );
  expect(await ticketsOf(world.ctx, { eventId, personId: bia.id })).toEqual([]);
  await expect(checkIn(world.ctx, { ...door, code: ticket.code })).rejects.toThrow(
    "Este código não é de um ingresso deste evento.",
  );
  const { code } = await one(eventId, caio);
  expect(await checkIn(world.ctx, { ...door, code })).toMatchObject({ name: "Caio" });
  expect((await seatCounts(world.ctx, eventId)).stored.taken).toBe(1);
});

test("a link by email is accepted by one of two who open it at once", async () => {
  const { eventId, caio, passed } = await freeTicket();
  const dora = await createPerson(world.ctx, "Dora");
  await offerTicket(world.ctx, { ...passed, to: { email: "amiga@example.org" } });
  const key = await mailedToken(eventId);
  const answers = await Promise.allSettled(
    [caio, dora].map(({ id }) => acceptTicket(world.ctx, { key, personId: id })),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await seatCounts(world.ctx, eventId)).stored.taken).toBe(1);
});

test("a withdrawn offer opens nothing, and the ticket stays its person's", async () => {
  const { eventId, bia, caio, ticket, passed } = await freeTicket();
  const id = await offeredTo(caio, passed);
  await expect(offeredTo(caio, passed)).rejects.toThrow("Você já está passando este ingresso");
  await withdrawOffer(world.ctx, passed);
  await expect(acceptTicket(world.ctx, { key: id, personId: caio.id })).rejects.toThrow(
    "não está mais disponível",
  );
  expect(await one(eventId, bia)).toMatchObject({ code: ticket.code, transfer: null });
  await offeredTo(caio, passed);
});

test("after the entry, the start or the cancellation no ticket is passed on or accepted", async () => {
  const inside = await freeTicket();
  const first = await offeredTo(inside.caio, inside.passed);
  await checkIn(world.ctx, { ...inside.door, code: inside.ticket.code });
  await expect(acceptTicket(world.ctx, { key: first, personId: inside.caio.id })).rejects.toThrow(
    "não está mais disponível",
  );
  await withdrawOffer(world.ctx, inside.passed);
  await expect(offeredTo(inside.caio, inside.passed)).rejects.toThrow("não pode mais ser passado");

  const canceled = await freeTicket();
  const second = await offeredTo(canceled.caio, canceled.passed);
  await cancelEvent(world.ctx, canceled.door);
  await expect(
    acceptTicket(world.ctx, { key: second, personId: canceled.caio.id }),
  ).rejects.toThrow("não está mais disponível");

  const begun = await freeTicket();
  const third = await offeredTo(begun.caio, begun.passed);
  await world.advance(3 * DAY_MS);
  await expect(acceptTicket(world.ctx, { key: third, personId: begun.caio.id })).rejects.toThrow(
    "não está mais disponível",
  );
});

test("nobody receives more seats than one may have, or a seat of an event that is not for them", async () => {
  const { eventId, caio, passed } = await freeTicket();
  await takeSeats(world.ctx, { eventId, personId: caio.id, quantity: 1 });
  const id = await offeredTo(caio, passed);
  await expect(acceptTicket(world.ctx, { key: id, personId: caio.id })).rejects.toThrow(
    "Você já tem todas as vagas",
  );
  await expect(
    offerTicket(world.ctx, { ...passed, to: { username: "ninguem.aqui" } }),
  ).rejects.toThrow("Não encontramos esta pessoa");
  const stranger = { ...passed, personId: caio.id };
  await expect(
    offerTicket(world.ctx, { ...stranger, to: { email: "x@example.org" } }),
  ).rejects.toThrow("não pode mais ser passado");
});

test("a paid ticket that was passed on is refunded to who paid, whoever cancels it", async () => {
  const { ctx } = world;
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  const tickets = await sellingEvent(ctx, ana, { capacity: 2, maxPerPerson: 2 });
  const { eventId } = tickets;
  const { chargeId } = await paidTickets(world, bia, { ...tickets, quantity: 2 });
  const { seatId } = await one(eventId, bia);
  const id = await offeredTo(caio, { eventId, personId: bia.id, seatId });
  await acceptTicket(ctx, { key: id, personId: caio.id });
  expect(await cancelSeats(ctx, { eventId, personId: caio.id })).toEqual({ refundCents: 0 });
  await world.drain();
  expect(await chargeRow(ctx, { chargeId })).toMatchObject({ refundedCents: 3_000 });
  expect(await cancelSeats(ctx, { eventId, personId: bia.id })).toEqual({ refundCents: 3_000 });
  await world.drain();
  expect(await chargeRow(ctx, { chargeId })).toMatchObject({
    status: "refunded",
    refundedCents: 6_000,
  });
});

test("seats carry names, free and paid, which the list shows and their person changes", async () => {
  const { ctx } = world;
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  const tickets = await sellingEvent(ctx, ana, { maxPerPerson: 3 });
  const { eventId } = tickets;
  await paidTickets(world, bia, { ...tickets, quantity: 3, names: ["Rita Reis", "Davi Reis"] });
  const listed = async () => {
    const page = await attendees(ctx, { eventId, creatorId: ana.id, cursor: null, limit: 10 });
    return page.items.map(({ name, personName }) => [name, personName]).toSorted();
  };
  expect(await listed()).toEqual([
    ["Bia", "Bia"],
    ["Davi Reis", "Bia"],
    ["Rita Reis", "Bia"],
  ]);
  const own = (await ticketsOf(ctx, { eventId, personId: bia.id })).find(
    ({ holderName }) => holderName === "Rita Reis",
  );
  const named = { eventId, seatId: own?.seatId ?? "", name: "Rute Reis" };
  await expect(nameTicket(ctx, { ...named, personId: caio.id })).rejects.toThrow("não muda mais");
  await nameTicket(ctx, { ...named, personId: bia.id });
  expect((await listed()).map(([name]) => name)).toEqual(["Bia", "Davi Reis", "Rute Reis"]);
  const door = { eventId, creatorId: ana.id, byId: ana.id, code: own?.code ?? "" };
  expect(await checkIn(ctx, door)).toMatchObject({ name: "Rute Reis" });
  await expect(nameTicket(ctx, { ...named, personId: bia.id })).rejects.toThrow("não muda mais");
  const free = await publishedEvent(ctx, ana, { maxPerPerson: 2 });
  await takeSeats(ctx, { eventId: free, personId: caio.id, quantity: 2, names: ["Lia"] });
  const names = (await ticketsOf(ctx, { eventId: free, personId: caio.id })).map(
    ({ holderName }) => holderName,
  );
  expect(new Set(names)).toEqual(new Set(["Lia", null]));
});

test("who passed a paid ticket on cannot take it back by a refund, nor by leaving", async () => {
  const { ctx } = world;
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  const tickets = await sellingEvent(ctx, ana);
  const { eventId } = tickets;
  const { purchaseId } = await passedPaid(bia, caio, tickets);
  await expect(
    requestPurchaseCoolingOffRefund(ctx, { personId: bia.id, purchaseId }),
  ).rejects.toThrow("já é de outra pessoa");
  await commit(ctx.db, [endBuyerPurchasesStatement(ctx, { personId: bia.id })]);
  const { code } = await one(eventId, caio);
  const door = { eventId, creatorId: ana.id, byId: ana.id, code };
  expect(await checkIn(ctx, door)).toMatchObject({ name: "Caio" });
});

test("whose ticket becomes void by another's refund is told", async () => {
  const { ctx } = world;
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  const tickets = await sellingEvent(ctx, ana);
  const { purchaseId } = await passedPaid(bia, caio, tickets);
  await endAndRefundPurchase(ctx, { purchaseId, because: "removed" });
  await world.drain();
  const told = (await ctx.db.select().from(outbox)).filter(
    ({ type }) => type === "event.ticket_voided",
  );
  expect(told.map(({ payload }) => payload)).toMatchObject([{ personId: caio.id }]);
  expect(await ticketsOf(ctx, { eventId: tickets.eventId, personId: caio.id })).toEqual([]);
});

async function passedPaid(
  giver: TestPerson,
  receiver: TestPerson,
  tickets: { eventId: string; kindId: string; quantity?: number },
) {
  const { eventId } = tickets;
  const { chargeId } = await paidTickets(world, giver, tickets);
  const { seatId } = await one(eventId, giver);
  const id = await offeredTo(receiver, { eventId, personId: giver.id, seatId });
  await acceptTicket(world.ctx, { key: id, personId: receiver.id });
  const charge = await chargeRow(world.ctx, { chargeId });
  return { chargeId, purchaseId: charge?.purchaseId ?? "" };
}

test("two holders of one order who cancel at once end its purchase", async () => {
  const { ctx } = world;
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  const tickets = { ...(await sellingEvent(ctx, ana, { maxPerPerson: 2 })), quantity: 2 };
  const { eventId } = tickets;
  const { chargeId, purchaseId } = await passedPaid(bia, caio, tickets);
  await Promise.all([bia, caio].map(({ id }) => cancelSeats(ctx, { eventId, personId: id })));
  await world.drain();
  expect(await chargeRow(ctx, { chargeId })).toMatchObject({ status: "refunded" });
  expect((await purchaseRow(ctx, { purchaseId }))?.endedAt).not.toBeNull();
});

test("a receiver with a running payment gets no seat above the limit, and leaves the waiting list", async () => {
  const { ctx } = world;
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  const tickets = await sellingEvent(ctx, ana, { capacity: 2 });
  const { eventId } = tickets;
  await paidTickets(world, bia, tickets);
  await pendingTickets(world, caio, tickets);
  const { seatId } = await one(eventId, bia);
  const passed = { eventId, personId: bia.id, seatId };
  const id = await offeredTo(caio, passed);
  await expect(acceptTicket(ctx, { key: id, personId: caio.id })).rejects.toThrow("todas as vagas");
  const full = await freeTicket({ capacity: 1 });
  await joinWaitingList(ctx, { eventId: full.eventId, personId: full.caio.id, quantity: 1 });
  const key = await offeredTo(full.caio, full.passed);
  await acceptTicket(ctx, { key, personId: full.caio.id });
  expect((await seatCounts(ctx, full.eventId)).stored).toMatchObject({ taken: 1, waiting: 0 });
});

test("between two who blocked one another no ticket passes, and an address gets three mails a day", async () => {
  const { ctx } = world;
  const { caio, passed } = await freeTicket();
  const id = await offeredTo(caio, passed);
  await block(ctx, { personId: caio.id, otherId: passed.personId });
  await expect(acceptTicket(ctx, { key: id, personId: caio.id })).rejects.toThrow(Refusal);
  await withdrawOffer(ctx, passed);
  await expect(offeredTo(caio, passed)).rejects.toThrow("Não encontramos esta pessoa");
  const mail = () => offerTicket(ctx, { ...passed, to: { email: "longe@example.org" } });
  for (let times = 0; times < 3; times += 1) {
    await mail();
    await withdrawOffer(ctx, passed);
  }
  await expect(mail()).rejects.toThrow("Você já passou muitos ingressos");
});

test("whom the creator blocks loses a ticket that was passed to them, and who paid is refunded", async () => {
  const { ctx } = world;
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  const tickets = await sellingEvent(ctx, ana, { refundHours: null });
  const { chargeId } = await passedPaid(bia, caio, tickets);
  await block(ctx, { personId: ana.id, otherId: caio.id });
  await world.tick();
  await world.drain();
  expect(await ticketsOf(ctx, { eventId: tickets.eventId, personId: caio.id })).toEqual([]);
  expect(await chargeRow(ctx, { chargeId })).toMatchObject({ status: "refunded" });
  expect((await seatCounts(ctx, tickets.eventId)).stored.taken).toBe(0);
});

test("an open offer to the address of a person is erased with the person", async () => {
  const { ctx } = world;
  const gone = await createPerson(ctx, "Rui");
  const { passed } = await freeTicket();
  await offerTicket(ctx, { ...passed, to: { email: gone.email } });
  await eraseSeats(ctx, { personId: gone.id, limit: 10 });
  const left = await ctx.db
    .select()
    .from(eventTransfers)
    .where(eq(eventTransfers.email, gone.email));
  expect(left).toEqual([]);
});
