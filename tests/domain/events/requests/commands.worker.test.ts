import { and, eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { cancelEvent, updateEvent } from "#app/domain/events/commands.server.ts";
import { chooseTickets } from "#app/domain/events/tickets/commands/orders.server.ts";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { joinWaitingList, takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { editableEvent } from "#app/domain/events/queries/editable.server.ts";
import { eventFor, ticketsOf } from "#app/domain/events/queries.server.ts";
import { addQuestion } from "#app/domain/events/questions/commands.server.ts";
import {
  approveRequest,
  refuseRequest,
  requestSeats,
  withdrawRequest,
} from "#app/domain/events/requests/commands.server.ts";
import { requestsOf, waitingRequests } from "#app/domain/events/requests/queries.server.ts";
import type { EventInput } from "#app/domain/events/schema.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { eventAnswers, eventRequests } from "#drizzle/schema/events-people.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import {
  eventInput,
  pendingTickets,
  publishedEvent,
  seatCounts,
  sellingEvent,
  ticketKind,
  tryToTake,
} from "#tests/support/events.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});

const approving = (input: Partial<EventInput> = {}) =>
  publishedEvent(world.ctx, ana, { needsApproval: true, ...input });
const fan = () => createPerson(world.ctx, "Bia");
const seatsOf = async (eventId: string, { id }: TestPerson) =>
  (await ticketsOf(world.ctx, { eventId, personId: id })).length;
const own = (eventId: string, { id }: TestPerson) => ({
  eventId,
  personId: id,
  creatorId: ana.id,
});
const messages = async (type: string, eventId: string) =>
  (
    await world.ctx.db
      .select({ payload: outbox.payload })
      .from(outbox)
      .where(
        and(eq(outbox.type, type), sql`json_extract(${outbox.payload}, '$.eventId') = ${eventId}`),
      )
  ).map(({ payload }) => payload);

test("where each request is approved nobody takes a seat by themselves; an approved request has it", async () => {
  const eventId = await approving({ capacity: 1 });
  const [bia, caio] = [await fan(), await fan()];
  expect(await tryToTake(world.ctx, eventId, bia)).toBe("approval");
  for (const person of [bia, caio])
    await requestSeats(world.ctx, { eventId, personId: person.id, quantity: 1 });
  expect((await seatCounts(world.ctx, eventId)).stored).toMatchObject({ taken: 0, offered: 0 });
  expect(await messages("event.seat_requested", eventId)).toHaveLength(2);
  await approveRequest(world.ctx, { ...own(eventId, caio), reply: "Até lá!" });
  expect([await seatsOf(eventId, bia), await seatsOf(eventId, caio)]).toEqual([0, 1]);
  expect(await messages("event.request_approved", eventId)).toHaveLength(1);
  await expect(approveRequest(world.ctx, own(eventId, bia))).rejects.toThrow("Não há vagas livres");
  await expect(approveRequest(world.ctx, own(eventId, caio))).rejects.toThrow("não está mais aqui");
});

test("who waits when approval is turned on keeps their place without a request; who comes later asks", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { capacity: 1 });
  const [bia, caio, davi] = [await fan(), await fan(), await fan()];
  await takeSeats(ctx, { eventId, personId: bia.id, quantity: 1 });
  await joinWaitingList(ctx, { eventId, personId: caio.id, quantity: 1 });
  const saved = await editableEvent(ctx, { eventId, creatorId: ana.id });
  if (!saved) throw new Error("no event");
  const input = eventInput(ctx, { startsAt: saved.startsAt, capacity: 1, needsApproval: true });
  await updateEvent(ctx, { ...input, eventId, creatorId: ana.id, revision: 0 });
  await expect(
    joinWaitingList(ctx, { eventId, personId: davi.id, quantity: 1 }),
  ).rejects.toMatchObject({ name: "NotWaiting" });
  await requestSeats(ctx, { eventId, personId: davi.id, quantity: 1 });
  await cancelSeats(ctx, { eventId, personId: bia.id });
  expect((await seatCounts(ctx, eventId)).stored).toMatchObject({ offered: 1, waiting: 0 });
  expect(await tryToTake(ctx, eventId, davi)).toBe("approval");
  expect(await tryToTake(ctx, eventId, caio)).toBe("taken");
  expect(await waitingRequests(ctx, { eventId })).toBe(1);
});

