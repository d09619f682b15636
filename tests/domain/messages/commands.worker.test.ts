import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { eraseOwnedData } from "#app/domain/deletion/commands/erase.server.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import {
  changeConversation,
  saveMessageSettings,
} from "#app/domain/messages/commands/members.server.ts";
import {
  deleteMessage,
  editMessage,
  reactToMessage,
} from "#app/domain/messages/commands/messages.server.ts";
import {
  CannotWrite,
  ConversationNotFound,
  MessageEditWindowOver,
  MessageNotFound,
  TooManyConversations,
  TooManyMessageChanges,
  TooManyMessages,
} from "#app/domain/messages/errors.ts";
import { requestCountStatement } from "#app/domain/messages/queries/conversations.server.ts";
import { conversationWith, messagesOf } from "#app/domain/messages/queries.server.ts";
import { MESSAGE_EDIT_WINDOW_MS } from "#app/domain/messages/rules.ts";
import { LIST_FILTERS } from "#app/domain/messages/schema.ts";
import type { ConversationAct, MessageSettings } from "#app/domain/messages/schema.ts";
import { block, unblock } from "#app/domain/profiles/commands.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { conversations } from "#drizzle/schema/messages.ts";
import { follows as followRows } from "#drizzle/schema/profiles.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

const OPEN_SETTINGS: MessageSettings = {
  writers: "everyone",
  writerPlanIds: [],
  showsReads: true,
  showsPresence: true,
};

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});

const { write, open, listed, read, follows } = messageHelpers(() => world);
const newcomer = (name = "Bia") => createPerson(world.ctx, name);
const change = (person: { id: string }, conversationId: string, act: ConversationAct) =>
  changeConversation(world.ctx, { conversationId, personId: person.id, act });
const settings = (person: { id: string }, chosen: Partial<MessageSettings>) =>
  saveMessageSettings(world.ctx, { personId: person.id, ...OPEN_SETTINGS, ...chosen });
const texts = async (person: { id: string }, id: string) =>
  (await read(person, id)).map(({ seq, text }) => `${seq} ${text}`);

describe("sending", () => {
  test("starts one conversation a pair, whoever writes first, also at once", async () => {
    const bia = await newcomer();
    await follows(bia, ana);
    const [one, other] = await Promise.all([write(bia, ana, "Oi"), write(ana, bia, "Olá")]);
    expect(other.conversationId).toBe(one.conversationId);
    expect([one.seq, other.seq].toSorted()).toEqual([1, 2]);
    expect(
      await world.ctx.db
        .select()
        .from(conversations)
        .where(eq(conversations.id, one.conversationId)),
    ).toMatchObject([{ lastSeq: 2, revision: 2 }]);
  });

  test("the same message sent again, also at once, is stored once", async () => {
    const bia = await newcomer();
    const key = world.ctx.newId();
    const sent = await Promise.all([
      write(bia, ana, "Oi", key),
      write(bia, ana, "Oi", key),
      write(bia, ana, "Oi", key),
    ]);
    sent.push(await write(bia, ana, "Oi", key));
    expect(new Set(sent.map(({ conversationId, seq }) => `${conversationId} ${seq}`)).size).toBe(1);
    expect(await texts(bia, sent[0]?.conversationId ?? "")).toEqual(["1 Oi"]);
  });

  test("tells the open pages of both people", async () => {
    const bia = await newcomer();
    world.changedTopics.length = 0;
    await write(bia, ana);
    expect(world.changedTopics.toSorted()).toEqual(
      [`inbox:${ana.id}`, `inbox:${bia.id}`].toSorted(),
    );
  });

  test("too many messages and conversations are refused until a time that is said", async () => {
    const bia = await newcomer();
    const id = await open(bia, ana);
    for (let count = 1; count < 20; count += 1) await write(bia, ana, `${count}`);
    const refused = write(bia, ana, "mais uma");
    await expect(refused).rejects.toThrow(TooManyMessages);
    await expect(refused).rejects.toThrow(/Tente de novo a partir de \d\d\/\d\d/);
    expect((await read(bia, id)).length).toBe(20);
    await world.advance(MINUTE_MS);
    expect((await write(bia, ana, "agora vai")).seq).toBe(21);
  });

  test("a person starts 20 conversations a day", async () => {
    const [bia, others] = [
      await newcomer(),
      await Promise.all(Array.from({ length: 21 }, () => newcomer())),
    ];
    for (const [index, other] of others.entries()) {
      await world.ctx.db.insert(followRows).values({
        followerId: other.id,
        creatorId: bia.id,
        createdAt: world.ctx.now(),
      });
      if (index % 10 === 9) await world.advance(MINUTE_MS);
      if (index < 20) await write(bia, other);
    }
    await expect(write(bia, others.at(-1) ?? bia)).rejects.toThrow(TooManyConversations);
  });

  test("an answer names a message of its own conversation only", async () => {
    const bia = await newcomer();
    const id = await open(bia, ana);
    const answer = (replyToSeq: number) =>
      sendMessage(world.ctx, {
        conversationId: id,
        personId: ana.id,
        writtenById: null,
        text: "Claro",
        clientMessageId: world.ctx.newId(),
        replyToSeq,
      });
    await answer(1);
    await answer(99);
    expect((await read(bia, id)).map(({ replyTo }) => replyTo)).toEqual([
      null,
      { seq: 1, text: "Oi", isOwn: true },
      null,
    ]);
  });
});

