import { expect, test } from "vitest";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { claimGift } from "#app/domain/purchases/gifts/commands/claim-gift.server.ts";
import { cancelSubscription } from "#app/domain/subscriptions/cancellations/commands/cancel.server.ts";
import { startSubscription } from "#app/domain/subscriptions/checkout/commands.server.ts";
import { issuePrivateFeed } from "#app/domain/syndication/commands/private-feeds.server.ts";
import {
  feedReader,
  privateFeedSubscriptions,
} from "#app/domain/syndication/queries/feeds.server.ts";
import { addMonths, DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { testContext } from "#tests/support/context.ts";
import { paidGift } from "#tests/support/gifts.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";

test("a gift's feed address continues in the paid subscription and ends with it; a reissued one opens nothing", async () => {
  const world = await testContext();
  const ana = await createSeller(world.ctx);
  async function goTo(at: number): Promise<void> {
    await world.advance(at - world.ctx.now());
    await world.tick();
    await world.tick();
  }
  const issued = async ({ id: personId }: { id: string }) => {
    const tokenHash = world.ctx.newId();
    await issuePrivateFeed(world.ctx, { personId, username: ana.username, tokenHash });
    return { tokenHash };
  };
  /** A person with a gift, its feed address, and the paid subscription that follows it. */
  async function following(name: string) {
    const fan = await createPerson(world.ctx, name);
    const { code } = await paidGift(world, await createPerson(world.ctx), ana);
    const { accessUntil: beginsAt } = await claimGift(world.ctx, {
      memberId: fan.id,
      memberName: fan.name,
      code,
    });
    await world.drain();
    const address = await issued(fan);
    const { chargeId } = await startSubscription(world.ctx, {
      memberId: fan.id,
      memberName: fan.name,
      planPriceId: ana.priceId,
      method: "pix",
      cardToken: null,
      beginsAt,
    });
    const charge = await chargeRow(world.ctx, { chargeId });
    await payAtBank(world, { providerChargeId: charge?.providerChargeId ?? "" });
    await world.drain();
    return { fan, address, beginsAt, subscriptionId: charge?.purchaseId ?? "" };
  }
  const opens = async (asked: { tokenHash: string }) =>
    (await feedReader(world.ctx, asked)) !== null;
  const hasOne = async ({ id: personId }: { id: string }) =>
    (await privateFeedSubscriptions(world.ctx, { personId, cursor: null, limit: 5 })).items.map(
      ({ feedSince }) => feedSince !== null,
    );
  const [clara, dora] = [await following("Clara"), await following("Dora")];
  expect([await opens(clara.address), await hasOne(clara.fan)]).toEqual([true, [true]]);

  await goTo(dora.beginsAt + MINUTE_MS);
  await world.advance(DAY_MS);
  expect([await opens(clara.address), await hasOne(clara.fan)]).toEqual([true, [true]]);
  const next = await issued(dora.fan);
  expect([await opens(dora.address), await opens(next), await hasOne(dora.fan)]).toEqual([
    false,
    true,
    [true],
  ]);

  await cancelSubscription(world.ctx, {
    fanId: clara.fan.id,
    subscriptionId: clara.subscriptionId,
  });
  expect(await opens(clara.address)).toBe(true);
  await goTo(addMonths(clara.beginsAt, 1) + DAY_MS);
  expect(await opens(clara.address)).toBe(false);
});