test("two approvals of the last seat at once give it once", async () => {
  const eventId = await approving({ capacity: 1 });
  const people = [await fan(), await fan(), await fan()];
  for (const { id: personId } of people)
    await requestSeats(world.ctx, { eventId, personId, quantity: 1 });
  const answers = await Promise.allSettled(
    people.map((person) => approveRequest(world.ctx, own(eventId, person))),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect((await seatCounts(world.ctx, eventId)).stored.taken).toBe(1);
  expect(await waitingRequests(world.ctx, { eventId })).toBe(2);
});

test("an approved request for a paid kind has 12 hours to buy that kind, and its hold cannot be sold to others", async () => {
  const { eventId, kindId } = await sellingEvent(world.ctx, ana, {
    needsApproval: true,
    capacity: 1,
  });
  const freeId = await ticketKind(world.ctx, eventId, ana, { name: "Livre", price: 0 });
  const [bia, caio] = [await fan(), await fan()];
  await expect(
    chooseTickets(world.ctx, { eventId, kindId, personId: bia.id, quantity: 1 }),
  ).rejects.toMatchObject({ why: "approval" });
  await requestSeats(world.ctx, { eventId, personId: bia.id, quantity: 1, kindId });
  await requestSeats(world.ctx, { eventId, personId: caio.id, quantity: 1, kindId });
  await approveRequest(world.ctx, own(eventId, bia));
  expect((await seatCounts(world.ctx, eventId)).stored).toMatchObject({ taken: 0, offered: 1 });
  await expect(approveRequest(world.ctx, own(eventId, caio))).rejects.toThrow(
    "Não há vagas livres",
  );
  await expect(
    takeSeats(world.ctx, { eventId, personId: bia.id, quantity: 1, kindId: freeId }),
  ).rejects.toMatchObject({ why: "approval" });
  const pending = await pendingTickets(world, bia, { eventId, kindId });
  await payAtBank(world, pending);
  await world.drain();
  expect(await seatsOf(eventId, bia)).toBe(1);
  expect((await seatCounts(world.ctx, eventId)).stored).toMatchObject({ taken: 1, offered: 0 });
});

test("an approved request that is not bought within 12 hours frees its seat, and may be asked again", async () => {
  const { eventId, kindId } = await sellingEvent(world.ctx, ana, {
    needsApproval: true,
    capacity: 1,
  });
  const bia = await fan();
  const asked = { eventId, personId: bia.id, quantity: 1, kindId };
  await requestSeats(world.ctx, asked);
  await approveRequest(world.ctx, own(eventId, bia));
  await expect(requestSeats(world.ctx, asked)).rejects.toThrow("já foi aprovado");
  await world.advance(12 * HOUR_MS + MINUTE_MS);
  await world.tick();
  expect((await seatCounts(world.ctx, eventId)).stored).toMatchObject({ taken: 0, offered: 0 });
  await expect(chooseTickets(world.ctx, asked)).rejects.toMatchObject({ why: "approval" });
  await requestSeats(world.ctx, asked);
  expect(await waitingRequests(world.ctx, { eventId })).toBe(1);
});

test("who is refused is told with the creator's words, cannot ask again, and may still be approved", async () => {
  const eventId = await approving();
  const bia = await fan();
  await requestSeats(world.ctx, { eventId, personId: bia.id, quantity: 1 });
  await refuseRequest(world.ctx, { ...own(eventId, bia), reply: "Só para alunos." });
  expect(await messages("event.request_refused", eventId)).toMatchObject([
    { personId: bia.id, reply: "Só para alunos." },
  ]);
  await expect(requestSeats(world.ctx, { eventId, personId: bia.id, quantity: 1 })).rejects.toThrow(
    "não foi aprovado",
  );
  const seen = await eventFor(world.ctx, { eventId, viewerId: bia.id });
  expect(seen?.request).toMatchObject({ status: "refused", reply: "Só para alunos." });
  await approveRequest(world.ctx, own(eventId, bia));
  expect(await seatsOf(eventId, bia)).toBe(1);
});

test("answers go with the request to the seat, and a withdrawn request leaves none", async () => {
  const eventId = await approving();
  const [bia, caio] = [await fan(), await fan()];
  const { questionId } = await addQuestion(world.ctx, {
    eventId,
    creatorId: ana.id,
    scope: "one",
    text: "Por quê?",
    kind: "long",
    options: [],
    isRequired: true,
  });
  const asked = (person: TestPerson) => ({ eventId, personId: person.id, quantity: 1 });
  await expect(requestSeats(world.ctx, asked(bia))).rejects.toThrow("Responda a esta pergunta.");
  const answers = [{ id: questionId, question: "Por quê?", values: ["Porque sim."] }];
  for (const person of [bia, caio]) await requestSeats(world.ctx, { ...asked(person), answers });
  const list = { eventId, creatorId: ana.id, status: "waiting", cursor: null, limit: 10 } as const;
  expect((await requestsOf(world.ctx, list)).items.map((one) => one.answers)).toEqual([
    answers,
    answers,
  ]);
  await withdrawRequest(world.ctx, asked(caio));
  await approveRequest(world.ctx, own(eventId, bia));
  expect((await ticketsOf(world.ctx, asked(bia)))[0]?.answers).toEqual(answers);
  const rows = await world.ctx.db
    .select({ personId: eventAnswers.personId })
    .from(eventAnswers)
    .where(eq(eventAnswers.eventId, eventId));
  expect(rows).toEqual([{ personId: bia.id }]);
});

test("requests end with the event, at its start, and by a block; others' events are not answered", async () => {
  const startsAt = world.ctx.now() + DAY_MS;
  const [canceled, started] = [await approving(), await approving({ startsAt })];
  const [bia, caio] = [await fan(), await fan()];
  for (const eventId of [canceled, started])
    for (const { id: personId } of [bia, caio])
      await requestSeats(world.ctx, { eventId, personId, quantity: 1 });
  const other = await createSeller(world.ctx);
  await expect(
    approveRequest(world.ctx, { ...own(started, bia), creatorId: other.id }),
  ).rejects.toThrow("Não encontramos este evento.");
  await cancelEvent(world.ctx, { eventId: canceled, creatorId: ana.id });
  expect(await waitingRequests(world.ctx, { eventId: canceled })).toBe(0);
  expect(await messages("event.canceled", canceled)).toHaveLength(2);
  await block(world.ctx, { personId: ana.id, otherId: caio.id });
  const left = await world.ctx.db
    .select({ personId: eventRequests.personId })
    .from(eventRequests)
    .where(eq(eventRequests.eventId, started));
  expect(left).toEqual([{ personId: bia.id }]);
  await world.advance(DAY_MS);
  await expect(approveRequest(world.ctx, own(started, bia))).rejects.toThrow("já começou");
});