describe("requests", () => {
  test("a stranger's message waits in Pedidos, without a read mark, until it is accepted", async () => {
    const bia = await newcomer();
    const { conversationId: id } = await write(bia, ana, "Posso perguntar?");
    const inRequests = async () => (await listed(ana, "requests")).some((item) => item.id === id);
    const inInbox = async () => (await listed(ana)).some((item) => item.id === id);
    const mark = async () =>
      (await conversationWith(world.ctx, { conversationId: id, personId: bia.id, limit: 1 }))?.head
        .otherReadSeq;
    expect([await inRequests(), await inInbox()]).toEqual([true, false]);
    await change(ana, id, "read");
    expect(await mark()).toBeNull();
    await change(ana, id, "accept");
    expect([await inRequests(), await inInbox(), await mark()]).toEqual([false, true, 1]);
  });

  test("an acceptance tells the open pages of the sender too", async () => {
    const bia = await newcomer();
    const { conversationId } = await write(bia, ana);
    world.changedTopics.length = 0;
    await change(ana, conversationId, "accept");
    expect(world.changedTopics.toSorted()).toEqual(
      [`inbox:${ana.id}`, `inbox:${bia.id}`].toSorted(),
    );
  });

  test("an answer accepts", async () => {
    const bia = await newcomer();
    const { conversationId } = await write(bia, ana);
    await write(ana, bia, "Pode!");
    expect((await listed(ana)).map(({ id }) => id)).toContain(conversationId);
  });

  test("a refused one is in no list, and its sender sees the same as while it waits", async () => {
    const [bia, caio] = [await newcomer(), await newcomer("Caio")];
    const refused = await write(bia, ana);
    const waiting = await write(caio, ana);
    await change(ana, refused.conversationId, "refuse");
    for (const filter of ["inbox", "requests", "archived"] as const)
      expect((await listed(ana, filter)).map(({ id }) => id)).not.toContain(refused.conversationId);
    for (const [sender, { conversationId }] of [
      [bia, refused],
      [caio, waiting],
    ] as const) {
      await write(sender, ana, "dois");
      await write(sender, ana, "três");
      await expect(write(sender, ana, "quatro")).rejects.toMatchObject({
        problem: "waits_for_answer",
      });
      const seen = await conversationWith(world.ctx, {
        conversationId,
        personId: sender.id,
        limit: 1,
      });
      expect(seen?.head).toMatchObject({
        otherReadSeq: null,
        writingProblem: "waits_for_answer",
        box: "inbox",
      });
    }
  });

  test("the creator's choice holds, and the open conversation goes on", async () => {
    const creator = await createSeller(world.ctx);
    const [bia, caio] = [await newcomer(), await newcomer("Caio")];
    await open(bia, creator);
    await settings(creator, { writers: "nobody" });
    await expect(write(caio, creator)).rejects.toMatchObject({ problem: "nobody" });
    await write(bia, creator, "Ainda aqui");
    await settings(creator, { writers: "followers" });
    await expect(write(caio, creator)).rejects.toMatchObject({ problem: "followers_only" });
    await follows(caio, creator);
    await write(caio, creator);
  });

  test("a full request arrives in the inbox once its sender is followed back; a refused one does not", async () => {
    const creator = await createSeller(world.ctx);
    const [bia, caio] = [await newcomer(), await newcomer("Caio")];
    for (const fan of [bia, caio])
      for (const text of ["um", "dois", "três"]) await write(fan, creator, text);
    const [refused] = (await listed(creator, "requests")).filter(
      ({ other }) => other.id === caio.id,
    );
    await change(creator, refused?.id ?? "", "refuse");
    for (const fan of [bia, caio])
      await world.ctx.db.insert(followRows).values({
        followerId: creator.id,
        creatorId: fan.id,
        createdAt: world.ctx.now(),
      });
    const { conversationId: opened } = await write(bia, creator, "quatro");
    await expect(write(caio, creator, "quatro")).rejects.toMatchObject({
      problem: "waits_for_answer",
    });
    expect((await listed(creator)).map(({ id }) => id)).toEqual([opened]);
    expect(await listed(creator, "requests")).toEqual([]);
  });

  test("the count leaves out cleared requests, as the list does", async () => {
    const creator = await createSeller(world.ctx);
    const { conversationId } = await write(await newcomer(), creator);
    const count = async () =>
      (await requestCountStatement(world.ctx, { personId: creator.id }))[0]?.count;
    expect(await count()).toBe(1);
    await change(creator, conversationId, "clear");
    expect([await count(), await listed(creator, "requests")]).toEqual([0, []]);
  });

  test("somebody under 18 gets none", async () => {
    const young = await createSeller(world.ctx);
    await world.ctx.db
      .update(people)
      .set({ birthDate: "2010-05-05" })
      .where(eq(people.id, young.id));
    await expect(write(await newcomer(), young)).rejects.toThrow(CannotWrite);
  });
});

