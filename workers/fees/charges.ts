import type { Context } from "#app/domain/context.ts";
import { handledStatement } from "#app/domain/payments/commands/inbox.server.ts";
import { chargeByProviderId } from "#app/domain/payments/queries.server.ts";
import { chargeNamed, chargeNamedOf, chargeNamedStatement, chargeToldBy, deliveryOf, deliveryOfChargeStatement, purchaseOf } from "#app/domain/payments/queries/deliveries.server.ts";
import type { Told } from "#app/domain/payments/queries/deliveries.server.ts";
import { madeBy } from "#app/domain/payments/rules/providers.ts";
import { settleCharge } from "#app/domain/purchases/commands/settle.server.ts";
import { paidForOf, paidForStatements } from "#app/domain/purchases/queries/paid-for.server.ts";
import type { PaidFor } from "#app/domain/purchases/queries/paid-for.server.ts";
import { settleAuthorisationQuietly } from "#app/domain/subscriptions/commands/authorisation.server.ts";
import { chargeTold } from "#app/domain/subscriptions/queries/automatic.server.ts";
import { readsOfCharge, readsOfDelivery } from "./found.ts";
import type { Found } from "./found.ts";

const READS = readsOfDelivery(({ db, adultSpaces, inboxId, now }) => [
  deliveryOfChargeStatement({ db }, { inboxId }),
  ...paidForStatements({ db, adultSpaces }, { ...purchaseOf(chargeToldBy("charge", { inboxId })), now }),
]);

/** The delivery alone. */
const DELIVERY = readsOfDelivery(({ db, inboxId }) => [deliveryOfChargeStatement({ db }, { inboxId })]);

const OF_CHARGE = readsOfCharge(({ db, adultSpaces, provider, providerChargeId, now }) => [
  chargeNamedStatement({ db }, { provider, providerChargeId }),
  ...paidForStatements({ db, adultSpaces }, { ...purchaseOf(chargeNamed({ provider, providerChargeId })), now }),
]);

type Delivery = Pick<Told, "event" | "charge" | "back"> & { paidFor: PaidFor };

/** A delivery about a charge, with that charge and what it pays for. */
export async function chargeFound(ctx: Context, inboxId: string): Promise<Found | null> {
  const [delivery, ...paidFor] = await READS(ctx, inboxId);
  const told = deliveryOf(delivery);
  if (!told) return null;
  const debt = told.owedCents === null ? null : { owedCents: told.owedCents };
  return { event: told.event, apply: async () => await settled(ctx, { ...told, paidFor: { ...paidForOf(ctx, paidFor), debt } }, told.event.objectId) };
}

/** A delivery about an order to the payer's bank: it is one about the charge that is to be debited, which the provider names. */
export async function instructionFound(ctx: Context, inboxId: string): Promise<Found | null> {
  const told = deliveryOf((await DELIVERY(ctx, inboxId))[0]);
  return told && { event: told.event, apply: async () => await ordered(ctx, told) };
}

async function ordered(ctx: Context, { event, back }: Told): Promise<string | null> {
  const { provider, objectId } = event;
  const { chargeId: providerChargeId } = await madeBy(ctx, { provider }).instructionById(objectId);
  const [named, ...paidFor] = await OF_CHARGE(ctx, { provider, providerChargeId });
  return await settled(ctx, { event, ...(chargeNamedOf(named) ?? { charge: null, back }), paidFor: paidForOf(ctx, paidFor) }, providerChargeId);
}

/** A delivery about what this product does not know. */
export async function otherFound(ctx: Context, inboxId: string): Promise<Found | null> {
  const told = deliveryOf((await DELIVERY(ctx, inboxId))[0]);
  return told && { event: told.event, apply: async () => "unknown_type" };
}

/** The event may come before we could write the provider's id: its reference is our charge's id, which we wrote first. */
async function settled(ctx: Context, { event, charge: known, back, paidFor }: Delivery, providerChargeId: string): Promise<string | null> {
  const { provider } = event;
  const said = await madeBy(ctx, { provider }).chargeById(providerChargeId);
  const charge = known ?? (await chargeByProviderId(ctx, { provider, providerChargeId })) ?? (await chargeTold(ctx, { provider, said }));
  // What one provider says is never about a charge of another.
  if (charge?.provider !== provider) return "unknown_charge";
  await settleCharge(ctx, { chargeId: charge.id, said, read: charge, ...(known ? { back } : {}), alongside: [handledStatement(ctx, { inboxId: event.id })] }, known ? paidFor : null);
  // The payment in the code of an authorisation came: whether that pays the renewals too is asked at once, and by reconciliation.
  if (charge.recurringPixId !== null && charge.debitOn === null) await settleAuthorisationQuietly(ctx, { authorisationId: charge.recurringPixId });
  return null;
}
