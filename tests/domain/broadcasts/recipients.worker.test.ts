import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import {
  changeBroadcast,
  createBroadcast,
  scheduleBroadcast,
} from "#app/domain/broadcasts/commands.server.ts";
import { sendBroadcastPage } from "#app/domain/broadcasts/commands/send.server.ts";
import { countRecipients } from "#app/domain/broadcasts/queries/recipients.server.ts";
import type { Segment } from "#app/domain/broadcasts/rules.ts";
import { follow } from "#app/domain/profiles/commands.server.ts";
import { messageSettings } from "#drizzle/schema/messages.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { interleaveBeforeWrite } from "#tests/support/interleave.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

let world: World;
beforeAll(async () => {
  world = await testContext();
});
const { listed } = messageHelpers(() => world);

/** A broadcast to a creator's followers that is due now. */
async function createdBroadcast(creator: { id: string }): Promise<{ id: string }> {
  const id = await createBroadcast(world.ctx, {
    creatorId: creator.id,
    writtenById: null,
    segment: "followers",
    planIds: [],
    text: "Oi, {nome}!",
  });
  await scheduleBroadcast(world.ctx, { id, creatorId: creator.id, sendAt: null });
  return { id };
}

test("a broadcast that is changed just before it starts goes to nobody of the old segment", async () => {
  const ana = await createSeller(world.ctx);
  const follower = await createPerson(world.ctx, "Fã");
  await follow(world.ctx, { followerId: follower.id, creatorId: ana.id });
  const { id } = await createdBroadcast(ana);
  const changing = interleaveBeforeWrite(
    world.ctx,
    () =>
      changeBroadcast(world.ctx, {
        id,
        creatorId: ana.id,
        writtenById: null,
        segment: "past_due",
        planIds: [],
        text: "O seu pagamento atrasou.",
      }),
    /"broadcasts"/,
  );
  await sendBroadcastPage(changing, { broadcastId: id });
  await world.drain();
  await sendBroadcastPage(world.ctx, { broadcastId: id });
  expect(await listed(follower)).toEqual([]);
});

test("a broadcast leaves out who hides read marks from those who never opened, and an adult page's minors", async () => {
  const ana = await createSeller(world.ctx);
  const bia = await createPerson(world.ctx, "Bia");
  await paidSubscription(world, bia, ana);
  const count = async (segment: Segment) =>
    await countRecipients(world.ctx, { creatorId: ana.id, segment, planIds: [] });
  expect([await count("never_opened"), await count("subscribers")]).toEqual([1, 1]);
  await world.ctx.db
    .insert(messageSettings)
    .values({ personId: bia.id, writers: "everyone", showsReads: false });
  expect([await count("never_opened"), await count("subscribers")]).toEqual([0, 1]);
  await world.ctx.db.update(profiles).set({ isAdult: true }).where(eq(profiles.personId, ana.id));
  expect(await count("subscribers")).toBe(0);
});