describe("one message", () => {
  test("is edited in its first 15 minutes, by its sender", async () => {
    const bia = await newcomer();
    const id = await open(bia, ana);
    const edit = (person: { id: string }, text: string) =>
      editMessage(world.ctx, { conversationId: id, seq: 1, personId: person.id, text });
    await edit(bia, "Oi, Ana");
    await expect(edit(ana, "x")).rejects.toThrow(MessageNotFound);
    expect(await read(ana, id)).toMatchObject([{ text: "Oi, Ana", isEdited: true, revision: 2 }]);
    await world.advance(MESSAGE_EDIT_WINDOW_MS);
    await expect(edit(bia, "tarde")).rejects.toThrow(MessageEditWindowOver);
  });

  test("is deleted for both, and leaves its place", async () => {
    const bia = await newcomer();
    const id = await open(bia, ana);
    await reactToMessage(world.ctx, { conversationId: id, seq: 1, personId: ana.id, emoji: "👍" });
    await expect(
      deleteMessage(world.ctx, { conversationId: id, seq: 1, personId: ana.id }),
    ).rejects.toThrow(MessageNotFound);
    await deleteMessage(world.ctx, { conversationId: id, seq: 1, personId: bia.id });
    await deleteMessage(world.ctx, { conversationId: id, seq: 1, personId: bia.id });
    await write(ana, bia, "Apagou?");
    expect(await read(ana, id)).toMatchObject([
      { seq: 1, text: "", isDeleted: true, reactions: [] },
      { seq: 2, text: "Apagou?" },
    ]);
    await expect(
      editMessage(world.ctx, { conversationId: id, seq: 1, personId: bia.id, text: "volta" }),
    ).rejects.toThrow(MessageNotFound);
  });

  test("has one reaction a person", async () => {
    const bia = await newcomer();
    const id = await open(bia, ana);
    const react = (person: { id: string }, emoji: "👍" | "❤️" | null) =>
      reactToMessage(world.ctx, { conversationId: id, seq: 1, personId: person.id, emoji });
    await react(ana, "👍");
    await react(ana, "❤️");
    await react(bia, "❤️");
    expect((await read(ana, id))[0]?.reactions).toEqual([{ emoji: "❤️", count: 2, isOwn: true }]);
    await react(ana, null);
    expect((await read(ana, id))[0]?.reactions).toEqual([{ emoji: "❤️", count: 1, isOwn: false }]);
  });

  test("edits, deletions and the buttons of a conversation have one limit", async () => {
    const bia = await newcomer();
    const id = await open(bia, ana);
    const edit = (text: string) =>
      editMessage(world.ctx, { conversationId: id, seq: 1, personId: bia.id, text });
    for (let count = 0; count < 30; count += 1) {
      await edit(`${count}`);
      await change(bia, id, count % 2 === 0 ? "mute" : "unmute");
    }
    await expect(edit("mais uma")).rejects.toThrow(TooManyMessageChanges);
    await expect(change(bia, id, "archive")).rejects.toThrow(/Tente de novo a partir de/);
    await expect(
      deleteMessage(world.ctx, { conversationId: id, seq: 1, personId: bia.id }),
    ).rejects.toThrow(TooManyMessageChanges);
    // A page that opens always reads.
    await change(bia, id, "read");
    await world.advance(MINUTE_MS);
    await edit("agora vai");
    expect(await texts(ana, id)).toEqual(["1 agora vai"]);
  });

  test("every change is found after the last seen revision, page by page", async () => {
    const bia = await newcomer();
    const id = await open(bia, ana);
    for (const text of ["a", "b", "c"]) await write(bia, ana, text);
    await editMessage(world.ctx, { conversationId: id, seq: 2, personId: bia.id, text: "A" });
    const seen: string[] = [];
    let changedAfter = 1;
    for (;;) {
      const page = await messagesOf(world.ctx, {
        conversationId: id,
        personId: ana.id,
        changedAfter,
        limit: 2,
      });
      if (page.length === 0) break;
      seen.push(...page.map(({ text }) => text));
      changedAfter = Math.max(...page.map(({ revision }) => revision));
    }
    expect(seen).toEqual(["b", "c", "A"]);
  });
});

