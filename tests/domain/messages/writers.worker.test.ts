import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { saveMessageSettings } from "#app/domain/messages/commands/members.server.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

let world: World;
const { write } = messageHelpers(() => world);

test("where only certain plans may write, a subscriber of one starts a conversation, and of another none", async () => {
  world = await testContext();
  const creator = await createSeller(world.ctx);
  // A welcome note would start the conversation.
  await world.ctx.db.update(plans).set({ welcomeMessage: "" }).where(eq(plans.id, creator.planId));
  const choose = (planId: string) =>
    saveMessageSettings(world.ctx, {
      personId: creator.id,
      writers: "plans",
      writerPlanIds: [planId],
      showsReads: true,
      showsPresence: true,
    });
  const [bia, caio] = [await createPerson(world.ctx, "Bia"), await createPerson(world.ctx, "Caio")];
  await choose(creator.planId);
  await expect(write(bia, creator)).rejects.toThrow(/certos planos/);
  for (const fan of [bia, caio]) await paidSubscription(world, fan, creator);
  expect((await write(bia, creator)).seq).toBe(1);
  await choose("another");
  await expect(write(caio, creator)).rejects.toThrow(/certos planos/);
});
