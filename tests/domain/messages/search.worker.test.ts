import { beforeAll, expect, test } from "vitest";
import { commit } from "#app/db/client.server.ts";
import { changeConversation } from "#app/domain/messages/commands/members.server.ts";
import { deleteMessage, editMessage } from "#app/domain/messages/commands/messages.server.ts";
import { foundMessages, searchStatement } from "#app/domain/messages/queries/search.server.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { messages } from "#drizzle/schema/messages.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";

let world: World;
let ana: Seller;
let bia: TestPerson;
beforeAll(async () => {
  world = await testContext();
  ana = await createSeller(world.ctx);
  bia = await createPerson(world.ctx, "Bia");
});

const { open, write } = messageHelpers(() => world);
const find = async (person: { id: string }, query: string) =>
  foundMessages(
    await searchStatement(world.ctx, { personId: person.id, query, limit: 20 }),
    person.id,
  ).map(({ text }) => text);

test("finds words of own conversations without accents, newest first, and for nobody else", async () => {
  const id = await open(bia, ana);
  await write(bia, ana, "A música do São João");
  await write(ana, bia, "Que MUSICA linda");
  expect(await find(bia, "musica")).toEqual(["Que MUSICA linda", "A música do São João"]);
  expect(await find(ana, "músi")).toEqual(["Que MUSICA linda", "A música do São João"]);
  expect(await find(ana, "sao joao")).toEqual(["A música do São João"]);
  const eve = await createPerson(world.ctx, "Eva");
  for (const query of ["musica", `${ana.id}`, 'musica" OR "a', "body:musica", ""])
    expect(await find(eve, query)).toEqual([]);
  expect(await find(bia, ana.id)).toEqual([]);
  await editMessage(world.ctx, { conversationId: id, seq: 2, personId: bia.id, text: "Outra" });
  await deleteMessage(world.ctx, { conversationId: id, seq: 3, personId: ana.id });
  expect(await find(bia, "musica")).toEqual([]);
  expect(await find(bia, "outra")).toEqual(["Outra"]);
});

test("finds nothing that was cleared, refused or is across a block", async () => {
  const [caio, dora] = [
    await createPerson(world.ctx, "Caio"),
    await createPerson(world.ctx, "Dora"),
  ];
  const { conversationId } = await write(caio, ana, "Quero um berimbau");
  await changeConversation(world.ctx, { conversationId, personId: ana.id, act: "refuse" });
  expect([await find(ana, "berimbau"), await find(caio, "berimbau")]).toEqual([
    [],
    ["Quero um berimbau"],
  ]);
  await changeConversation(world.ctx, { conversationId, personId: caio.id, act: "clear" });
  expect(await find(caio, "berimbau")).toEqual([]);
  await open(dora, ana);
  await write(dora, ana, "Meu atabaque");
  await block(world.ctx, { personId: ana.id, otherId: dora.id });
  expect([await find(ana, "atabaque"), await find(dora, "atabaque")]).toEqual([[], []]);
});

test("finds an old message behind many newer ones of a refused conversation", async () => {
  const [caio, dora] = [
    await createPerson(world.ctx, "Caio"),
    await createPerson(world.ctx, "Dora"),
  ];
  await open(dora, ana);
  await write(dora, ana, "Meu cavaquinho");
  const { conversationId } = await write(caio, ana, "Meu cavaquinho");
  await changeConversation(world.ctx, { conversationId, personId: ana.id, act: "refuse" });
  const rows = Array.from({ length: 130 }, (_, index) =>
    world.ctx.db.insert(messages).values({
      id: world.ctx.newId(),
      conversationId,
      seq: index + 2,
      senderId: caio.id,
      body: "Outro cavaquinho",
      clientMessageId: `cavaquinho-${index}`,
      createdAt: world.ctx.now(),
    }),
  );
  await commit(world.ctx.db, rows);
  expect(await find(caio, "cavaquinho")).toHaveLength(20);
  expect(await find(ana, "cavaquinho")).toEqual(["Meu cavaquinho"]);
});
