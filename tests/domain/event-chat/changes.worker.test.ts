import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { deleteChatMessage } from "#app/domain/event-chat/commands.server.ts";
import {
  ChatMessageNotFound,
  ChatNotOpen,
  ChatReactionsTooFast,
} from "#app/domain/event-chat/errors.ts";
import { eventWithChat } from "#app/domain/event-chat/queries.server.ts";
import { chatTopic } from "#app/domain/event-chat/rules.ts";
import { cancelSeats } from "#app/domain/events/commands/cancellation.server.ts";
import { MessageEditWindowOver, TooManyReactions } from "#app/domain/messages/errors.ts";
import { banPerson } from "#app/domain/moderation/commands/bans.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";
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
const { write, answer, react, edit, seen } = chatHelpers(() => world);

beforeEach(async () => {
  world = await testContext({ uncompletedFeatures: true });
  ana = await createSeller(world.ctx);
  bia = await createPerson(world.ctx, "Bia");
  caio = await createPerson(world.ctx, "Caio");
  outsider = await createPerson(world.ctx, "Eva");
  eventId = await eventWithVideo(world.ctx, ana, [bia, caio]);
});

const reactions = async (person: { id: string }, seq: number) =>
  (await seen(person, eventId, seq))?.reactions.map(
    ({ emoji, count, isOwn }) => `${emoji} ${count}${isOwn ? " own" : ""}`,
  );
const changedAfter = async (revision: number) => {
  const asked = { eventId, viewerId: caio.id, changedAfter: revision, limit: 50 };
  return (await eventWithChat(world.ctx, asked))?.chat.messages.map(({ seq }) => seq);
};

describe("a reaction in a chat", () => {
  test("is counted once a person, takes the place of the earlier one, and is taken back", async () => {
    await write(bia, eventId);
    world.changedTopics.length = 0;
    await react(bia, eventId, 1, "👍");
    await react(caio, eventId, 1, "❤️");
    await react(ana, eventId, 1, "👍");
    await react(ana, eventId, 1, "👍");
    expect(await reactions(ana, 1)).toEqual(["👍 2 own", "❤️ 1"]);
    expect(await reactions(caio, 1)).toEqual(["👍 2", "❤️ 1 own"]);
    await react(caio, eventId, 1, "👍");
    expect(await reactions(bia, 1)).toEqual(["👍 3 own"]);
    await react(bia, eventId, 1, null);
    await react(bia, eventId, 1, null);
    expect(await reactions(bia, 1)).toEqual(["👍 2"]);
    // Open pages hear of each, and read the message anew.
    expect(world.changedTopics).toEqual(Array<string>(7).fill(chatTopic(eventId)));
    expect(await changedAfter(1)).toEqual([1]);
  });

  test("goes with its message, and none comes to a deleted one", async () => {
    await write(bia, eventId);
    await react(caio, eventId, 1, "😂");
    await deleteChatMessage(world.ctx, { eventId, personId: bia.id, seq: 1 });
    expect(await reactions(caio, 1)).toEqual([]);
    await expect(react(caio, eventId, 1, "😂")).rejects.toThrow(ChatMessageNotFound);
    const left = await world.ctx.db.all(
      sql`SELECT 1 FROM message_reactions r JOIN messages m ON m.id = r.message_id WHERE m.conversation_id = ${eventId}`,
    );
    expect(left).toEqual([]);
  });

  test("is limited to 60 a minute of one person, and to 50 in ten seconds of all", async () => {
    await write(bia, eventId);
    for (let count = 0; count < 50; count += 1)
      await react([bia, caio][count % 2] ?? bia, eventId, 1, count % 4 < 2 ? "👍" : "😮");
    await expect(react(ana, eventId, 1, "👍")).rejects.toThrow(ChatReactionsTooFast);
    for (let count = 0; count < 35; count += 1) {
      if (count === 0 || count === 30) world.advance(11_000);
      await react(bia, eventId, 1, count % 2 ? "👍" : "😮");
    }
    await expect(react(bia, eventId, 1, "🙏")).rejects.toThrow(TooManyReactions);
    await react(caio, eventId, 1, "🙏");
  });
});

describe("an answer in a chat", () => {
  test("quotes the message and who wrote it, and nothing once that is deleted", async () => {
    await write(bia, eventId, "Que arco é esse?");
    await answer(ana, eventId, 1, "De pernambuco.");
    expect(await seen(bia, eventId, 2)).toMatchObject({
      text: "De pernambuco.",
      replyTo: { seq: 1, text: "Que arco é esse?", name: "Bia", isOwn: true },
    });
    expect((await seen(caio, eventId, 2))?.replyTo?.isOwn).toBe(false);
    await deleteChatMessage(world.ctx, { eventId, personId: bia.id, seq: 1 });
    expect((await seen(caio, eventId, 2))?.replyTo).toMatchObject({ seq: 1, text: "" });
    await answer(bia, eventId, 99, "Sozinha");
    expect(await seen(bia, eventId, 3)).toMatchObject({ text: "Sozinha", replyTo: null });
  });

  test("shows no words of somebody who is blocked or banned", async () => {
    await write(bia, eventId, "Segredo");
    await answer(ana, eventId, 1, "Pois é");
    await block(world.ctx, { personId: bia.id, otherId: caio.id });
    expect((await seen(caio, eventId, 2))?.replyTo).toBeNull();
    expect((await seen(ana, eventId, 2))?.replyTo?.text).toBe("Segredo");
    const moderatorId = (await createModerator(world.ctx)).id;
    await banPerson(world.ctx, { moderatorId, personId: bia.id, reason: "Ofensas no chat." });
    expect((await seen(ana, eventId, 2))?.replyTo).toBeNull();
  });
});

describe("an edit in a chat", () => {
  test("changes the writer's own text for 15 minutes, and says so", async () => {
    await write(bia, eventId, "Rabeka");
    await edit(bia, eventId, 1, "Rabeca");
    expect(await seen(caio, eventId, 1)).toMatchObject({ text: "Rabeca", isEdited: true });
    expect(await changedAfter(1)).toEqual([1]);
    for (const person of [caio, ana])
      await expect(edit(person, eventId, 1, "Outra")).rejects.toThrow(ChatMessageNotFound);
    world.advance(15 * MINUTE_MS);
    await expect(edit(bia, eventId, 1, "Tarde")).rejects.toThrow(MessageEditWindowOver);
    await deleteChatMessage(world.ctx, { eventId, personId: bia.id, seq: 1 });
    await expect(edit(bia, eventId, 1, "Apagada")).rejects.toThrow(ChatMessageNotFound);
  });
});

test("who has no seat, or gave it back, and a closed chat change nothing", async () => {
  await write(bia, eventId, "Oi");
  await write(caio, eventId, "Também");
  await cancelSeats(world.ctx, { eventId, personId: caio.id });
  for (const person of [outsider, caio]) {
    await expect(react(person, eventId, 1, "👍")).rejects.toThrow(ChatMessageNotFound);
    await expect(edit(person, eventId, 2, "Mudei")).rejects.toThrow(ChatMessageNotFound);
  }
  world.advance(HOUR_MS + 20 * MINUTE_MS);
  await expect(react(bia, eventId, 1, "👍")).rejects.toThrow(ChatNotOpen);
  await expect(edit(bia, eventId, 1, "Tarde")).rejects.toThrow(ChatNotOpen);
  expect(await seen(bia, eventId, 1)).toMatchObject({ text: "Oi", reactions: [] });
  expect(await seen(bia, eventId, 2)).toMatchObject({ text: "Também" });
});
