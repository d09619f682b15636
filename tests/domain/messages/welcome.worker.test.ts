import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { deliverWelcomeNote } from "#app/domain/messages/commands.server.ts";
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
const { listed, read, write } = messageHelpers(() => world);

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
