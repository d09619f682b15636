import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import { and, eq, gte, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import { HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { people } from "#drizzle/schema/identity.ts";
import { charges, inbox, refunds } from "#drizzle/schema/payments.ts";
import type { disputes } from "#drizzle/schema/payments.ts";
import { billingDetails, savedMethods } from "#drizzle/schema/billing.ts";
import { profiles } from "#drizzle/schema/profiles.ts";
import { remainingCents } from "./rules.ts";
import type { ChargeAmounts, ChargeStatus } from "./rules.ts";
import { payableCardProviders } from "#app/domain/payments/providers/rules/providers.ts";
import type { Payer } from "./schema.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";

export type Refund = typeof refunds.$inferSelect;
export type Dispute = typeof disputes.$inferSelect;
export type InboxEvent = typeof inbox.$inferSelect;

/** More than the unconfirmed refunds that one charge can have. */
const MOST_WAITING = 50;

/** Loads the whole row, for commands. */
export async function chargeRow(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<Charge | null> {
  const [row] = await ctx.db.select().from(charges).where(eq(charges.id, chargeId)).limit(1);
  return row ? toChargeRow(row) : null;
}

/**
 * What a charge request needs of its rows. The provider, the payer's CPF or CNPJ from billing
 * details, and the card's provider and removal.
 */
export type ChargeRequestRow = {
  provider: string;
  payerTaxId: string | null;
  cardProvider: string | null;
  cardRemovedAt: Instant | null;
};

/**
 * Null when no such charge exists. `payerTaxId` is null without billing details; `cardProvider` is
 * null for a card that is not saved.
 */
export async function chargeRequestRow(
  ctx: Context,
  { chargeId, savedMethodId = null }: { chargeId: string; savedMethodId?: string | null },
): Promise<ChargeRequestRow | null> {
  const [row] = await ctx.db
    .select({
      provider: charges.provider,
      payerTaxId: billingDetails.taxId,
      cardProvider: sql<string | null>`${savedMethods.provider}`.as("card_provider"),
      cardRemovedAt: savedMethods.removedAt,
    })
    .from(charges)
    .leftJoin(billingDetails, eq(billingDetails.personId, charges.payerId))
    .leftJoin(savedMethods, eq(savedMethods.id, savedMethodId ?? ""))
    .where(eq(charges.id, chargeId))
    .limit(1);
  return row ?? null;
}

/** Reports whether the payer has a CPF or CNPJ saved. */
export async function hasPayerTaxId(
  ctx: Context,
  { payerId }: { payerId: string },
): Promise<boolean> {
  const [savedCard] = await ctx.db
    .select({ personId: billingDetails.personId })
    .from(billingDetails)
    .where(eq(billingDetails.personId, payerId))
    .limit(1);
  return savedCard !== undefined;
}

/** Loads the payer, as far as a provider may know. */
export async function loadPayer(ctx: Context, { personId }: { personId: string }): Promise<Payer> {
  const [payer] = await ctx.db
    .select({ name: profiles.name, email: people.email, taxId: billingDetails.taxId })
    .from(people)
    .innerJoin(profiles, eq(profiles.personId, people.id))
    .leftJoin(billingDetails, eq(billingDetails.personId, people.id))
    .where(eq(people.id, personId))
    .limit(1);
  if (!payer) throw new Error(`no person ${personId}`);
  return payer;
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
  return row ? toChargeRow(row) : null;
}

/** The database refuses any other `status` (trigger `charges_update`). */
export const toChargeRow = (row: typeof charges.$inferSelect): Charge => ({
  ...row,
  status: row.status as ChargeStatus,
});

export async function refundRow(
  ctx: Context,
  { refundId }: { refundId: string },
): Promise<Refund | null> {
  const [row] = await ctx.db.select().from(refunds).where(eq(refunds.id, refundId)).limit(1);
  return row ?? null;
}

/** Column of `inbox`: the event is about a paid charge, and may report a refund. */
export const isPaidChargeEvent =
  sql<boolean>`EXISTS (SELECT 1 FROM charges paid WHERE paid.provider = "inbox"."provider" AND paid.provider_charge_id = "inbox"."object_id" AND paid.succeeded_at IS NOT NULL)`
    .mapWith((value: number) => value === 1)
    .as("is_paid");

/**
 * Lists unhandled events received before `before` (real time), oldest first, except failed ones in
 * retry back-off.
 */
export async function unhandledInboxEvents(
  ctx: Context,
  { before, limit }: { before: Instant; limit: number },
): Promise<(Pick<InboxEvent, "id" | "type"> & { isPaid: boolean })[]> {
  return await ctx.db
    .select({ id: inbox.id, type: inbox.type, isPaid: isPaidChargeEvent })
    .from(inbox)
    .where(
      and(
        isNull(inbox.handledAt),
        isNull(inbox.quarantinedAt),
        lt(inbox.receivedAt, before),
        isRetryDue(ctx, inbox.id),
      ),
    )
    .orderBy(inbox.receivedAt)
    .limit(limit);
}

/**
 * Returns when an unhandled event was received (real time); null if it is handled, quarantined or
 * missing.
 */
export async function unhandledSince(
  ctx: Context,
  { inboxId }: { inboxId: string },
): Promise<Instant | null> {
  const [row] = await ctx.db
    .select({ at: inbox.receivedAt })
    .from(inbox)
    .where(and(eq(inbox.id, inboxId), isNull(inbox.handledAt), isNull(inbox.quarantinedAt)))
    .limit(1);
  return row?.at ?? null;
}

/** How long a debit may go without an answer while it waits for its day or the bank. */
const DEBIT_SILENCE_MS = 6 * HOUR_MS;

/**
 * Lists unpaid charges that expired, or that should progress and were not asked about since
 * `askedBefore`. A debit under way waits some hours.
 */
export async function chargesToReconcile(
  ctx: Context,
  { now, askedBefore, limit }: { now: Instant; askedBefore: Instant; limit: number },
): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: charges.id })
    .from(charges)
    .where(
      and(
        isRetryDue(ctx, charges.id),
        or(
          and(
            inArray(charges.status, ["awaiting_payment", "requires_action"]),
            lte(charges.expiresAt, now),
          ),
          and(
            inArray(charges.status, ["created", "processing"]),
            lt(
              charges.askedAt,
              sql`CASE WHEN ${charges.debitOn} IS NOT NULL AND ${charges.status} = 'processing' AND ${charges.expiresAt} > ${now} THEN ${now - DEBIT_SILENCE_MS} ELSE ${askedBefore} END`,
            ),
          ),
        ),
      ),
    )
    .orderBy(charges.askedAt)
    .limit(limit);
  return rows.map((row) => row.id);
}

