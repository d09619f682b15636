import { sql } from "drizzle-orm";
import { commit } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { handledStatement } from "#app/domain/payments/commands/inbox.server.ts";
import { chargeByProviderId } from "#app/domain/payments/queries.server.ts";
import { chargeToldBy, deliveryOf, deliveryStatement, purchaseOf } from "#app/domain/payments/queries/deliveries.server.ts";
import type { Told } from "#app/domain/payments/queries/deliveries.server.ts";
import { fightableTransfersStatement } from "#app/domain/payments/queries/dispute-standing.server.ts";
import { chargeMoneyOf, chargeMoneyStatements, refundStanding } from "#app/domain/payments/queries/money.server.ts";
import type { ChargeMoney } from "#app/domain/payments/queries/money.server.ts";
import type { RefundTransfer } from "#app/domain/payments/queries/refund-transfers.server.ts";
import { madeBy } from "#app/domain/payments/rules/providers.ts";
import type { ProviderRefund } from "#app/domain/payments/schema.ts";
import { settleCharge, settleDispute, settleRefund } from "#app/domain/purchases/commands/settle.server.ts";
import { paidForOf, paidForStatements } from "#app/domain/purchases/queries/paid-for.server.ts";
import type { PaidFor } from "#app/domain/purchases/queries/paid-for.server.ts";
import { endedFactsOf, endedFactsStatements } from "#app/domain/subscriptions/queries/ended-facts.server.ts";
import { readsOfDelivery } from "./found.ts";
import type { Found, Reading } from "./found.ts";

const besides = (about: "refund" | "dispute", { db, adultSpaces, inboxId, now }: Reading) => {
  const told = chargeToldBy(about, { inboxId });
  return [
    deliveryStatement({ db }, { about, inboxId }),
    fightableTransfersStatement({ db }, { chargeId: told(sql`told.id`) }),
    ...endedFactsStatements({ db }, { subscriptionId: told(sql`told.purchase_id`), chargeId: told(sql`told.id`), now }),
    ...chargeMoneyStatements({ db }, { chargeId: told(sql`told.id`), creatorId: told(sql`told.creator_id`) }),
    ...paidForStatements({ db, adultSpaces }, { ...purchaseOf(told), now }),
  ] as const;
};
const READS = { refund: readsOfDelivery((reading) => besides("refund", reading)), dispute: readsOfDelivery((reading) => besides("dispute", reading)) };

type Delivery = Told & { transfers: RefundTransfer[]; money: ChargeMoney; paidFor: PaidFor };

async function delivered(ctx: Context, about: "refund" | "dispute", inboxId: string): Promise<Delivery | null> {
  const [delivery, transfers, stretches, covers, disputes, covering, consents, afterEnd, asRead, parts, balances, paidDebt, ...rest] = await READS[about](ctx, inboxId);
  const told = deliveryOf(delivery);
  const paidFor = paidForOf(ctx, rest);
  const ended = endedFactsOf([stretches, covers, disputes, covering, consents, afterEnd, asRead]);
  return told && { ...told, transfers, money: chargeMoneyOf([parts, balances, paidDebt]), paidFor: { ...paidFor, subscription: { ...paidFor.subscription, ended } } };
}

/** A delivery about a refund, with its charge, from where it is taken and what it paid for. */
export async function refundFound(ctx: Context, inboxId: string): Promise<Found | null> {
  const found = await delivered(ctx, "refund", inboxId);
  return found && { event: found.event, apply: async () => await refunded(ctx, found) };
}

async function refunded(ctx: Context, { event, refund, charge, money, paidFor }: Delivery): Promise<string | null> {
  const { id: inboxId, provider, objectId } = event;
  const said = await madeBy(ctx, { provider }).refundById(objectId);
  const alongside = [handledStatement(ctx, { inboxId })];
  if (refund && charge && said.reference === refund.id) {
    await settleRefund(ctx, { refundId: refund.id, said, read: { refund, charge, money }, alongside }, paidFor);
    return null;
  }
  const told = said.reference ? await refundStanding(ctx, { refundId: said.reference }) : null;
  // What one provider says is never about a charge of another.
  if (told?.charge.provider !== provider) return await returned(ctx, { inboxId, provider, said });
  await settleRefund(ctx, { refundId: told.refund.id, said, read: told, alongside });
  return null;
}

/** A refund that nobody here asked for: its charge says what went back. */
async function returned(ctx: Context, { inboxId, provider, said: { chargeId: providerChargeId } }: { inboxId: string; provider: string; said: ProviderRefund }): Promise<string | null> {
  const charge = await chargeByProviderId(ctx, { provider, providerChargeId });
  if (!charge) return "unknown_refund";
  await settleCharge(ctx, { chargeId: charge.id });
  await commit(ctx.db, [handledStatement(ctx, { inboxId })]);
  return null;
}

/** A delivery about a dispute or MED; of one that is known, with its charge and all that it decides. */
export async function disputeFound(ctx: Context, inboxId: string): Promise<Found | null> {
  const found = await delivered(ctx, "dispute", inboxId);
  return found && { event: found.event, apply: async () => await fought(ctx, found) };
}

async function fought(ctx: Context, { event, charge, dispute, transfers, money, paidFor }: Delivery): Promise<string | null> {
  const { id: inboxId, provider, objectId: providerDisputeId } = event;
  const read = charge && dispute ? { read: { charge, dispute, transfers, money } } : {};
  const outcome = await settleDispute(ctx, { provider, providerDisputeId, ...read, alongside: [handledStatement(ctx, { inboxId })] }, charge ? paidFor : null);
  return outcome === "applied" ? null : outcome;
}
