import { beforeAll, describe, expect, test } from "vitest";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import {
  changeConversation,
  readConversation,
} from "#app/domain/messages/commands/members.server.ts";
import { CannotPin, TooManyPinned } from "#app/domain/messages/errors.ts";
import { conversationsOf } from "#app/domain/messages/queries/conversations.server.ts";
import type { ConversationAct } from "#app/domain/messages/schema.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
});

const { write, open, listed, read } = messageHelpers(() => world);
const newcomer = (name = "Bia") => createPerson(world.ctx, name);
const change = (person: { id: string }, conversationId: string, act: ConversationAct) =>
  changeConversation(world.ctx, { conversationId, personId: person.id, act });
const texts = async (person: { id: string }, id: string) =>
  (await read(person, id)).map(({ seq, text }) => `${seq} ${text}`);

describe("the list of a person", () => {
  test("counts what they did not read, and marks read and unread", async () => {
    const bia = await newcomer();
    const id = await open(bia, ana);
    await write(ana, bia, "um");
    await write(ana, bia, "dois");
    const own = async () => (await listed(bia)).find((item) => item.id === id);
    expect(await own()).toMatchObject({ unreadCount: 2, isUnread: true, lastText: "dois" });
    expect((await listed(bia, "unread")).map((item) => item.id)).toEqual([id]);
    await change(bia, id, "read");
    expect(await own()).toMatchObject({ unreadCount: 0, isUnread: false });
    await change(bia, id, "unread");
    expect(await own()).toMatchObject({ unreadCount: 0, isUnread: true });
    expect((await listed(ana)).find((item) => item.id === id)).toMatchObject({ unreadCount: 0 });
  });

  test("reading up to a message leaves a later one unread", async () => {
    const bia = await newcomer();
    const id = await open(bia, ana);
    const own = async () => (await listed(bia)).find((item) => item.id === id);
    await write(ana, bia, "um");
    await write(ana, bia, "dois");
    const upTo = (lastSeq: number) =>
      readConversation(world.ctx, {
        conversationId: id,
        personId: bia.id,
        otherId: ana.id,
        lastSeq,
      });
    await upTo(2);
    expect(await own()).toMatchObject({ unreadCount: 1, isUnread: true });
    await upTo(3);
    await upTo(2);
    expect(await own()).toMatchObject({ unreadCount: 0, isUnread: false });
  });

  test("archived comes back with a new message, unless it is muted", async () => {
    const [bia, caio] = [await newcomer(), await newcomer("Caio")];
    const [one, other] = [await open(bia, ana), await open(caio, ana)];
    await change(bia, one, "archive");
    await change(caio, other, "mute");
    await change(caio, other, "archive");
    expect((await listed(bia, "archived")).map(({ id }) => id)).toEqual([one]);
    await write(ana, bia);
    await write(ana, caio);
    expect((await listed(bia)).map(({ id }) => id)).toEqual([one]);
    expect((await listed(caio)).map(({ id }) => id)).toEqual([]);
  });

  test("has five pinned ones at most, before the latest", async () => {
    const creator = await createSeller(world.ctx);
    const ids: string[] = [];
    for (let count = 0; count < 7; count += 1) ids.push(await open(await newcomer(), creator));
    for (const id of ids.slice(0, 5)) await change(creator, id, "pin");
    await expect(change(creator, ids[5] ?? "", "pin")).rejects.toThrow(TooManyPinned);
    await change(creator, ids[0] ?? "", "pin");
    expect((await listed(creator)).map(({ isPinned }) => isPinned)).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  test("shows pinned ones once each, whatever the size of its pages", async () => {
    const creator = await createSeller(world.ctx);
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      await world.advance(1);
      ids.push(await open(await newcomer(), creator));
    }
    for (const id of ids.slice(0, 3)) await change(creator, id, "pin");
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof conversationsOf>> = await conversationsOf(world.ctx, {
        personId: creator.id,
        filter: "inbox",
        cursor,
        limit: 2,
      });
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    } while (cursor !== null && seen.length < 10);
    const [a, b, c, d, e] = ids;
    expect(seen).toEqual([c, b, a, e, d]);
  });

  test("pins nothing that is archived or a request", async () => {
    const creator = await createSeller(world.ctx);
    const { conversationId } = await write(await newcomer(), creator);
    await expect(change(creator, conversationId, "pin")).rejects.toThrow(CannotPin);
    await change(creator, conversationId, "accept");
    await change(creator, conversationId, "archive");
    await expect(change(creator, conversationId, "pin")).rejects.toThrow(CannotPin);
    await change(creator, conversationId, "unarchive");
    await change(creator, conversationId, "pin");
  });

  test("a cleared conversation is gone for its person only, until a new message", async () => {
    const bia = await newcomer();
    const id = await open(bia, ana);
    await change(bia, id, "clear");
    expect([await listed(bia), await texts(bia, id)]).toEqual([[], []]);
    expect(await texts(ana, id)).toEqual(["1 Oi"]);
    await sendMessage(world.ctx, {
      conversationId: id,
      personId: ana.id,
      writtenById: null,
      text: "De novo",
      clientMessageId: world.ctx.newId(),
      replyToSeq: 1,
    });
    expect(await texts(bia, id)).toEqual(["2 De novo"]);
    const answered = async (person: { id: string }) => (await read(person, id)).at(-1)?.replyTo;
    expect([await answered(bia), await answered(ana)]).toEqual([
      null,
      { seq: 1, text: "Oi", isOwn: false },
    ]);
  });
});
