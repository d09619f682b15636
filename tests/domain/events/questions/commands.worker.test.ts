import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { eraseSeats } from "#app/domain/events/commands/erasure.server.ts";
import { chooseTickets, forgetAnswers } from "#app/domain/events/tickets/commands/orders.server.ts";
import { takeSeats } from "#app/domain/events/seats/commands.server.ts";
import { cancelEvent } from "#app/domain/events/commands.server.ts";
import { ordersWithUnpaidAnswers } from "#app/domain/events/queries/due.server.ts";
import { ticketsOf } from "#app/domain/events/queries.server.ts";
import { attendees } from "#app/domain/events/attendees/queries.server.ts";
import {
  addQuestion,
  removeQuestion,
  updateQuestion,
} from "#app/domain/events/questions/commands.server.ts";
import { answeredQuestions, questionsOf } from "#app/domain/events/questions/queries.server.ts";
import type { QuestionInput } from "#app/domain/events/questions/schema.ts";
import { createSeries } from "#app/domain/events/series/commands/dates.server.ts";
import { acceptTicket, offerTicket } from "#app/domain/events/transfers/commands.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { eventAnswers } from "#drizzle/schema/events-people.ts";
import { events, eventTransfers } from "#drizzle/schema/events.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { eventInput, paidTickets, publishedEvent, sellingEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bia: TestPerson;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
  bia = await createPerson(world.ctx, "Bia");
});

const INPUT: QuestionInput = {
  text: "Que instrumento?",
  kind: "short",
  options: [],
  isRequired: true,
};
const own = (eventId: string) => ({ eventId, creatorId: ana.id, scope: "one" as const });
const answer = (id: string, value: string, question = INPUT.text) => ({
  id,
  question,
  values: [value],
});

test("a seat without the required answer is refused beside its field, and takes nothing", async () => {
  const eventId = await publishedEvent(world.ctx, ana);
  const { questionId } = await addQuestion(world.ctx, { ...own(eventId), ...INPUT });
  const taking = takeSeats(world.ctx, { eventId, personId: bia.id, quantity: 1 });
  await expect(taking).rejects.toMatchObject({
    name: "QuestionUnanswered",
    field: `answer-${questionId}`,
  });
  expect(await ticketsOf(world.ctx, { eventId, personId: bia.id })).toEqual([]);
});

test("answers are with the ticket and in the creator's list, and stay as they were after an edit", async () => {
  const eventId = await publishedEvent(world.ctx, ana);
  const { questionId } = await addQuestion(world.ctx, { ...own(eventId), ...INPUT });
  const answers = [answer(questionId, "Rabeca")];
  await takeSeats(world.ctx, { eventId, personId: bia.id, quantity: 1, answers });
  await updateQuestion(world.ctx, {
    ...own(eventId),
    ...INPUT,
    questionId,
    text: "Traz o quê?",
    isRequired: false,
  });
  expect((await ticketsOf(world.ctx, { eventId, personId: bia.id }))[0]?.answers).toEqual(answers);
  await removeQuestion(world.ctx, { ...own(eventId), questionId });
  expect(await questionsOf(world.ctx, { eventId })).toEqual([]);
  const list = await attendees(world.ctx, {
    eventId,
    creatorId: ana.id,
    cursor: null,
    limit: 10,
  });
  expect(list.items.map((one) => one.answers)).toEqual([answers]);
  expect(await answeredQuestions(world.ctx, { eventId, creatorId: ana.id })).toEqual([
    { id: questionId, text: INPUT.text },
  ]);
});

