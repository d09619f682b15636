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
import { methodSchema } from "./schema.ts";
import type { Payer } from "./schema.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";

export type Refund = typeof refunds.$inferSelect;
export type Dispute = typeof disputes.$inferSelect;
export type InboxEvent = typeof inbox.$inferSelect;

/** More refunds of one charge than ever wait at once. */
const MOST_WAITING = 50;

/** The whole row, for commands. */
export async function chargeRow(
  ctx: Context,
  { chargeId }: { chargeId: string },
): Promise<Charge | null> {
  const [row] = await ctx.db.select().from(charges).where(eq(charges.id, chargeId)).limit(1);
  return row ? toChargeRow(row) : null;
}

/**
 * What asking for a charge needs of its rows: its provider, the CPF or CNPJ that whoever pays gave
 * for their receipts, and who keeps the card that is to pay, or that its person removed it.
 */
export type ChargeRequestRow = {
  provider: string;
  payerTaxId: string | null;
  cardProvider: string | null;
  cardRemovedAt: Instant | null;
};

/**
 * Null when there is no such charge; `payerTaxId` without one; `cardProvider` for a card that
 * nobody keeps.
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

/** Whether a CPF or CNPJ is kept of who pays. */
export async function hasPayerTaxId(
  ctx: Context,
  { payerId }: { payerId: string },
): Promise<boolean> {
  const [kept] = await ctx.db
    .select({ personId: billingDetails.personId })
    .from(billingDetails)
    .where(eq(billingDetails.personId, payerId))
    .limit(1);
  return kept !== undefined;
}

/** Who pays, as far as a provider may know. */
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

/** The database refuses any other word in `status` (trigger `charges_update`). */
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

/**
 * Whether a row of `inbox` tells of a charge that is paid already, of which news may be that money
 * went back; a column of it.
 */
export const isPaidChargeEvent =
  sql<boolean>`EXISTS (SELECT 1 FROM charges paid WHERE paid.provider = "inbox"."provider" AND paid.provider_charge_id = "inbox"."object_id" AND paid.succeeded_at IS NOT NULL)`
    .mapWith((value: number) => value === 1)
    .as("is_paid");

/**
 * Deliveries received before `before` (real time) that nobody handled, oldest first, but those that
 * failed and wait.
 */
export async function unhandledInboxEvents(
  ctx: Context,
  { before, limit }: { before: Instant; limit: number },
): Promise<(Pick<InboxEvent, "id" | "type" | "provider" | "objectId"> & { isPaid: boolean })[]> {
  return await ctx.db
    .select({
      id: inbox.id,
      type: inbox.type,
      provider: inbox.provider,
      objectId: inbox.objectId,
      isPaid: isPaidChargeEvent,
    })
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
 * When a delivery was received (real time), or null where it is handled or set aside, or is not
 * there.
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

/** How long nothing may be heard of a debit that waits for its day, or for the bank's answer. */
const DEBIT_SILENCE_MS = 6 * HOUR_MS;

/**
 * Unpaid charges that ran out, or of which nothing was heard since `askedBefore` while they should
 * move by themselves; of a debit under way, since some hours.
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
 * Refunds decided but not yet confirmed by the provider, oldest first; what the bank fights over
 * waits for its decision.
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

/** Refunds of a charge that are not confirmed yet, oldest first. */
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

/** What was decided to go back of a charge and is not confirmed yet (centavos). */
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
 * What of a paid charge can still go back (centavos): it did not, is not on its way, and no bank
 * fights over it nor took it.
 */
export async function refundableCents(
  ctx: Context,
  charge: ChargeAmounts & Pick<Charge, "id">,
): Promise<Cents> {
  return remainingCents(charge) - (await unconfirmedRefundsCents(ctx, { chargeId: charge.id }));
}

/**
 * Checkouts of a person that still wait to be paid at `now`. A renewal is asked for by the calendar
 * and is none.
 */
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

/** The number behind `openChargesCount`, for the condition of a write. */
export const openChargesSql = (payerId: string, now: Instant): SQL =>
  sql`(SELECT COUNT(*) FROM ${charges} WHERE ${isOpenCheckout(payerId, now)})`;

/** Whether a card is kept, now, by this person, at who takes cards. */
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

/** The methods of which declines are counted. */
const LIMITED_METHODS = methodSchema.options.filter(
  (method) => paymentMethods[method].limitsDeclines,
);

/** Payments of a person that were declined at a checkout since `since`. */
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
