import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { handledStatement } from "#app/domain/payments/commands/inbox.server.ts";
import { chargeNamed, chargeNamedOf, chargeNamedStatement, chargeToldBy, deliveryOf, deliveryStatement, purchaseOf } from "#app/domain/payments/queries/deliveries.server.ts";
import type { ChargeTold, Told } from "#app/domain/payments/queries/deliveries.server.ts";
import type { DisputeStanding } from "#app/domain/payments/queries/dispute-standing.server.ts";
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
import { readsOfCharge, readsOfDelivery } from "./found.ts";
import type { Found, Reading } from "./found.ts";

const besides = (told: ChargeTold, { db, adultSpaces, now }: Omit<Reading, "inboxId">) =>
  [
    fightableTransfersStatement({ db }, { chargeId: told(sql`told.id`) }),
    ...endedFactsStatements({ db }, { subscriptionId: told(sql`told.purchase_id`), chargeId: told(sql`told.id`), now }),
    ...chargeMoneyStatements({ db }, { chargeId: told(sql`told.id`), creatorId: told(sql`told.creator_id`) }),
    ...paidForStatements({ db, adultSpaces }, { ...purchaseOf(told), now }),
  ] as const;
const readsAbout = (about: "refund" | "dispute") => readsOfDelivery((reading) => [deliveryStatement(reading, { about, inboxId: reading.inboxId }), ...besides(chargeToldBy(about, reading), reading)]);
const READS = { refund: readsAbout("refund"), dispute: readsAbout("dispute") };
const OF_CHARGE = readsOfCharge((reading) => [chargeNamedStatement(reading, reading), ...besides(chargeNamed(reading), reading)]);

type Beside = { transfers: RefundTransfer[]; money: ChargeMoney; paidFor: PaidFor };
type Delivery = Told & Beside;
type Rows<Statements> = { readonly [Index in keyof Statements]: Awaited<Statements[Index]> };

function besideOf(ctx: Context, [transfers, stretches, covers, disputes, covering, consents, afterEnd, asRead, parts, balances, paidDebt, ...rest]: Rows<ReturnType<typeof besides>>): Beside {
  const paidFor = paidForOf(ctx, rest);
  const ended = endedFactsOf([stretches, covers, disputes, covering, consents, afterEnd, asRead]);
  return { transfers, money: chargeMoneyOf([parts, balances, paidDebt]), paidFor: { ...paidFor, subscription: { ...paidFor.subscription, ended } } };
}

async function delivered(ctx: Context, about: "refund" | "dispute", inboxId: string): Promise<Delivery | null> {
  const [delivery, ...beside] = await READS[about](ctx, inboxId);
  const told = deliveryOf(delivery);
  return told && { ...told, ...besideOf(ctx, beside) };
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
  const [named, ...beside] = await OF_CHARGE(ctx, { provider, providerChargeId });
  const standing = chargeNamedOf(named);
  if (!standing) return "unknown_refund";
  const { charge, back } = standing;
  const { money, paidFor } = besideOf(ctx, beside);
  const said = await madeBy(ctx, { provider }).chargeById(providerChargeId);
  await settleCharge(ctx, { chargeId: charge.id, said, read: charge, back, money, alongside: [handledStatement(ctx, { inboxId })] }, paidFor);
  return null;
}

/** A delivery about a dispute or MED; of one that is known, with its charge and all that it decides. */
export async function disputeFound(ctx: Context, inboxId: string): Promise<Found | null> {
  const found = await delivered(ctx, "dispute", inboxId);
  return found && { event: found.event, apply: async () => await fought(ctx, found) };
}

async function fought(ctx: Context, told: Delivery): Promise<string | null> {
  const { id: inboxId, provider, objectId: providerDisputeId } = told.event;
  const said = await madeBy(ctx, { provider }).disputeById(providerDisputeId);
  const known = told.charge && told.dispute ? { ...told, charge: told.charge } : await foughtOver(ctx, { provider, providerChargeId: said.chargeId });
  const news = { provider, providerDisputeId, said, alongside: [handledStatement(ctx, { inboxId })] };
  const outcome = known ? await settleDispute(ctx, { ...news, read: known }, known.paidFor) : await settleDispute(ctx, news);
  return outcome === "applied" ? null : outcome;
}

/** The charge that a dispute is over which was never heard of; null where it is not known by the provider's id either. */
async function foughtOver(ctx: Context, of: { provider: string; providerChargeId: string }): Promise<(DisputeStanding & Pick<Beside, "paidFor">) | null> {
  const [named, ...beside] = await OF_CHARGE(ctx, of);
  const standing = chargeNamedOf(named);
  return standing && { charge: standing.charge, dispute: null, ...besideOf(ctx, beside) };
}
