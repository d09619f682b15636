import { beforeAll, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { changeConversation } from "#app/domain/messages/commands/members.server.ts";
import { messageStatements } from "#app/domain/messages/commands/statements.server.ts";
import { NOTIFY_AFTER_MS } from "#app/domain/messages/rules.ts";
import { memberNotifications } from "#app/domain/notifications/queries.server.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { paidTip } from "#tests/support/tips.ts";

let world: World;
beforeAll(async () => {
  world = await testContext();
});
const { open, write } = messageHelpers(() => world);
const notified = async (person: { id: string }) =>
  (
    await memberNotifications(world.ctx, { personId: person.id, cursor: null, limit: 20 })
  ).items.flatMap(({ kind, body, path }) =>
    kind === "conversation.unread" ? [`${body} ${path}`] : [],
  );

test("unread messages of a conversation are notified of once, together, until they are read", async () => {
  const ana = await createSeller(world.ctx);
  const bia = await createPerson(world.ctx, "Bia");
  const id = await open(bia, ana);
  await write(ana, bia, "um");
  await write(ana, bia, "dois");
  await world.tick();
  expect(await notified(bia)).toEqual([]);
  await world.advance(NOTIFY_AFTER_MS);
  await world.tick();
  await world.tick();
  expect(await notified(bia)).toEqual([`2 mensagens novas de Ana Lira. /messages/${id}`]);
  await write(ana, bia, "três");
  await world.advance(NOTIFY_AFTER_MS);
  await world.tick();
  expect(await notified(bia)).toHaveLength(1);
  await changeConversation(world.ctx, { conversationId: id, personId: bia.id, act: "read" });
  await write(ana, bia, "quatro");
  await world.advance(NOTIFY_AFTER_MS);
  await world.tick();
  await world.tick();
  expect((await notified(bia))[0]).toBe(`1 mensagem nova de Ana Lira. /messages/${id}`);
});

test("a request, a muted conversation and one that was read in time are not", async () => {
  const ana = await createSeller(world.ctx);
  const [bia, caio] = [await createPerson(world.ctx, "Bia"), await createPerson(world.ctx, "Caio")];
  await write(caio, ana, "Posso?");
  const id = await open(bia, ana);
  await changeConversation(world.ctx, { conversationId: id, personId: bia.id, act: "mute" });
  await write(ana, bia, "um");
  const seen = await open(await createPerson(world.ctx, "Dora"), ana);
  await changeConversation(world.ctx, { conversationId: seen, personId: ana.id, act: "read" });
  await world.advance(NOTIFY_AFTER_MS);
  await world.tick();
  await world.tick();
  expect([await notified(ana), await notified(bia)]).toEqual([[], []]);
});

test("a message after an unread tip is notified of, once", async () => {
  const ana = await createSeller(world.ctx);
  const bia = await createPerson(world.ctx, "Bia");
  const id = await open(bia, ana);
  await changeConversation(world.ctx, { conversationId: id, personId: ana.id, act: "read" });
  await paidTip(world, bia, ana);
  await world.tick();
  await write(bia, ana, "Recebeu?");
  await world.advance(NOTIFY_AFTER_MS);
  await world.tick();
  await world.tick();
  expect(await notified(ana)).toEqual([`2 mensagens novas de Bia. /messages/${id}`]);
  await write(bia, ana, "E agora?");
  await world.advance(NOTIFY_AFTER_MS);
  await world.tick();
  expect(await notified(ana)).toHaveLength(1);
});

test("a message after an unread note or broadcast, which nobody typed, is notified of", async () => {
  const ana = await createSeller(world.ctx);
  for (const key of ["welcome:1", "broadcast:1"]) {
    const fan = await createPerson(world.ctx, `Fã ${key}`);
    const id = await open(fan, ana);
    await commit(
      world.ctx.db,
      messageStatements(world.ctx, {
        conversationId: id,
        personId: ana.id,
        writtenById: null,
        text: "Para todos",
        clientMessageId: key,
        origin: "automatic",
      }),
    );
    await write(ana, fan, "Só para você");
    await world.advance(NOTIFY_AFTER_MS);
    await world.tick();
    await world.tick();
    expect(await notified(fan)).toHaveLength(1);
  }
});
