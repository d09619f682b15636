import { eq } from "drizzle-orm";
import { refundCharge } from "#app/domain/billing/refunds/commands/refund.server.ts";
import { requestPayout } from "#app/domain/payouts/commands.server.ts";
import { DAY_MS, MINUTE_MS } from "#app/domain/time.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";
import type { World } from "./context.ts";
import { paidSubscription } from "./payments.ts";
import { createPerson, createSeller } from "./people.ts";
import type { Seller } from "./people.ts";

/** Creates a seller who withdrew a sale before its refund and owes R$ 18,90. Takes nine days. */
export async function createDebtor(world: World): Promise<Seller> {
  const { ctx } = world;
  const owing = await createSeller(ctx);
  await ctx.db
    .update(withdrawalMethods)
    .set({ schedule: "manual" })
    .where(eq(withdrawalMethods.creatorId, owing.id));
  const sale = await paidSubscription(world, await createPerson(ctx, "Bruno"), owing);
  await world.advance(9 * DAY_MS);
  await world.tick();
  await requestPayout(ctx, { creatorId: owing.id });
  await world.drain();
  await world.advance(10 * MINUTE_MS);
  await world.tick();
  await refundCharge(ctx, {
    sellerId: owing.id,
    decidedBy: owing.id,
    chargeId: sale.id,
    refundId: ctx.newId(),
    amountCents: 1_990,
    reason: "",
  });
  return owing;
}