test("a paid order is asked once: all its tickets have the answers, of the last choice only", async () => {
  const { eventId, kindId } = await sellingEvent(world.ctx, ana, { maxPerPerson: 3 });
  const { questionId } = await addQuestion(world.ctx, { ...own(eventId), ...INPUT });
  const choice = { eventId, kindId, personId: bia.id, quantity: 2 };
  await expect(chooseTickets(world.ctx, choice)).rejects.toThrow("Responda a esta pergunta.");
  await chooseTickets(world.ctx, { ...choice, answers: [answer(questionId, "Tuba")] });
  const answers = [answer(questionId, "Rabeca")];
  await paidTickets(world, bia, { eventId, kindId, quantity: 2, answers });
  const tickets = await ticketsOf(world.ctx, { eventId, personId: bia.id });
  expect(tickets.map((ticket) => ticket.answers)).toEqual([answers, answers]);
  const rows = await world.ctx.db
    .select()
    .from(eventAnswers)
    .where(eq(eventAnswers.eventId, eventId));
  expect(rows.map((row) => row.answers)).toEqual([answers]);
});

test("an event has ten questions at most, and others or a canceled event get none", async () => {
  const eventId = await publishedEvent(world.ctx, ana);
  for (let at = 0; at < 10; at += 1)
    await addQuestion(world.ctx, { ...own(eventId), ...INPUT, text: `Pergunta ${at}` });
  await expect(addQuestion(world.ctx, { ...own(eventId), ...INPUT })).rejects.toThrow(
    "até 10 perguntas",
  );
  expect((await questionsOf(world.ctx, { eventId })).map(({ text }) => text)).toEqual(
    Array.from({ length: 10 }, (_, at) => `Pergunta ${at}`),
  );
  const other = await createSeller(world.ctx);
  const theirs = { ...own(eventId), creatorId: other.id, questionId: "nenhuma" };
  await expect(removeQuestion(world.ctx, theirs)).rejects.toThrow("Não encontramos este evento.");
  await expect(
    removeQuestion(world.ctx, { ...own(eventId), questionId: "nenhuma" }),
  ).rejects.toThrow("Não encontramos esta pergunta.");
  await cancelEvent(world.ctx, { eventId, creatorId: ana.id });
  await expect(addQuestion(world.ctx, { ...own(eventId), ...INPUT })).rejects.toThrow(
    "foi cancelado",
  );
});

test("a question of a repeating event is for this date, this and the next, or all", async () => {
  const rule = { repeat: "daily" as const, weekdays: [], until: null, times: 4 };
  const { eventId } = await createSeries(world.ctx, {
    ...eventInput(world.ctx),
    creatorId: ana.id,
    rule,
  });
  const dates = await world.ctx.db
    .select({ id: events.id })
    .from(events)
    .where(
      sql`${events.seriesId} = (SELECT one.series_id FROM events one WHERE one.id = ${eventId})`,
    )
    .orderBy(events.startsAt);
  const [, second] = dates;
  if (!second) throw new Error("no second date");
  const asked = async () =>
    await Promise.all(
      dates.map(async ({ id }) =>
        (await questionsOf(world.ctx, { eventId: id })).map(({ text }) => text).join(),
      ),
    );
  const at = { eventId: second.id, creatorId: ana.id };
  await addQuestion(world.ctx, { ...at, ...INPUT, text: "esta", scope: "one" });
  const next = await addQuestion(world.ctx, { ...at, ...INPUT, text: "próximas", scope: "next" });
  await addQuestion(world.ctx, { ...at, ...INPUT, text: "todas", scope: "all" });
  expect(await asked()).toEqual([
    "todas",
    "esta,próximas,todas",
    "próximas,todas",
    "próximas,todas",
  ]);
  await updateQuestion(world.ctx, {
    ...at,
    ...INPUT,
    ...next,
    text: "mudada",
    scope: "all",
  });
  expect(await asked()).toEqual(["todas", "esta,mudada,todas", "mudada,todas", "mudada,todas"]);
  await removeQuestion(world.ctx, { ...at, ...next, scope: "next" });
  expect(await asked()).toEqual(["todas", "esta,todas", "todas", "todas"]);
});

