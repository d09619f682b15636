import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { deliverTipLine } from "#app/domain/messages/commands.server.ts";
import { deleteMessage, editMessage } from "#app/domain/messages/commands/messages.server.ts";
import { saveMessageSettings } from "#app/domain/messages/commands/members.server.ts";
import { CannotWrite, MessageNotFound } from "#app/domain/messages/errors.ts";
import { REQUEST_MESSAGES_MAX, tipText } from "#app/domain/messages/rules.ts";
import { SubjectNotFound } from "#app/domain/moderation/reports/errors.ts";
import { messageSubjectId } from "#app/domain/moderation/reports/rules/subjects.ts";
import { block } from "#app/domain/profiles/commands.server.ts";
import { outbox } from "#drizzle/schema/outbox.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { reported } from "#tests/support/reports.ts";
import { paidTip, TIP_CENTS } from "#tests/support/tips.ts";

let world: World;
beforeAll(async () => {
  world = await testContext();
});
const { listed, open, read, write } = messageHelpers(() => world);

async function givenTipKey(payerId: string): Promise<string> {
  const [row] = await world.ctx.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(sql`${outbox.type} = 'tip.given' AND INSTR(${outbox.payload}, ${payerId})`);
  if (!row) throw new Error("no tip");
  return row.id;
}

test("a paid tip is one line of the conversation, for both sides, and nobody edits or deletes it", async () => {
  const ana = await createSeller(world.ctx);
  const bia = await createPerson(world.ctx, "Bia");
  const id = await open(bia, ana);
  await paidTip(world, bia, ana);
  await world.tick();
  const outboxId = await givenTipKey(bia.id);
  await deliverTipLine(world.ctx, { outboxId });
  for (const person of [ana, bia])
    expect((await read(person, id)).map(({ text, tipCents }) => [text, tipCents])).toEqual([
      ["Oi", null],
      ["", TIP_CENTS],
    ]);
  expect(await listed(ana)).toMatchObject([{ lastText: tipText(TIP_CENTS), isUnread: true }]);
  const subject = {
    kind: "message",
    id: messageSubjectId({ conversationId: id, seq: 2 }),
  } as const;
  await expect(reported(world.ctx, ana, { subject, reason: "harassment" })).rejects.toBeInstanceOf(
    SubjectNotFound,
  );
  const line = { conversationId: id, seq: 2, personId: bia.id };
  await expect(editMessage(world.ctx, { ...line, text: "Mil reais" })).rejects.toThrow(
    MessageNotFound,
  );
  await expect(deleteMessage(world.ctx, line)).rejects.toThrow(MessageNotFound);
});

test("a tip starts no conversation and accepts no request", async () => {
  const ana = await createSeller(world.ctx);
  const [bia, caio] = [await createPerson(world.ctx, "Bia"), await createPerson(world.ctx, "Caio")];
  await paidTip(world, bia, ana);
  await saveMessageSettings(world.ctx, {
    personId: ana.id,
    writers: "everyone",
    writerPlanIds: [],
    showsReads: true,
    showsPresence: true,
  });
  const { conversationId } = await write(caio, ana);
  await paidTip(world, caio, ana);
  await world.tick();
  expect(await listed(bia)).toEqual([]);
  expect(await listed(ana)).toEqual([]);
  expect((await listed(ana, "requests")).map((item) => item.id)).toEqual([conversationId]);
  expect((await read(ana, conversationId)).at(-1)?.tipCents).toBe(TIP_CENTS);
});

test("a tip that was paid before a block writes nothing across it", async () => {
  const ana = await createSeller(world.ctx);
  const bia = await createPerson(world.ctx, "Bia");
  const id = await open(bia, ana);
  await paidTip(world, bia, ana);
  await block(world.ctx, { personId: ana.id, otherId: bia.id });
  const before = await world.ctx.db.all(sql`SELECT id FROM messages WHERE conversation_id = ${id}`);
  await deliverTipLine(world.ctx, { outboxId: await givenTipKey(bia.id) });
  expect(
    await world.ctx.db.all(sql`SELECT id FROM messages WHERE conversation_id = ${id}`),
  ).toHaveLength(before.length);
});

test("tips are none of the three messages that a stranger may write", async () => {
  const ana = await createSeller(world.ctx);
  const bia = await createPerson(world.ctx, "Bia");
  await write(bia, ana, "um");
  for (let tip = 0; tip < 2; tip += 1) await paidTip(world, bia, ana);
  await world.tick();
  await write(bia, ana, "dois");
  const { conversationId } = await write(bia, ana, "três");
  await expect(write(bia, ana, "quatro")).rejects.toThrow(CannotWrite);
  const lines = await read(ana, conversationId);
  expect(lines.filter(({ tipCents }) => tipCents !== null)).not.toEqual([]);
  expect(lines.length).toBeGreaterThan(REQUEST_MESSAGES_MAX);
});
