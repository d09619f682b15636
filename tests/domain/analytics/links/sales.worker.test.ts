import { beforeEach, expect, test } from "vitest";
import { createLink } from "#app/domain/analytics/links/commands.server.ts";
import { countedLinks } from "#app/domain/analytics/links/queries.server.ts";
import { unfilteredStatement } from "#app/domain/billing/schema.ts";
import { billingStatementTotals } from "#app/domain/billing/statements/queries/statement.server.ts";
import { chooseTickets } from "#app/domain/events/tickets/commands/orders.server.ts";
import { checkoutCharge } from "#app/domain/payments/charges/queries/checkout.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import { follow, unfollow } from "#app/domain/profiles/commands.server.ts";
import { startPurchase } from "#app/domain/purchases/single-purchases/commands/checkout.server.ts";
import type { SingleKind } from "#app/domain/purchases/schema.ts";
import { dayNumberOf } from "#app/domain/time.ts";
import { againAt } from "#app/routes/checkout/retry.server.ts";
import { cleanDatabase } from "#tests/support/clean-storage.ts";
import { NOON_OF_NOVEMBER_11, testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { sellingEvent } from "#tests/support/events.ts";
import { paidGift } from "#tests/support/gifts.ts";
import { payAtBank } from "#tests/support/payments.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import type { Seller, TestPerson } from "#tests/support/people.ts";
import { purchaseCheckoutInput, soldCollection, soldPost } from "#tests/support/purchases.ts";
import { paidTip } from "#tests/support/tips.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
let ana: Seller;
let bia: TestPerson;
beforeEach(async () => {
  await cleanDatabase("DB", testEnv.DB, []);
  world = await testContext({ startsAt: NOON_OF_NOVEMBER_11 });
  ana = await createSeller(world.ctx, { amountCents: 1_990 });
  bia = await createPerson(world.ctx, "Bia");
  await createLink(world.ctx, { creatorId: ana.id, name: "Bio", slug: "insta" });
});

async function buyBy(link: string | null, targetId: string, kind: SingleKind): Promise<void> {
  const wish = { ...purchaseCheckoutInput(bia, targetId, { kind }), link };
  const { chargeId } = await startPurchase(world.ctx, wish);
  const charge = await chargeRow(world.ctx, { chargeId });
  await payAtBank(world, { providerChargeId: charge?.providerChargeId ?? "" });
  await world.drain();
}

async function insta() {
  const today = dayNumberOf(world.ctx.now());
  const range = { from: today - 6, until: today };
  const [link] = await countedLinks(world.ctx, { creatorId: ana.id, range, slug: "insta" });
  return link;
}

/** Each way to pay once, by a link. */
const sales: [string, (link: string) => Promise<unknown>][] = [
  ["a post", async (link) => buyBy(link, (await soldPost(world.ctx, ana)).postId, "post")],
  [
    "a collection",
    async (link) => {
      const { postId } = await soldPost(world.ctx, ana);
      await buyBy(
        link,
        (await soldCollection(world.ctx, ana, [postId])).collectionId,
        "collection",
      );
    },
  ],
  [
    "tickets",
    async (link) => {
      const tickets = { ...(await sellingEvent(world.ctx, ana)), quantity: 1, personId: bia.id };
      await buyBy(link, (await chooseTickets(world.ctx, tickets)).orderId, "event");
    },
  ],
  ["a tip", (link) => paidTip(world, bia, ana, { link })],
  ["a gift", (link) => paidGift(world, bia, ana, { link })],
];

test.each(sales)("%s bought by a link is in its figures, and in what they open", async (_, buy) => {
  await buy("insta");
  const link = await insta();
  expect(link).toMatchObject({ sales: 1, starts: 0 });
  const filter = { ...unfilteredStatement, link: "insta" };
  const asked = { personId: ana.id, face: "received" as const, filter };
  expect(await billingStatementTotals(world.ctx, asked)).toMatchObject({
    count: 1,
    netCents: link?.netCents,
  });
});

test.each(sales)("%s bought by a made-up link is of no link", async (_, buy) => {
  await buy("inventado");
  expect(await insta()).toMatchObject({ sales: 0, netCents: 0 });
});

test("a second try at an unpaid purchase keeps the link", async () => {
  const { postId } = await soldPost(world.ctx, ana);
  const wish = { ...purchaseCheckoutInput(bia, postId), link: "insta" };
  const { chargeId } = await startPurchase(world.ctx, wish);
  const charge = await checkoutCharge(world.ctx, { chargeId, memberId: bia.id });
  if (!charge) throw new Error("no charge");
  const again = await againAt(world.ctx, { memberId: bia.id, charge });
  expect(again?.path).toBe(`/checkout?post=${postId}&l=insta`);
});

test("who came by a link and unfollows is counted no more, and who follows again once", async () => {
  const pair = { followerId: bia.id, creatorId: ana.id };
  await follow(world.ctx, { ...pair, link: "insta" });
  expect(await insta()).toMatchObject({ follows: 1 });
  await unfollow(world.ctx, pair);
  expect(await insta()).toMatchObject({ follows: 0 });
  await follow(world.ctx, { ...pair, link: "insta" });
  expect(await insta()).toMatchObject({ follows: 1 });
});