/**
 * Lists refunds that are decided and unconfirmed, oldest first. Refunds of a disputed charge wait
 * for the decision.
 */
export async function refundsToSend(ctx: Context, { limit }: { limit: number }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: refunds.id })
    .from(refunds)
    .innerJoin(charges, eq(charges.id, refunds.chargeId))
    .where(
      and(
        eq(refunds.status, "requested"),
        or(ne(charges.status, "disputed"), isNotNull(refunds.providerRefundId)),
        isRetryDue(ctx, refunds.id),
      ),
    )
    .orderBy(refunds.createdAt)
    .limit(limit);
  return rows.map((row) => row.id);
}

/** Lists the unconfirmed refunds of a charge, oldest first. */
export async function unconfirmedRefunds(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<Refund[]> {
  return await ctx.db
    .select()
    .from(refunds)
    .where(and(eq(refunds.chargeId, chargeId), eq(refunds.status, "requested")))
    .orderBy(refunds.createdAt)
    .limit(MOST_WAITING);
}

/** Sums the unconfirmed refunds of a charge (centavos). */
async function unconfirmedRefundsCents(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<Cents> {
  const [row] = await ctx.db
    .select({ cents: sql<Cents>`COALESCE(SUM(${refunds.amountCents}), 0)` })
    .from(refunds)
    .where(and(eq(refunds.chargeId, chargeId), eq(refunds.status, "requested")));
  return row?.cents ?? 0;
}

/**
 * Returns how much of a paid charge can still be refunded (centavos): not refunded, not under way,
 * not disputed and not lost.
 */
export async function refundableCents(
  ctx: Context,
  charge: ChargeAmounts & Pick<Charge, "id">,
): Promise<Cents> {
  return remainingCents(charge) - (await unconfirmedRefundsCents(ctx, { chargeId: charge.id }));
}

/** Counts a person's open checkouts at `now`. A renewal, requested by schedule, is none. */
export async function openChargesCount(
  ctx: Context,
  { payerId, now }: { payerId: string; now: Instant },
): Promise<number> {
  return await ctx.db.$count(charges, isOpenCheckout(payerId, now));
}

/** The condition behind `openChargesCount`, on `charges`. */
function isOpenCheckout(payerId: string, now: Instant) {
  const waits = inArray(charges.status, [
    "created",
    "awaiting_payment",
    "requires_action",
    "processing",
  ]);
  return and(
    eq(charges.payerId, payerId),
    isNull(charges.periodStartsAt),
    waits,
    sql`${charges.expiresAt} > ${now}`,
  );
}

/** The count of `openChargesCount` in SQL, for the condition of a write. */
export const openChargesSql = (payerId: string, now: Instant): SQL =>
  sql`(SELECT COUNT(*) FROM ${charges} WHERE ${isOpenCheckout(payerId, now)})`;

/** Reports whether this person has the card saved now, at the card acquirer. */
export async function isSavedMethodOf(
  ctx: Context,
  { personId, savedMethodId }: { personId: string; savedMethodId: string },
): Promise<boolean> {
  const isPayable = inArray(savedMethods.provider, [...payableCardProviders(ctx.payments)]);
  return (
    (await ctx.db.$count(
      savedMethods,
      and(
        eq(savedMethods.id, savedMethodId),
        eq(savedMethods.personId, personId),
        isNull(savedMethods.removedAt),
        isPayable,
      ),
    )) === 1
  );
}

/** The methods whose declines are limited. */
const LIMITED_METHODS = PAYMENT_METHODS.filter((method) => paymentMethods[method].limitsDeclines);

/** Counts a person's payments declined at checkout since `since`. */
export async function declinesCount(
  ctx: Context,
  { payerId, since }: { payerId: string; since: Instant },
): Promise<number> {
  const declined = and(
    inArray(charges.method, LIMITED_METHODS),
    eq(charges.status, "failed"),
    isNull(charges.periodStartsAt),
  );
  return await ctx.db.$count(
    charges,
    and(eq(charges.payerId, payerId), declined, gte(charges.createdAt, since)),
  );
}
