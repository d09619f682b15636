import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { handledStatement } from "#app/domain/payments/commands/inbox.server.ts";
import { deliveryOf, deliveryOfChargeStatement } from "#app/domain/payments/queries/deliveries.server.ts";
import { settleAuthorisationOf } from "#app/domain/subscriptions/commands/authorisation.server.ts";
import { readsOfDelivery } from "./found.ts";
import type { Found } from "./found.ts";

const READS = readsOfDelivery(({ db, inboxId }) => [deliveryOfChargeStatement({ db }, { inboxId })]);

/** A delivery about an authorisation of Pix Automático. */
export async function authorisationFound(ctx: Context, inboxId: string): Promise<Found | null> {
  const [delivery] = await READS(ctx, inboxId);
  const told = deliveryOf(delivery);
  return told && { event: told.event, apply: async () => await settled(ctx, told.event) };
}

async function settled(ctx: Context, { id: inboxId, provider, objectId }: { id: string; provider: string; objectId: string }): Promise<string | null> {
  if (!(await settleAuthorisationOf(ctx, { provider, providerRecurringPixId: objectId }))) return "unknown_recurring_pix";
  await commit(ctx.db, [handledStatement(ctx, { inboxId })]);
  return null;
}
