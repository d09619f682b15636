import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { FigureEntry, TransactionSide } from "#app/domain/billing/statements/rules/figures.ts";
import type { TimelineTransfer } from "#app/domain/billing/statements/rules/timeline.ts";
import type { PaymentKind } from "#app/domain/billing/schema.ts";
import type { BillingDetails } from "#app/domain/billing/details/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { sellerWithTaxId } from "#app/domain/identity/tax-ids/rules.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { chargeEntries } from "#app/domain/ledger/queries.server.ts";
import { chargeReleaseParts } from "#app/domain/payments/releases/queries.server.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { ReleasePart } from "#app/domain/payments/releases/rules/releases.ts";
import { eventStartsAt } from "#app/domain/purchases/single-purchases/queries/event-seats.server.ts";
import { coolingOffRefundProblem } from "#app/domain/purchases/rules.ts";
import { hasOpenDispute } from "#app/domain/subscriptions/coverage/queries.server.ts";
import { canWithdraw } from "#app/domain/subscriptions/rules.ts";
import { canWithdrawFromChange } from "#app/domain/subscriptions/plan-changes/rules/plan-change-reversal.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { isRefundable } from "#app/domain/payments/rules.ts";
import { billingDetails } from "#drizzle/schema/billing.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { charges, disputes, refunds, refundTransfers } from "#drizzle/schema/payments.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { gifts, purchases, tips } from "#drizzle/schema/purchases.ts";
import { planChanges, subscriptions } from "#drizzle/schema/subscriptions.ts";

const payer = alias(profiles, "payer");
const seller = alias(profiles, "seller");

/** More refunds than one charge ever has. */
const MOST_MOVES = 50;

type TransactionCharge = Omit<typeof charges.$inferSelect, "status" | "purchaseKind"> & {
  status: ChargeStatus;
  purchaseKind: PaymentKind;
};

/** Without the Pix key, which only the sender of the money may see. */
type TransactionTransfer = TimelineTransfer & { isHeld: boolean };

export type TransactionDetail = {
  side: TransactionSide;
  charge: TransactionCharge;
  payer: { name: string; username: string; details: BillingDetails | null };
  /**
   * The seller, as their documents name them; null while they sent none. The tax id is whole.
   * Outside of documents, a CPF is masked before it leaves the server.
   */
  seller: { name: string; username: string; document: ({ name: string } & TaxId) | null };
  entries: FigureEntry[];
  refunds: (typeof refunds.$inferSelect)[];
  disputes: (typeof disputes.$inferSelect)[];
  /** The refund transfers, attempt by attempt. */
  transfers: TransactionTransfer[];
  /** The release parts of its net. Empty before it is paid. */
  releases: ReleasePart[];
  /** The message of a tip, for its receiver alone; else empty. */
  message: string;
  /** The payer can take everything back now (CDC art. 49). */
  isInCoolingOff: boolean;
  /** It pays for a subscription that has not started. */
  isUpcoming: boolean;
};

export type TransactionViewer = {
  chargeId: string;
  /** The owner of the page that the viewer acts for. */
  personId: string;
  /** On another person's page, only its received payments are visible. */
  isOwn: boolean;
  isModerator: boolean;
  /** The actor on another person's page: a moderator does not moderate their own payment. */
  memberId?: string;
};

/**
 * Reads one payment as one side of it sees it, in one round trip. Returns null for everybody else.
 * The seller sees only paid charges, the staff sees all.
 */
export async function transactionForViewer(
  ctx: Context,
  onlooker: TransactionViewer,
): Promise<TransactionDetail | null> {
  const { chargeId } = onlooker;
  const [
    [row],
    entries,
    refundRows,
    disputeRows,
    transfers,
    releases,
    [subscription],
    [purchase],
    [tip],
    [gift],
    [change],
  ] = await ctx.db.batch([
    chargeAndSides(ctx, chargeId),
    chargeEntries(ctx, { chargeId }),
    chargeRefunds(ctx, chargeId),
    chargeDisputes(ctx, chargeId),
    chargeRefundTransfers(ctx, chargeId),
    chargeReleaseParts(ctx, { chargeId }),
    paidSubscription(ctx, chargeId),
    paidPurchase(ctx, chargeId),
    paidTip(ctx, chargeId),
    paidGift(ctx, chargeId),
    paidPlanChange(ctx, chargeId),
  ]);
  // A trigger refuses any other text in either column.
  const charge = row && {
    ...row.charge,
    status: row.charge.status as ChargeStatus,
    purchaseKind: row.charge.purchaseKind as PaymentKind,
  };
  const side = charge ? sideOf(onlooker, charge) : null;
  if (!row || !charge || !side) return null;
  const single = purchase ?? tip ?? gift;
  return {
    side,
    charge,
    payer: {
      name: row.payerName,
      username: row.payerUsername,
      details: side === "seller" ? null : row.details,
    },
    seller: {
      name: row.sellerName,
      username: row.sellerUsername,
      document: row.soldBy && sellerWithTaxId(row.soldBy),
    },
    entries: visibleEntries(side, entries),
    refunds: refundRows,
    disputes: disputeRows,
    transfers,
    releases,
    // The message is for the receiver alone: their team does not read it.
    message: side === "seller" && onlooker.isOwn ? (tip?.message ?? "") : "",
    isUpcoming: subscription?.status === "upcoming",
    isInCoolingOff:
      side === "payer" &&
      isRefundable(charge.status) &&
      canWithdrawFrom({ change, single, subscription }, charge, ctx.now()),
  };
}

