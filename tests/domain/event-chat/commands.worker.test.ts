import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { deleteChatMessage } from "#app/domain/event-chat/commands.server.ts";
import {
  ChatMessageNotFound,
  ChatNotFound,
  ChatNotOpen,
  ChatTooFast,
  TooManyChatMessages,
} from "#app/domain/event-chat/errors.ts";
import { eventWithChat } from "#app/domain/event-chat/queries.server.ts";
import { chatTopic } from "#app/domain/event-chat/rules.ts";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { cancelEvent } from "#app/domain/events/commands.server.ts";
import { conversationsOf } from "#app/domain/messages/queries/conversations.server.ts";
import { notifyUnread } from "#app/domain/messages/commands/notify.server.ts";
import { banPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
import { events } from "#drizzle/schema/events.ts";
import { conversationMembers, conversations, messages } from "#drizzle/schema/messages.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { chatHelpers, eventWithVideo } from "#tests/support/event-chat.ts";
import { createModerator, createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bia: TestPerson;
let caio: TestPerson;
let outsider: TestPerson;
let eventId: string;
const { write, texts } = chatHelpers(() => world);

beforeEach(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
  bia = await createPerson(world.ctx, "Bia");
  caio = await createPerson(world.ctx, "Caio");
  outsider = await createPerson(world.ctx, "Eva");
  eventId = await eventWithVideo(world.ctx, ana, [bia, caio]);
});

test("who has a seat and who makes the event talk in one order, and the pages hear of it", async () => {
  await write(bia, eventId, "Cheguei");
  await write(ana, eventId, "Bem-vinda");
  await write(caio, eventId, "Eu também");
  const found = await eventWithChat(world.ctx, { eventId, viewerId: bia.id, limit: 50 });
  expect(
    found?.chat.messages.map(({ seq, text, isOwn, sender }) => [seq, text, isOwn, sender.role]),
  ).toEqual([
    [1, "Cheguei", true, "guest"],
    [2, "Bem-vinda", false, "host"],
    [3, "Eu também", false, "guest"],
  ]);
  expect(found?.chat.revision).toBe(3);
  expect(world.changedTopics.filter((topic) => topic === chatTopic(eventId))).toHaveLength(3);
});

test("a message sent twice is stored once, and many at once get seqs without a gap", async () => {
  const key = world.ctx.newId();
  const [one, again] = [await write(bia, eventId, "Oi", key), await write(bia, eventId, "Oi", key)];
  expect(again).toEqual(one);
  await Promise.all(
    [bia, caio, ana].flatMap((person) => [1, 2, 3].map((at) => write(person, eventId, `${at}`))),
  );
  const rows = await world.ctx.db
    .select({ seq: messages.seq })
    .from(messages)
    .where(eq(messages.conversationId, eventId));
  expect(rows.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 10 }, (_, at) => at + 1),
  );
});

test("who has no seat, or gave it back, reads and writes nothing", async () => {
  await write(bia, eventId, "Segredo");
  expect(await texts(outsider, eventId)).toEqual([]);
  await expect(write(outsider, eventId)).rejects.toThrow(ChatNotFound);
  await cancelSeats(world.ctx, { eventId, personId: caio.id });
  expect(await texts(caio, eventId)).toEqual([]);
  await expect(write(caio, eventId)).rejects.toThrow(ChatNotFound);
  expect(await texts(bia, eventId)).toEqual(["Segredo"]);
});

test("after 30 minutes, and once the event is canceled, it can be read and not written in", async () => {
  await write(bia, eventId, "Antes");
  const canceled = await eventWithVideo(world.ctx, ana, [bia]);
  await write(bia, canceled, "Antes");
  await cancelEvent(world.ctx, { eventId: canceled, creatorId: ana.id });
  await expect(write(bia, canceled)).rejects.toThrow(ChatNotOpen);
  world.advance(HOUR_MS + 19 * MINUTE_MS);
  await write(bia, eventId, "Na última hora");
  world.advance(MINUTE_MS);
  for (const person of [bia, ana]) {
    await expect(write(person, eventId)).rejects.toThrow(ChatNotOpen);
    expect(await texts(person, eventId)).toEqual(["Antes", "Na última hora"]);
  }
  expect(await texts(bia, canceled)).toEqual(["Antes"]);
});

