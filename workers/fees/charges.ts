import type { Context } from "#app/domain/context.ts";
import { handledStatement } from "#app/domain/payments/commands/inbox.server.ts";
import { chargeByProviderId } from "#app/domain/payments/queries.server.ts";
import type { Charge, InboxEvent } from "#app/domain/payments/queries.server.ts";
import { chargeToldBy, deliveryOf, deliveryOfChargeStatement, purchaseOf } from "#app/domain/payments/queries/deliveries.server.ts";
import { madeBy } from "#app/domain/payments/rules/providers.ts";
import { settleCharge } from "#app/domain/purchases/commands/settle.server.ts";
import { paidForOf, paidForStatements } from "#app/domain/purchases/queries/paid-for.server.ts";
import type { PaidFor } from "#app/domain/purchases/queries/paid-for.server.ts";
import { settleAuthorisationQuietly } from "#app/domain/subscriptions/commands/authorisation.server.ts";
import { chargeTold } from "#app/domain/subscriptions/queries/automatic.server.ts";
import { readsOfDelivery } from "./found.ts";
import type { Found } from "./found.ts";

const READS = readsOfDelivery(({ db, adultSpaces, inboxId, now }) => [
  deliveryOfChargeStatement({ db }, { inboxId }),
  ...paidForStatements({ db, adultSpaces }, { ...purchaseOf(chargeToldBy("charge", { inboxId })), now }),
]);

type Delivery = { event: InboxEvent; charge: Charge | null; paidFor: PaidFor };

async function delivered(ctx: Context, inboxId: string): Promise<Delivery | null> {
  const [delivery, ...paidFor] = await READS(ctx, inboxId);
  const told = deliveryOf(delivery);
  return told && { ...told, paidFor: paidForOf(ctx, paidFor) };
}

/** A delivery about a charge, with that charge and what it pays for. */
export async function chargeFound(ctx: Context, inboxId: string): Promise<Found | null> {
  const found = await delivered(ctx, inboxId);
  return found && { event: found.event, apply: async () => await settled(ctx, found, found.event.objectId) };
}

/** A delivery about an order to the payer's bank: it is one about the charge that is to be debited. */
export async function instructionFound(ctx: Context, inboxId: string): Promise<Found | null> {
  const found = await delivered(ctx, inboxId);
  return found && { event: found.event, apply: async () => await settled(ctx, found, (await madeBy(ctx, found.event).instructionById(found.event.objectId)).chargeId) };
}

/** A delivery about what this product does not know. */
export async function otherFound(ctx: Context, inboxId: string): Promise<Found | null> {
  const found = await delivered(ctx, inboxId);
  return found && { event: found.event, apply: async () => "unknown_type" };
}

/** The event may come before we could write the provider's id: its reference is our charge's id, which we wrote first. */
async function settled(ctx: Context, { event, charge: known, paidFor }: Delivery, providerChargeId: string): Promise<string | null> {
  const { provider } = event;
  const said = await madeBy(ctx, { provider }).chargeById(providerChargeId);
  const charge = known ?? (await chargeByProviderId(ctx, { provider, providerChargeId })) ?? (await chargeTold(ctx, { provider, said }));
  // What one provider says is never about a charge of another.
  if (charge?.provider !== provider) return "unknown_charge";
  await settleCharge(ctx, { chargeId: charge.id, said, read: charge, alongside: [handledStatement(ctx, { inboxId: event.id })] }, known ? paidFor : null);
  // The payment in the code of an authorisation came: whether that pays the renewals too is asked at once, and by reconciliation.
  if (charge.recurringPixId !== null && charge.debitOn === null) await settleAuthorisationQuietly(ctx, { authorisationId: charge.recurringPixId });
  return null;
}