/** The charge with the names of its two sides, and what a receipt says of them. */
const chargeAndSides = (ctx: Context, chargeId: string) =>
  ctx.db
    .select({
      charge: charges,
      payerName: payer.name,
      payerUsername: payer.username,
      sellerName: seller.name,
      sellerUsername: seller.username,
      details: billingDetails,
      soldBy: {
        sellerName: documents.sellerName,
        taxKind: documents.taxKind,
        taxId: documents.taxId,
      },
    })
    .from(charges)
    .innerJoin(payer, eq(payer.personId, charges.payerId))
    .innerJoin(seller, eq(seller.personId, charges.creatorId))
    .leftJoin(documents, eq(documents.personId, charges.creatorId))
    .leftJoin(billingDetails, eq(billingDetails.personId, charges.payerId))
    .where(eq(charges.id, chargeId))
    .limit(1);

const chargeRefunds = (ctx: Context, chargeId: string) =>
  ctx.db
    .select()
    .from(refunds)
    .where(eq(refunds.chargeId, chargeId))
    .orderBy(refunds.createdAt)
    .limit(MOST_MOVES);

const chargeDisputes = (ctx: Context, chargeId: string) =>
  ctx.db
    .select()
    .from(disputes)
    .where(eq(disputes.chargeId, chargeId))
    .orderBy(disputes.createdAt)
    .limit(MOST_MOVES);

const chargeRefundTransfers = (ctx: Context, chargeId: string) =>
  ctx.db
    .select({
      refundId: refundTransfers.refundId,
      status: refundTransfers.status,
      amountCents: refundTransfers.amountCents,
      createdAt: refundTransfers.createdAt,
      keyGivenAt: refundTransfers.keyGivenAt,
      settledAt: refundTransfers.settledAt,
      isHeld: sql<boolean>`${refundTransfers.heldBy} IS NOT NULL`.mapWith(Boolean).as("is_held"),
    })
    .from(refundTransfers)
    .where(eq(refundTransfers.chargeId, chargeId))
    .orderBy(refundTransfers.createdAt, refundTransfers.id)
    .limit(MOST_MOVES);

const paidSubscription = (ctx: Context, chargeId: string) =>
  ctx.db
    .select({
      status: sql<SubscriptionStatus>`${subscriptions.status}`,
      startedAt: subscriptions.startedAt,
      trialEndsAt: subscriptions.trialEndsAt,
      giftedBy: subscriptions.giftedBy,
      createdAt: sql<number>`${subscriptions.createdAt}`.as("begun_at"),
      isDisputed: hasOpenDispute.mapWith((value: number) => value === 1).as("is_disputed"),
    })
    .from(charges)
    .innerJoin(
      subscriptions,
      and(eq(charges.purchaseKind, "subscription"), eq(subscriptions.id, charges.purchaseId)),
    )
    .where(eq(charges.id, chargeId))
    .limit(1);

const paidPurchase = (ctx: Context, chargeId: string) =>
  ctx.db
    .select({
      boughtAt: purchases.boughtAt,
      endedAt: purchases.endedAt,
      startsAt: eventStartsAt.as("event_starts_at"),
    })
    .from(purchases)
    .where(eq(purchases.chargeId, chargeId))
    .limit(1);

const paidTip = (ctx: Context, chargeId: string) =>
  ctx.db
    .select({ boughtAt: tips.paidAt, endedAt: tips.endedAt, message: tips.message })
    .from(tips)
    .where(eq(tips.chargeId, chargeId))
    .limit(1);

const paidGift = (ctx: Context, chargeId: string) =>
  ctx.db
    .select({ boughtAt: gifts.paidAt, endedAt: gifts.endedAt })
    .from(gifts)
    .where(eq(gifts.chargeId, chargeId))
    .limit(1);

const paidPlanChange = (ctx: Context, chargeId: string) =>
  ctx.db
    .select({ state: planChanges.state, settledAt: planChanges.settledAt })
    .from(charges)
    .innerJoin(
      planChanges,
      and(eq(charges.purchaseKind, "plan_change"), eq(planChanges.id, charges.planChangeId)),
    )
    .where(eq(charges.id, chargeId))
    .limit(1);

function sideOf(
  { personId, isOwn, isModerator, memberId }: TransactionViewer,
  charge: TransactionCharge,
): TransactionSide | null {
  if (isOwn && charge.payerId === personId) return "payer";
  if (charge.creatorId === personId && charge.succeededAt !== null) return "seller";
  return isModerator && charge.payerId !== (memberId ?? personId) ? "moderation" : null;
}

/** A payer sees only the entries of the provider and of refunds on their way. */
const visibleEntries = (side: TransactionSide, entries: FigureEntry[]): FigureEntry[] =>
  side === "payer"
    ? entries.filter(
        ({ accountKind }) =>
          accountKind === "provider_clearing" || accountKind === "refund_in_transit",
      )
    : entries;

type FirstRow<Read extends (ctx: Context, chargeId: string) => PromiseLike<unknown[]>> =
  | Awaited<ReturnType<Read>>[number]
  | undefined;

type PaidItems = {
  change: FirstRow<typeof paidPlanChange>;
  single: FirstRow<typeof paidPurchase | typeof paidTip | typeof paidGift>;
  subscription: FirstRow<typeof paidSubscription>;
};

/** The right of withdrawal still runs for what the charge paid. */
function canWithdrawFrom(
  { change, single, subscription }: PaidItems,
  charge: TransactionCharge,
  now: number,
): boolean {
  if (change) return canWithdrawFromChange(change, now);
  if (single) return coolingOffRefundProblem(single, charge, now) === null;
  return subscription !== undefined && !subscription.isDisputed && canWithdraw(subscription, now);
}