test("a block hides the two from each other, and one by the creator closes the chat", async () => {
  await write(bia, eventId, "De Bia");
  await write(caio, eventId, "De Caio");
  await block(world.ctx, { personId: bia.id, otherId: caio.id });
  expect(await texts(bia, eventId)).toEqual(["De Bia"]);
  expect(await texts(caio, eventId)).toEqual(["De Caio"]);
  expect(await texts(ana, eventId)).toEqual(["De Bia", "De Caio"]);
  await block(world.ctx, { personId: ana.id, otherId: caio.id });
  expect(await texts(caio, eventId)).toBeNull();
  await expect(write(caio, eventId)).rejects.toThrow(ChatNotFound);
});

test("its writer deletes a message, and who makes the event any; nobody else does", async () => {
  const [one, two] = [await write(bia, eventId, "Um"), await write(caio, eventId, "Dois")];
  const remove = (person: { id: string }, seq: number) =>
    deleteChatMessage(world.ctx, { eventId, personId: person.id, seq });
  await expect(remove(bia, two.seq)).rejects.toThrow(ChatMessageNotFound);
  await expect(remove(outsider, one.seq)).rejects.toThrow(ChatMessageNotFound);
  await remove(bia, one.seq);
  await remove(ana, two.seq);
  await remove(ana, two.seq);
  expect(await texts(caio, eventId)).toEqual([null, null]);
  const changed = await eventWithChat(world.ctx, {
    eventId,
    viewerId: caio.id,
    changedAfter: 2,
    limit: 50,
  });
  expect(changed?.chat.messages.map(({ seq, isDeleted }) => [seq, isDeleted])).toEqual([
    [1, true],
    [2, true],
  ]);
});

test("what banned people wrote is shown to nobody", async () => {
  await write(caio, eventId, "Ofensa");
  const moderatorId = (await createModerator(world.ctx)).id;
  await banPerson(world.ctx, { moderatorId, personId: caio.id, reason: "Ofensas no chat." });
  expect(await texts(bia, eventId)).toEqual([]);
});

test("one person may write 15 messages a minute, and all together 50 in ten seconds", async () => {
  for (let count = 0; count < 15; count += 1) await write(bia, eventId);
  await expect(write(bia, eventId)).rejects.toThrow(TooManyChatMessages);
  world.advance(MINUTE_MS);
  const crowd = await Promise.all(
    Array.from({ length: 4 }, (_, at) => createPerson(world.ctx, `Fã ${at}`)),
  );
  const crowded = await eventWithVideo(world.ctx, ana, crowd);
  for (let count = 0; count < 50; count += 1) await write(crowd[count % 4] ?? bia, crowded);
  await expect(write(ana, crowded)).rejects.toThrow(ChatTooFast);
  world.advance(11_000);
  await write(ana, crowded);
});

test("a chat has no members, no list, no search row and no notification", async () => {
  await write(bia, eventId, "Rabeca");
  world.advance(5 * MINUTE_MS);
  await notifyUnread(world.ctx);
  const { db } = world.ctx;
  const [room] = await db.select().from(conversations).where(eq(conversations.id, eventId));
  expect(room).toMatchObject({ kind: "event", lastSeq: 1 });
  const members = eq(conversationMembers.conversationId, eventId);
  expect(await db.select().from(conversationMembers).where(members)).toEqual([]);
  const stored = await db.all(
    "SELECT 1 FROM searchable_messages s JOIN messages m ON m.id = s.message_id WHERE m.body = 'Rabeca'",
  );
  expect(stored).toEqual([]);
  const told = await db.select().from(outbox).where(eq(outbox.type, "conversation.unread"));
  expect(told).toEqual([]);
  for (const { id } of [ana, bia, caio]) {
    const list = await conversationsOf(world.ctx, {
      personId: id,
      filter: "inbox",
      cursor: null,
      limit: 9,
    });
    expect(list.items).toEqual([]);
  }
});

test("an event that is deleted takes its chat along, and no other", async () => {
  const other = await eventWithVideo(world.ctx, ana, [bia]);
  for (const id of [eventId, other]) await write(bia, id, "Oi");
  await world.ctx.db.delete(events).where(eq(events.id, eventId));
  const rooms = await world.ctx.db
    .select({ id: conversations.id })
    .from(conversations)
    .where(eq(conversations.kind, "event"));
  expect(rooms.map(({ id }) => id)).not.toContain(eventId);
  const left = await world.ctx.db
    .select({ seq: messages.seq })
    .from(messages)
    .where(eq(messages.conversationId, eventId));
  expect(left).toEqual([]);
  expect(await texts(bia, other)).toEqual(["Oi"]);
});
