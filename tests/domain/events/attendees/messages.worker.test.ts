import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { cancelEvent } from "#app/domain/events/commands.server.ts";
import { messageAttendees } from "#app/domain/events/attendees/commands/messages.server.ts";
import {
  joinWaitingList,
  leaveWaitingList,
  takeSeats,
} from "#app/domain/events/seats/commands.server.ts";
import {
  NobodyComes,
  TooManyEventMessages,
  TooManyListChanges,
} from "#app/domain/events/errors.ts";
import { eventNotifications } from "#app/domain/events/rules/notifications.ts";
import { deletionPreview } from "#app/domain/deletion/queries/preview.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { publishedEvent } from "#tests/support/events.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: TestPerson;
beforeAll(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
});

const send = (eventId: string, messageId: string) =>
  messageAttendees(world.ctx, { eventId, creatorId: ana.id, messageId, text: "Tragam água." });

test("a message reaches everybody with a seat once, however often its form is sent, and nobody else", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { maxPerPerson: 2 });
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  await expect(send(eventId, "a".repeat(32))).rejects.toThrow(NobodyComes);
  await takeSeats(ctx, { eventId, personId: bia.id, quantity: 2 });
  await takeSeats(ctx, { eventId, personId: caio.id, quantity: 1 });
  await Promise.all([send(eventId, "b".repeat(32)), send(eventId, "b".repeat(32))]);
  const told = await ctx.db.all<{ person: string }>(
    sql`SELECT json_extract(payload, '$.personId') AS person FROM outbox WHERE type = 'event.message_sent' AND json_extract(payload, '$.eventId') = ${eventId}`,
  );
  expect(told.map(({ person }) => person).toSorted()).toEqual([bia.id, caio.id].toSorted());
  for (const key of ["c", "d", "e"]) await send(eventId, key.repeat(32));
  await expect(send(eventId, "f".repeat(32))).rejects.toThrow(TooManyEventMessages);
  await cancelEvent(ctx, { eventId, creatorId: ana.id });
  await expect(send(eventId, "1".repeat(32))).rejects.toThrow("foi cancelado");
});

test("a long message is whole in its email, and one line in the list", () => {
  const text = `${"Tragam água. ".repeat(40)}\nAté lá.`;
  const rendered = eventNotifications["event.message_sent"]({
    type: "event.message_sent",
    personId: "bia",
    eventId: "roda",
    eventTitle: "Roda",
    creatorId: "ana",
    creatorName: "Ana",
    text,
  });
  const told = JSON.stringify(rendered);
  expect(told).toContain("Ana, sobre “Roda”: Tragam água. Tragam");
  expect(told).toContain("…");
  expect(told).toContain("Até lá.");
});

test("joining lists has a limit an hour, which says so and passes", async () => {
  const { ctx } = world;
  const eventId = await publishedEvent(ctx, ana, { capacity: 1 });
  const [bia, caio] = [await createPerson(ctx, "Bia"), await createPerson(ctx, "Caio")];
  await takeSeats(ctx, { eventId, personId: bia.id, quantity: 1 });
  const who = { eventId, personId: caio.id };
  for (let times = 0; times < 60; times += 1) {
    await joinWaitingList(ctx, { ...who, quantity: 1 });
    await leaveWaitingList(ctx, who);
  }
  await expect(joinWaitingList(ctx, { ...who, quantity: 1 })).rejects.toThrow(TooManyListChanges);
  await world.advance(HOUR_MS);
  await joinWaitingList(ctx, { ...who, quantity: 1 });
});

test("who asks to be deleted reads what becomes of their events and seats", async () => {
  const { ctx } = world;
  const [dora, bia] = [await createSeller(ctx), await createPerson(ctx, "Bia")];
  const eventId = await publishedEvent(ctx, dora);
  await takeSeats(ctx, { eventId, personId: bia.id, quantity: 1 });
  const preview = (person: TestPerson) =>
    deletionPreview(ctx, { personId: person.id, dueAt: ctx.now() });
  expect(await preview(dora)).toMatchObject({ eventsCount: 1, seatsCount: 0 });
  expect(await preview(bia)).toMatchObject({ eventsCount: 0, seatsCount: 1 });
});
