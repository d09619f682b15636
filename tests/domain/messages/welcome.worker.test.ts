import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { deliverWelcomeNote } from "#app/domain/messages/commands.server.ts";
import { changeConversation } from "#app/domain/messages/commands/members.server.ts";
import { conversationWith } from "#app/domain/messages/queries.server.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

let world: World;
beforeAll(async () => {
  world = await testContext();
});
const { listed, open, read, write } = messageHelpers(() => world);

test("a plan's welcome note is the first message of a conversation, once, and can be answered", async () => {
  const ana = await createSeller(world.ctx);
  const bia = await createPerson(world.ctx, "Bia");
  await paidSubscription(world, bia, ana);
  await world.tick();
  const [item] = await listed(bia);
  expect(item).toMatchObject({
    other: { name: "Ana Lira" },
    lastText: "Que bom que você veio!",
    unreadCount: 1,
  });
  const started = await world.ctx.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(sql`${eq(outbox.type, "subscription.started")} AND INSTR(${outbox.payload}, ${bia.id})`);
  expect(started).toHaveLength(1);
  for (const { id } of [...started, ...started])
    await deliverWelcomeNote(world.ctx, { outboxId: id });
  await write(bia, ana, "Obrigada!");
  expect((await read(ana, item?.id ?? "")).map(({ seq, text }) => `${seq} ${text}`)).toEqual([
    "1 Que bom que você veio!",
    "2 Obrigada!",
  ]);
});

test("a welcome note reads nothing for the creator: a waiting question stays unread", async () => {
  const ana = await createSeller(world.ctx);
  const bia = await createPerson(world.ctx, "Bia");
  const id = await open(bia, ana);
  await write(ana, bia, "Oi!");
  await write(bia, ana, "Quando é o show?");
  await paidSubscription(world, bia, ana);
  await world.tick();
  expect((await read(bia, id)).at(-1)?.text).toBe("Que bom que você veio!");
  expect((await listed(ana, "unread")).map((item) => item.id)).toEqual([id]);
  const seen = await conversationWith(world.ctx, {
    conversationId: id,
    personId: bia.id,
    limit: 1,
  });
  expect(seen?.head.otherReadSeq).toBe(2);
});

test("a welcome note leaves a request refused and a conversation archived, and nothing of it is unread for the creator", async () => {
  const ana = await createSeller(world.ctx);
  const [bia, caio] = [await createPerson(world.ctx, "Bia"), await createPerson(world.ctx, "Caio")];
  const { conversationId: refused } = await write(bia, ana);
  const archived = await open(caio, ana);
  for (const [conversationId, act] of [
    [refused, "refuse"],
    [archived, "read"],
    [archived, "archive"],
  ] as const)
    await changeConversation(world.ctx, { conversationId, personId: ana.id, act });
  for (const fan of [bia, caio]) await paidSubscription(world, fan, ana);
  await world.tick();
  expect((await read(caio, archived)).length).toBe(2);
  expect(await listed(ana)).toEqual([]);
  expect(await listed(ana, "archived")).toMatchObject([{ id: archived, unreadCount: 0 }]);
});
