import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Context } from "#app/domain/context.ts";
import { entriesOfCharge } from "#app/domain/ledger/queries.server.ts";
import type { EntryRow } from "#app/domain/ledger/queries.server.ts";
import type { Cents } from "#app/domain/money.ts";
import { decodeCursor, pageOf } from "#app/domain/page.ts";
import type { Page } from "#app/domain/page.ts";
import type { Instant } from "#app/domain/time.ts";
import { documents } from "#drizzle/schema/documents.ts";
import { charges, disputes, inbox, refunds } from "#drizzle/schema/payments.ts";
import { plans } from "#drizzle/schema/plans.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";
import type { ChargeStatus } from "./rules.ts";
import type { PaymentMethod } from "./schema.ts";

export type Charge = Omit<typeof charges.$inferSelect, "status"> & { status: ChargeStatus };
export type Refund = typeof refunds.$inferSelect;
export type Dispute = typeof disputes.$inferSelect;
export type InboxEvent = typeof inbox.$inferSelect;

/** The whole row, for commands. */
export async function chargeRow(ctx: Context, { chargeId }: { chargeId: string }): Promise<Charge | null> {
  const [row] = await ctx.db.select().from(charges).where(eq(charges.id, chargeId)).limit(1);
  return row ? asCharge(row) : null;
}

export async function chargeByProviderId(
  ctx: Context,
  { provider, providerChargeId }: { provider: string; providerChargeId: string },
): Promise<Charge | null> {
  const [row] = await ctx.db
    .select()
    .from(charges)
    .where(and(eq(charges.provider, provider), eq(charges.providerChargeId, providerChargeId)))
    .limit(1);
  return row ? asCharge(row) : null;
}

/** The database refuses any other word in `status` (trigger `charges_update`). */
const asCharge = (row: typeof charges.$inferSelect): Charge => ({ ...row, status: row.status as ChargeStatus });

export async function refundRow(ctx: Context, { refundId }: { refundId: string }): Promise<Refund | null> {
  const [row] = await ctx.db.select().from(refunds).where(eq(refunds.id, refundId)).limit(1);
  return row ?? null;
}

export async function disputeByProviderId(ctx: Context, { providerDisputeId }: { providerDisputeId: string }): Promise<Dispute | null> {
  const [row] = await ctx.db.select().from(disputes).where(eq(disputes.providerDisputeId, providerDisputeId)).limit(1);
  return row ?? null;
}

export async function inboxEvent(ctx: Context, { inboxId }: { inboxId: string }): Promise<InboxEvent | null> {
  const [row] = await ctx.db.select().from(inbox).where(eq(inbox.id, inboxId)).limit(1);
  return row ?? null;
}

/** Deliveries received before `before` (real time) that nobody handled, oldest first. */
export async function waitingInbox(ctx: Context, { before, limit }: { before: Instant; limit: number }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: inbox.id })
    .from(inbox)
    .where(and(isNull(inbox.handledAt), isNull(inbox.quarantinedAt), lt(inbox.receivedAt, before)))
    .orderBy(inbox.receivedAt)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Unpaid charges that ran out, or of which nothing was heard since `askedBefore` while they should move by themselves. */
export async function chargesToAsk(
  ctx: Context,
  { now, askedBefore, limit }: { now: Instant; askedBefore: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: charges.id })
    .from(charges)
    .where(
      or(
        and(inArray(charges.status, ["awaiting_payment", "requires_action"]), lte(charges.expiresAt, now)),
        and(inArray(charges.status, ["created", "processing"]), lt(charges.askedAt, askedBefore)),
      ),
    )
    .orderBy(charges.askedAt)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Charges whose net may leave pending now, oldest first. Disputed ones wait for their decision. */
export async function chargesToRelease(ctx: Context, { now, limit }: { now: Instant; limit: number }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: charges.id })
    .from(charges)
    .where(and(isNull(charges.releasedAt), lte(charges.releaseAt, now), inArray(charges.status, ["succeeded", "partially_refunded", "dispute_won"])))
    .orderBy(charges.releaseAt)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Refunds decided but not yet confirmed by the provider. */
