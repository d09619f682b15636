import { beforeEach, describe, expect, test } from "vitest";
import { createBroadcast, scheduleBroadcast } from "#app/domain/broadcasts/commands.server.ts";
import { sendBroadcastPage } from "#app/domain/broadcasts/commands/send.server.ts";
import {
  changeConversation,
  saveMessageSettings,
} from "#app/domain/messages/commands/members.server.ts";
import { isOtherPresent } from "#app/domain/messages/commands/typing.server.ts";
import { CannotWrite } from "#app/domain/messages/errors.ts";
import { conversationWith } from "#app/domain/messages/queries.server.ts";
import type { WriterChoice } from "#app/domain/messages/rules.ts";
import { inboxTopic } from "#app/domain/messages/rules.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bia: TestPerson;
const { follows, listed, open, read, write } = messageHelpers(() => world);
beforeEach(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bia = await createPerson(world.ctx, "Bia");
  await follows(bia, ana);
});

async function broadcast(text = "Tem show!"): Promise<void> {
  const { ctx } = world;
  const id = await createBroadcast(ctx, {
    creatorId: ana.id,
    writtenById: null,
    segment: "followers",
    planIds: [],
    text,
  });
  await scheduleBroadcast(ctx, { id, creatorId: ana.id, sendAt: null });
  await sendBroadcastPage(ctx, { broadcastId: id });
}
const writtenBy = (writers: WriterChoice) =>
  saveMessageSettings(world.ctx, {
    personId: ana.id,
    writers,
    writerPlanIds: [],
    showsReads: true,
    showsPresence: true,
  });
const headOf = async (person: TestPerson, conversationId: string) =>
  (await conversationWith(world.ctx, { conversationId, personId: person.id, limit: 1 }))?.head;
const received = async (): Promise<string> => {
  const [item] = await listed(bia);
  if (!item) throw new Error("nothing arrived");
  return item.id;
};

describe("a broadcast opens nothing", () => {
  test("an answer needs what a first message needs, whatever was sent before", async () => {
    await writtenBy("subscribers");
    await broadcast();
    await expect(write(bia, ana, "Eu vou")).rejects.toThrow(CannotWrite);
    expect(await headOf(bia, await received())).toMatchObject({
      writingProblem: "subscribers_only",
    });
  });

  test("an answer of a stranger is a request, and accepting it opens the conversation", async () => {
    await broadcast();
    await write(bia, ana, "Eu vou");
    expect(await listed(ana)).toEqual([]);
    expect(await listed(ana, "requests")).toMatchObject([{ lastText: "Eu vou", unreadCount: 1 }]);
    await changeConversation(world.ctx, {
      conversationId: await received(),
      personId: ana.id,
      act: "accept",
    });
    expect(await listed(ana)).toMatchObject([{ lastText: "Eu vou" }]);
  });

  test("an answer of somebody whom the creator follows arrives in their inbox", async () => {
    const caio = await createSeller(world.ctx);
    await follows(caio, ana);
    await follows(ana, caio);
    await broadcast();
    await write(caio, ana, "Eu vou");
    expect(await listed(ana)).toMatchObject([{ lastText: "Eu vou" }]);
  });

  test("neither side sees whether the other is here or has read, until the creator writes", async () => {
    await broadcast();
    const conversationId = await received();
    world.listeningTopics.add(inboxTopic(ana.id));
    const present = () => isOtherPresent(world.ctx, { conversationId, personId: bia.id });
    expect(await present()).toBe(false);
    expect(await headOf(bia, conversationId)).toMatchObject({
      showsPresence: false,
      otherReadSeq: null,
    });
    expect(await headOf(ana, conversationId)).toMatchObject({ showsPresence: false });
    await write(ana, bia, "Você vem?");
    expect(await present()).toBe(true);
    await write(bia, ana, "Vou");
    expect(await listed(ana)).toMatchObject([{ lastText: "Vou" }]);
  });

  test("a request that the creator sent earlier stays one for its recipient", async () => {
    const caio = await createSeller(world.ctx);
    await follows(ana, caio);
    const { conversationId } = await write(ana, caio, "Oi, Caio");
    expect(await headOf(caio, conversationId)).toMatchObject({ box: "request" });
    await follows(caio, ana);
    await broadcast();
    expect((await read(caio, conversationId)).at(-1)?.text).toBe("Tem show!");
    expect(await headOf(caio, conversationId)).toMatchObject({
      box: "request",
      showsPresence: false,
    });
    expect(await headOf(ana, conversationId)).toMatchObject({ otherReadSeq: null });
  });

  test("no list shows its sender the conversation that it started", async () => {
    await broadcast();
    for (const filter of ["inbox", "unread", "requests", "archived"] as const)
      expect(await listed(ana, filter)).toEqual([]);
  });
});

describe("what waits for the creator", () => {
  test("counts only what the other side wrote, and none of their own broadcasts", async () => {
    const id = await open(bia, ana);
    await changeConversation(world.ctx, { conversationId: id, personId: ana.id, act: "read" });
    await write(bia, ana, "Quando é o show?");
    await write(bia, ana, "E onde?");
    await broadcast();
    expect(await listed(ana, "unread")).toMatchObject([{ id, unreadCount: 2 }]);
    expect(await listed(bia, "unread")).toMatchObject([{ id, unreadCount: 1 }]);
    expect((await read(ana, id)).length).toBe(4);
    await changeConversation(world.ctx, { conversationId: id, personId: ana.id, act: "read" });
    expect(await listed(ana, "unread")).toEqual([]);
    await write(bia, ana, "Obrigada");
    expect(await listed(ana, "unread")).toMatchObject([{ unreadCount: 1 }]);
  });
});
