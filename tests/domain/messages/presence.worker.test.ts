import { beforeAll, expect, test } from "vitest";
import {
  changeConversation,
  saveMessageSettings,
} from "#app/domain/messages/commands/members.server.ts";
import { isOtherPresent, sendTyping } from "#app/domain/messages/commands/typing.server.ts";
import { ConversationNotFound } from "#app/domain/messages/errors.ts";
import { conversationWith } from "#app/domain/messages/queries.server.ts";
import { inboxTopic } from "#app/domain/messages/rules.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});
const { open, write } = messageHelpers(() => world);

type Shown = { showsReads?: boolean; showsPresence?: boolean };
const choose = (person: TestPerson, shown: Shown) =>
  saveMessageSettings(world.ctx, {
    personId: person.id,
    writers: "everyone",
    writerPlanIds: [],
    showsReads: true,
    showsPresence: true,
    ...shown,
  });

/** Whether the page of `other` is told that `person` is typing. */
async function isTypingShown(person: TestPerson, other: TestPerson, id: string) {
  world.changedTopics.length = 0;
  await sendTyping(world.ctx, { conversationId: id, personId: person.id });
  return world.changedTopics.includes(`${inboxTopic(other.id)} typing ${id}`);
}

async function isHereShown(person: TestPerson, other: TestPerson, id: string) {
  world.listeningTopics.add(inboxTopic(other.id));
  const isPresent = await isOtherPresent(world.ctx, { conversationId: id, personId: person.id });
  world.listeningTopics.clear();
  return isPresent;
}

const readShownTo = async (person: TestPerson, id: string) =>
  (await conversationWith(world.ctx, { conversationId: id, personId: person.id, limit: 1 }))?.head
    .otherReadSeq;

test("typing and presence are shown in an accepted conversation, and to no outsider", async () => {
  const [bia, eve] = [await createPerson(world.ctx, "Bia"), await createPerson(world.ctx, "Eva")];
  const id = await open(bia, ana);
  for (const [one, other] of [
    [bia, ana],
    [ana, bia],
  ] as const) {
    expect(await isTypingShown(one, other, id)).toBe(true);
    expect(await isHereShown(one, other, id)).toBe(true);
    expect(await isOtherPresent(world.ctx, { conversationId: id, personId: one.id })).toBe(false);
  }
  const outside = { conversationId: id, personId: eve.id };
  await expect(sendTyping(world.ctx, outside)).rejects.toThrow(ConversationNotFound);
  await expect(isOtherPresent(world.ctx, outside)).rejects.toThrow(ConversationNotFound);
  await block(world.ctx, { personId: bia.id, otherId: ana.id });
  const blocked = { conversationId: id, personId: ana.id };
  await expect(isOtherPresent(world.ctx, blocked)).rejects.toThrow(ConversationNotFound);
});

test("a request shows neither to either side, until it is accepted", async () => {
  const bia = await createPerson(world.ctx, "Bia");
  const { conversationId: id } = await write(bia, ana);
  expect(await isTypingShown(bia, ana, id)).toBe(false);
  expect(await isTypingShown(ana, bia, id)).toBe(false);
  expect([await isHereShown(bia, ana, id), await isHereShown(ana, bia, id)]).toEqual([
    false,
    false,
  ]);
  await changeConversation(world.ctx, { conversationId: id, personId: ana.id, act: "accept" });
  expect(await isHereShown(bia, ana, id)).toBe(true);
});

test.each(["the one who hides it", "the other one"])(
  "who hides presence sees none either: %s",
  async (who) => {
    const bia = await createPerson(world.ctx, "Bia");
    const id = await open(bia, ana);
    await choose(bia, { showsPresence: false });
    const [one, other] = who === "the other one" ? [ana, bia] : [bia, ana];
    expect(await isTypingShown(one, other, id)).toBe(false);
    expect(await isHereShown(one, other, id)).toBe(false);
    await choose(bia, {});
    expect(await isHereShown(one, other, id)).toBe(true);
  },
);

test("who hides read marks sees none either", async () => {
  const bia = await createPerson(world.ctx, "Bia");
  const id = await open(bia, ana);
  await write(ana, bia, "Oi!");
  await changeConversation(world.ctx, { conversationId: id, personId: bia.id, act: "read" });
  expect([await readShownTo(ana, id), await readShownTo(bia, id)]).toEqual([2, 2]);
  await choose(bia, { showsReads: false });
  expect([await readShownTo(ana, id), await readShownTo(bia, id)]).toEqual([null, null]);
  await choose(bia, {});
  expect(await readShownTo(ana, id)).toBe(2);
});
