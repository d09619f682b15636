import { eq } from "drizzle-orm";
import { startGift } from "#app/domain/purchases/gifts/commands/gifts.server.ts";
import type { GiftCheckout } from "#app/domain/purchases/gifts/commands/gifts.server.ts";
import { giftCode } from "#app/domain/purchases/gifts/queries/gift-codes.server.ts";
import type { Gift } from "#app/domain/purchases/gifts/schema.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { gifts } from "#drizzle/schema/purchases.ts";
import type { World } from "./context.ts";
import { payAtBank } from "./payments.ts";
import type { PendingCheckout } from "./payments.ts";
import type { Seller, TestPerson } from "./people.ts";

export const giftCheckoutInput = (
  giver: TestPerson,
  { priceId }: Pick<Seller, "priceId">,
  more: Partial<GiftCheckout> = {},
): GiftCheckout => ({
  memberId: giver.id,
  memberName: giver.name,
  planPriceId: priceId,
  recipientName: "Clara",
  recipientEmail: "",
  message: "",
  deliverOn: null,
  method: "pix",
  cardToken: null,
  ...more,
});

/** Starts a Pix gift, which waits for its payment. */
export async function pendingPixGift(
  world: World,
  giver: TestPerson,
  seller: Seller,
  more: Partial<GiftCheckout> = {},
): Promise<PendingCheckout & { giftId: string }> {
  const { chargeId } = await startGift(world.ctx, giftCheckoutInput(giver, seller, more));
  const charge = await chargeRow(world.ctx, { chargeId });
  if (!charge?.providerChargeId) throw new Error("the provider never got the charge");
  return { chargeId, providerChargeId: charge.providerChargeId, giftId: charge.purchaseId };
}

/** The current row of a gift. */
export async function giftRow(world: World, { giftId }: { giftId: string }): Promise<Gift> {
  const [row] = await world.ctx.db.select().from(gifts).where(eq(gifts.id, giftId)).limit(1);
  if (!row) throw new Error("there is no such gift");
  const { codeHash: _hash, ...gift } = row;
  return { ...gift, endedReason: gift.endedReason as Gift["endedReason"] };
}

/** Buys a gift by Pix, pays it and applies its webhook. */
export async function paidGift(
  world: World,
  giver: TestPerson,
  seller: Seller,
  more: Partial<GiftCheckout> = {},
): Promise<{ charge: Charge; gift: Gift; code: string }> {
  const waiting = await pendingPixGift(world, giver, seller, more);
  await payAtBank(world, waiting);
  await world.drain();
  const charge = await chargeRow(world.ctx, waiting);
  if (charge?.status !== "succeeded") throw new Error(`the charge is ${charge?.status}`);
  return { charge, gift: await giftRow(world, waiting), code: await giftCode(world.ctx, waiting) };
}
