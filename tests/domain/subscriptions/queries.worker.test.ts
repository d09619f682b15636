import { expect, test } from "vitest";
import { closeSubscription } from "#app/domain/subscriptions/endings/commands/close.server.ts";
import { memberSubscriptions } from "#app/domain/subscriptions/queries.server.ts";
import { testContext } from "#tests/support/context.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

test("a member's list has the live subscriptions first, then the newest, on every page", async () => {
  const world = await testContext();
  const bruno = await createPerson(world.ctx, "Bruno");
  const paid: string[] = [];
  for (let count = 0; count < 3; count += 1)
    paid.push((await paidSubscription(world, bruno, await createSeller(world.ctx))).purchaseId);
  const [first = "", second = "", third = ""] = paid;
  await closeSubscription(world.ctx, { subscriptionId: third, because: "creator_left" });
  const listed: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await memberSubscriptions(world.ctx, { fanId: bruno.id, cursor, limit: 1 });
    listed.push(...page.items.map(({ id }) => id));
    cursor = page.next;
  } while (cursor !== null);
  expect(listed).toEqual([second, first, third]);
});
