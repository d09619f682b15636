import { expect, test } from "vitest";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import { pauseSubscription } from "#app/domain/subscriptions/pauses/commands.server.ts";
import { memberSubscriptions } from "#app/domain/subscriptions/queries.server.ts";
import { testContext } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

test("a member's list has what goes on before what was canceled or paused, and then what is over", async () => {
  const world = await testContext();
  const bruno = await createPerson(world.ctx, "Bruno");
  const paid: string[] = [];
  for (let count = 0; count < 5; count += 1)
    paid.push((await paidSubscription(world, bruno, await createSeller(world.ctx))).purchaseId);
  const [first = "", second = "", third = "", fourth = "", fifth = ""] = paid;
  await closeSubscription(world.ctx, { subscriptionId: third, because: "creator_left" });
  await cancelSubscription(world.ctx, { fanId: bruno.id, subscriptionId: fourth });
  await pauseSubscription(world.ctx, { fanId: bruno.id, subscriptionId: fifth });
  const listed: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await memberSubscriptions(world.ctx, { fanId: bruno.id, cursor, limit: 1 });
    listed.push(...page.items.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== null);
  expect(listed).toEqual([second, first, fifth, fourth, third]);
});
