import { startTip } from "#app/domain/purchases/tips/commands/tips.server.ts";
import type { TipCheckout } from "#app/domain/purchases/tips/commands/tips.server.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { tipRow } from "#app/domain/purchases/tips/queries.server.ts";
import type { Tip } from "#app/domain/purchases/tips/schema.ts";
import type { World } from "./context.ts";
import { payAtBank } from "./payments.ts";
import type { PendingCheckout } from "./payments.ts";
import type { TestPerson } from "./people.ts";

export const TIP_CENTS = 2_000;

export const tipCheckoutInput = (
  giver: TestPerson,
  creator: { id: string },
  more: Partial<TipCheckout> = {},
): TipCheckout => ({
  memberId: giver.id,
  memberName: giver.name,
  creatorKey: creator.id,
  amountCents: TIP_CENTS,
  message: "",
  method: "pix",
  cardToken: null,
  ...more,
});

/** Starts a Pix tip, which waits for its payment. */
export async function pendingPixTip(
  world: World,
  giver: TestPerson,
  creator: { id: string },
  more: Partial<TipCheckout> = {},
): Promise<PendingCheckout> {
  const { chargeId } = await startTip(world.ctx, tipCheckoutInput(giver, creator, more));
  const charge = await chargeRow(world.ctx, { chargeId });
  if (!charge?.providerChargeId) throw new Error("the provider never got the charge");
  return { chargeId, providerChargeId: charge.providerChargeId };
}

/** Starts a Pix tip, pays it and applies its webhook. */
export async function paidTip(
  world: World,
  giver: TestPerson,
  creator: { id: string },
  more: Partial<TipCheckout> = {},
): Promise<{ charge: Charge; tip: Tip }> {
  const waiting = await pendingPixTip(world, giver, creator, more);
  await payAtBank(world, waiting);
  await world.drain();
  const charge = await chargeRow(world.ctx, waiting);
  const tip = charge ? await tipRow(world.ctx, { tipId: charge.purchaseId }) : null;
  if (charge?.status !== "succeeded" || !tip) throw new Error(`the charge is ${charge?.status}`);
  return { charge, tip };
}