describe("nobody else", () => {
  test("an outsider reads, changes and sends nothing", async () => {
    const [bia, eve] = [await newcomer(), await newcomer("Eva")];
    const id = await open(bia, ana);
    const outside = { conversationId: id, personId: eve.id };
    expect(await conversationWith(world.ctx, { ...outside, limit: 50 })).toBeNull();
    for (const range of [{}, { after: 0 }, { before: 99 }, { changedAfter: 0 }])
      expect(await messagesOf(world.ctx, { ...outside, ...range, limit: 50 })).toEqual([]);
    for (const act of ["read", "pin", "accept", "clear"] as const)
      await expect(change(eve, id, act)).rejects.toThrow(ConversationNotFound);
    const message = { ...outside, seq: 1 };
    await expect(editMessage(world.ctx, { ...message, text: "x" })).rejects.toThrow(
      MessageNotFound,
    );
    await expect(deleteMessage(world.ctx, message)).rejects.toThrow(MessageNotFound);
    await expect(reactToMessage(world.ctx, { ...message, emoji: "👍" })).rejects.toThrow(
      MessageNotFound,
    );
    await expect(
      sendMessage(world.ctx, {
        ...outside,
        writtenById: null,
        text: "x",
        clientMessageId: world.ctx.newId(),
      }),
    ).rejects.toThrow(ConversationNotFound);
    expect(await texts(ana, id)).toEqual(["1 Oi"]);
  });

  test("a block closes an open conversation both ways, and its end opens it again", async () => {
    const bia = await newcomer();
    const id = await open(bia, ana);
    await block(world.ctx, { personId: bia.id, otherId: ana.id });
    for (const person of [bia, ana]) {
      expect((await listed(person)).map((item) => item.id)).not.toContain(id);
      expect(
        await conversationWith(world.ctx, { conversationId: id, personId: person.id, limit: 9 }),
      ).toBeNull();
      expect(await read(person, id)).toEqual([]);
      await expect(change(person, id, "read")).rejects.toThrow(ConversationNotFound);
      await expect(
        reactToMessage(world.ctx, { conversationId: id, seq: 1, personId: person.id, emoji: "👍" }),
      ).rejects.toThrow(MessageNotFound);
    }
    await expect(write(bia, ana)).rejects.toThrow(CannotWrite);
    await expect(write(ana, bia)).rejects.toThrow(CannotWrite);
    await unblock(world.ctx, { personId: bia.id, otherId: ana.id });
    await write(ana, bia, "Voltou");
    expect(await texts(bia, id)).toEqual(["1 Oi", "2 Voltou"]);
  });

  test("a blocked person who deletes the account stays out of the blocker's lists", async () => {
    const creator = await createSeller(world.ctx);
    const bia = await newcomer();
    const id = await open(bia, creator);
    await block(world.ctx, { personId: creator.id, otherId: bia.id });
    expect(await eraseOwnedData(world.ctx, { personId: bia.id })).toBe(true);
    for (const filter of LIST_FILTERS)
      expect((await listed(creator, filter)).map((item) => item.id)).not.toContain(id);
  });

  test("a person who blocked and deletes the account stays out of the blocked one's lists", async () => {
    const creator = await createSeller(world.ctx);
    const bia = await newcomer();
    const id = await open(bia, creator);
    await block(world.ctx, { personId: bia.id, otherId: creator.id });
    expect(await eraseOwnedData(world.ctx, { personId: bia.id })).toBe(true);
    for (const filter of LIST_FILTERS)
      expect((await listed(creator, filter)).map((item) => item.id)).not.toContain(id);
  });
});
