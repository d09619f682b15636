import { afterEach, beforeEach, expect, test } from "vitest";
import { concedeDispute } from "#app/domain/disputes/commands/answer.server.ts";
import { openDisputes } from "#app/domain/disputes/queries.server.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { openDisputeOn } from "#tests/support/disputes.ts";
import { expectInvariantsToHold } from "#tests/support/ledger-invariants.ts";
import { paidSubscription } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

let world: World;
beforeEach(async () => {
  world = await testContext();
});
afterEach(() => expectInvariantsToHold(world.ctx));

test("the staff's list has every open dispute until it is decided, the first deadline first", async () => {
  const ana = await createSeller(world.ctx);
  const opened: string[] = [];
  for (let count = 0; count < 2; count += 1) {
    const charge = await paidSubscription(world, await createPerson(world.ctx), ana);
    opened.push((await openDisputeOn(world, charge)).disputeId);
  }
  const [first = "", second = ""] = opened;
  const listed = async () =>
    (await openDisputes(world.ctx, { limit: 500 })).filter(({ id }) => opened.includes(id));
  const deadlines = (await listed()).map(({ respondBy }) => respondBy ?? 0);
  expect(deadlines).toHaveLength(2);
  expect(deadlines).toEqual(deadlines.toSorted((one, next) => one - next));
  await concedeDispute(world.ctx, { disputeId: first, creatorId: ana.id, memberId: ana.id });
  await world.drain();
  expect((await listed()).map(({ id }) => id)).toEqual([second]);
});