export async function refundsToSend(ctx: Context, { limit }: { limit: number }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: refunds.id })
    .from(refunds)
    .where(eq(refunds.status, "requested"))
    .orderBy(refunds.createdAt)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Checkouts of a person that still wait to be paid at `now`. A renewal is asked for by the calendar and is none. */
export async function openChargesCount(ctx: Context, { payerId, now }: { payerId: string; now: Instant }): Promise<number> {
  return await ctx.db.$count(charges, isOpenCheckout(payerId, now));
}

/** The condition behind `openChargesCount`, on `charges`. */
export function isOpenCheckout(payerId: string, now: Instant) {
  const waits = inArray(charges.status, ["created", "awaiting_payment", "requires_action", "processing"]);
  return and(eq(charges.payerId, payerId), isNull(charges.periodStartsAt), waits, sql`${charges.expiresAt} > ${now}`);
}

/** Cards of a person that were declined at a checkout since `since`. */
export async function declinesCount(ctx: Context, { payerId, since }: { payerId: string; since: Instant }): Promise<number> {
  const declined = and(eq(charges.method, "card"), eq(charges.status, "failed"), isNull(charges.periodStartsAt));
  return await ctx.db.$count(charges, and(eq(charges.payerId, payerId), declined, gte(charges.createdAt, since)));
}

/** How often the subscription that a charge pays for renews; its words are in plans/schema.ts, above this module. */
type Interval = (typeof subscriptions.$inferSelect)["interval"];

export type CheckoutCharge = {
  id: string;
  status: ChargeStatus;
  method: PaymentMethod;
  amountCents: Cents;
  pixCode: string | null;
  nextActionUrl: string | null;
  expiresAt: Instant | null;
  failureCode: string | null;
  description: string;
  planId: string | null;
  planName: string | null;
  interval: Interval | null;
  creatorName: string;
  creatorUsername: string;
  creatorAvatarMediaId: string | null;
  createdAt: Instant;
  refundedCents: Cents;
  refundReason: string | null;
};

/** What the page of one payment shows to the person who pays; null for anyone else. */
export async function checkoutCharge(
  ctx: Context,
  { memberId, chargeId }: { memberId: string; chargeId: string },
): Promise<CheckoutCharge | null> {
  const [row] = await ctx.db
    .select({
      id: charges.id,
      status: sql<ChargeStatus>`${charges.status}`,
      method: charges.method,
      amountCents: charges.amountCents,
      pixCode: charges.pixCode,
      nextActionUrl: charges.nextActionUrl,
      expiresAt: charges.expiresAt,
      failureCode: charges.failureCode,
      description: charges.description,
      planId: plans.id,
      planName: plans.name,
      interval: subscriptions.interval,
      creatorName: profiles.name,
      creatorUsername: profiles.username,
      creatorAvatarMediaId: profiles.avatarMediaId,
      createdAt: charges.createdAt,
      refundedCents: charges.refundedCents,
      refundReason: sql<string | null>`(SELECT ${refunds.reason} FROM ${refunds} WHERE ${refunds.chargeId} = ${charges.id} ORDER BY ${refunds.createdAt} DESC LIMIT 1)`,
    })
    .from(charges)
    .innerJoin(profiles, eq(profiles.personId, charges.creatorId))
    .leftJoin(subscriptions, and(eq(charges.purchaseKind, "subscription"), eq(subscriptions.id, charges.purchaseId)))
    .leftJoin(plans, eq(plans.id, subscriptions.planId))
    .where(and(eq(charges.id, chargeId), eq(charges.payerId, memberId)))
    .limit(1);
  return row ?? null;
}

export type TransactionRow = {
  id: string;
  createdAt: Instant;
  description: string;
  amountCents: Cents;
  feeCents: Cents;
  netCents: Cents;
  method: PaymentMethod;
  status: ChargeStatus;
  direction: "paid" | "received";
  counterpartName: string;
  refundedCents: Cents;
};