test("who gets a ticket from somebody else does not get their answers", async () => {
  const eventId = await publishedEvent(world.ctx, ana);
  const [dora, eva] = [await createPerson(world.ctx, "Dora"), await createPerson(world.ctx, "Eva")];
  const { questionId } = await addQuestion(world.ctx, { ...own(eventId), ...INPUT });
  const answers = [answer(questionId, "Rabeca")];
  await takeSeats(world.ctx, { eventId, personId: dora.id, quantity: 1, answers });
  const [ticket] = await ticketsOf(world.ctx, { eventId, personId: dora.id });
  if (!ticket) throw new Error("no ticket");
  const passed = { eventId, personId: dora.id, seatId: ticket.seatId };
  await offerTicket(world.ctx, { ...passed, to: { username: eva.username } });
  const [transfer] = await world.ctx.db
    .select()
    .from(eventTransfers)
    .where(eq(eventTransfers.eventId, eventId));
  await acceptTicket(world.ctx, { key: transfer?.id ?? "", personId: eva.id });
  expect((await ticketsOf(world.ctx, { eventId, personId: eva.id }))[0]?.answers).toEqual([]);
});

test("answers of tickets that nobody pays are erased after a day, and the choice closes with them", async () => {
  const { ctx } = world;
  const { eventId, kindId } = await sellingEvent(ctx, ana, { startsAt: ctx.now() + 9 * DAY_MS });
  const { questionId } = await addQuestion(ctx, { ...own(eventId), ...INPUT });
  const buyer = await createPerson(ctx, "Davi");
  const answers = [answer(questionId, "Pífano")];
  const choice = { eventId, personId: buyer.id, kindId, quantity: 1, answers };
  const { orderId } = await chooseTickets(ctx, choice);
  const kept = () => ctx.db.select().from(eventAnswers).where(eq(eventAnswers.personId, buyer.id));
  const after = (ms: number) => ({ ...ctx, now: () => ctx.now() + ms });
  expect(await ordersWithUnpaidAnswers(after(DAY_MS - MINUTE_MS), { limit: 9 })).toEqual([]);
  await forgetAnswers(after(DAY_MS - MINUTE_MS), { orderId });
  expect(await kept()).toHaveLength(1);
  expect(await ordersWithUnpaidAnswers(after(DAY_MS), { limit: 9 })).toEqual([orderId]);
  await forgetAnswers(after(DAY_MS), { orderId });
  await forgetAnswers(after(DAY_MS), { orderId });
  expect(await kept()).toEqual([]);
  expect(await ordersWithUnpaidAnswers(after(DAY_MS), { limit: 9 })).toEqual([]);
  // Who still wants the ticket chooses and answers again.
  const again = await chooseTickets(ctx, choice);
  expect(again.orderId).not.toBe(orderId);
  expect(await kept()).toHaveLength(1);
  // The answers of a ticket that was paid stay.
  await paidTickets(world, buyer, choice);
  await forgetAnswers(after(2 * DAY_MS), again);
  expect(await kept()).toHaveLength(1);
});

test("answers are erased with their person, and with the event's creator", async () => {
  const eventId = await publishedEvent(world.ctx, ana);
  const { questionId } = await addQuestion(world.ctx, { ...own(eventId), ...INPUT });
  const gone = await createPerson(world.ctx, "Rui");
  const stays = await createPerson(world.ctx, "Lia");
  for (const person of [gone, stays])
    await takeSeats(world.ctx, {
      eventId,
      personId: person.id,
      quantity: 1,
      answers: [answer(questionId, "Rabeca")],
    });
  const left = async () =>
    (
      await world.ctx.db
        .select({ personId: eventAnswers.personId })
        .from(eventAnswers)
        .where(eq(eventAnswers.eventId, eventId))
    ).map(({ personId }) => personId);
  await eraseSeats(world.ctx, { personId: gone.id, limit: 10 });
  expect(await left()).toEqual([stays.id]);
  await eraseSeats(world.ctx, { personId: ana.id, limit: 50 });
  expect(await left()).toEqual([]);
});