const payer = alias(profiles, "payer");
const seller = alias(profiles, "seller");

function transactionColumns(personId: string) {
  return {
    id: charges.id,
    createdAt: charges.createdAt,
    description: charges.description,
    amountCents: charges.amountCents,
    feeCents: charges.feeCents,
    netCents: charges.netCents,
    method: charges.method,
    status: sql<ChargeStatus>`${charges.status}`,
    direction: sql<"paid" | "received">`CASE WHEN ${charges.payerId} = ${personId} THEN 'paid' ELSE 'received' END`,
    counterpartName: sql<string>`CASE WHEN ${charges.payerId} = ${personId} THEN ${seller.name} ELSE ${payer.name} END`,
    refundedCents: charges.refundedCents,
  };
}

/** A payer sees each of their attempts; a creator what was really received. */
const involves = (personId: string) =>
  or(eq(charges.payerId, personId), and(eq(charges.creatorId, personId), isNotNull(charges.succeededAt)));

/** Payments made and received by one person, newest first. */
export async function transactionsOf(
  ctx: Context,
  { personId, cursor, limit }: { personId: string; cursor: string | null; limit: number },
): Promise<Page<TransactionRow>> {
  const after = decodeCursor(cursor);
  const rows: TransactionRow[] = await ctx.db
    .select(transactionColumns(personId))
    .from(charges)
    .innerJoin(payer, eq(payer.personId, charges.payerId))
    .innerJoin(seller, eq(seller.personId, charges.creatorId))
    .where(and(involves(personId), after ? sql`(${charges.createdAt}, ${charges.id}) < (${after.at}, ${after.id})` : undefined))
    .orderBy(desc(charges.createdAt), desc(charges.id))
    .limit(limit + 1);
  return pageOf(rows, limit, (row) => ({ at: row.createdAt, id: row.id }));
}

export type TransactionDetail = TransactionRow & {
  succeededAt: Instant | null;
  releaseAt: Instant | null;
  releasedAt: Instant | null;
  entries: EntryRow[];
  refunds: { amountCents: Cents; status: Refund["status"]; reason: string; createdAt: Instant }[];
  /** Who sold, as the receipt must name them (Decreto 7.962/2013). The CPF is whole: mask it before it leaves the server. */
  seller: { name: string; cpf: string } | null;
};

/** One payment with the ledger entries behind it; null for who neither paid nor received it. Only the receiver sees entries. */
export async function transactionOf(
  ctx: Context,
  { personId, chargeId }: { personId: string; chargeId: string },
): Promise<TransactionDetail | null> {
  const [rows, entries, refundRows] = await ctx.db.batch([
    ctx.db
      .select({ ...transactionColumns(personId), succeededAt: charges.succeededAt, releaseAt: charges.releaseAt, releasedAt: charges.releasedAt, sellerName: documents.fullName, sellerCpf: documents.cpf })
      .from(charges)
      .innerJoin(payer, eq(payer.personId, charges.payerId))
      .innerJoin(seller, eq(seller.personId, charges.creatorId))
      .leftJoin(documents, eq(documents.personId, charges.creatorId))
      .where(and(eq(charges.id, chargeId), involves(personId)))
      .limit(1),
    entriesOfCharge(ctx, { chargeId }),
    ctx.db
      .select({ amountCents: refunds.amountCents, status: refunds.status, reason: refunds.reason, createdAt: refunds.createdAt })
      .from(refunds)
      .where(eq(refunds.chargeId, chargeId))
      .orderBy(refunds.createdAt)
      .limit(50),
  ]);
  const found = rows[0];
  if (!found) return null;
  const { sellerName, sellerCpf, ...row } = found;
  return {
    ...row,
    entries: row.direction === "received" ? entries : [],
    refunds: refundRows,
    seller: sellerName !== null && sellerCpf !== null ? { name: sellerName, cpf: sellerCpf } : null,
  };
}
