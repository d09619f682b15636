import { and, asc, desc, eq, gt, inArray, isNotNull, ne, notInArray, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { announcementStatement } from "#app/domain/outbox.server.ts";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { DueStepInput } from "#app/domain/subscriptions/renewals/rules/due-step.ts";
import { reminderKey } from "#app/domain/subscriptions/renewals/rules/calendar.ts";
import type { PeriodSlice } from "#app/domain/subscriptions/pauses/rules.ts";
import type { Instant } from "#app/domain/time.ts";
import { latePriceChangeStatement } from "#app/domain/subscriptions/price-changes/queries/price-changes.server.ts";
import type { PriceChange } from "#app/domain/subscriptions/price-changes/queries/price-changes.server.ts";
import { billingDetails } from "#drizzle/schema/billing.ts";
import { chargePeriods, charges } from "#drizzle/schema/payments.ts";
import { subscriptions } from "#drizzle/schema/subscriptions.ts";

/** More than can be open at once: a period has one. */
const MOST_OPEN = 10;
const WAITING = ["created", "awaiting_payment", "requires_action", "processing"];

/**
 * Renewal charges of a subscription that may still be paid, oldest first. Those of the period that
 * starts at `besides` are omitted.
 */
export async function openRenewals(
  ctx: Context,
  { subscriptionId, exceptStart = null }: { subscriptionId: string; exceptStart?: Instant | null },
): Promise<string[]> {
  const rows = await openRenewalsStatement(ctx, {
    subscriptionId: sql`${subscriptionId}`,
    exceptStart,
  });
  return rows.map((row) => row.id);
}

/** The statement of `openRenewals`. It may be built once. */
export const openRenewalsStatement = (
  { db }: Pick<Context, "db">,
  {
    subscriptionId,
    exceptStart = null,
  }: { subscriptionId: SQL<string>; exceptStart?: Instant | null },
) =>
  db
    .select({ id: charges.id })
    .from(charges)
    .where(
      and(
        eq(charges.purchaseKind, "subscription"),
        eq(charges.purchaseId, subscriptionId),
        isNotNull(charges.periodStartsAt),
        exceptStart === null ? undefined : ne(charges.periodStartsAt, exceptStart),
        inArray(charges.status, WAITING),
      ),
    )
    .orderBy(asc(charges.createdAt))
    .limit(MOST_OPEN);

/**
 * The statement of the period slices that a subscription has paid, the last first. It may be built
 * once.
 */
export const latestCoveredPeriodsStatement = (
  { db }: Pick<Context, "db">,
  { subscriptionId }: { subscriptionId: SQL<string> },
) =>
  db
    .select({
      chargeId: chargePeriods.chargeId,
      startsAt: chargePeriods.startsAt,
      endsAt: chargePeriods.endsAt,
    })
    .from(chargePeriods)
    .where(eq(chargePeriods.subscriptionId, subscriptionId))
    .orderBy(desc(chargePeriods.startsAt))
    .limit(MOST_AHEAD);

/** Whether the subscriber changed the payment method of its renewals after `since`. */
export async function wasMethodChanged(
  ctx: Context,
  { subscriptionId, since }: { subscriptionId: string; since: Instant },
): Promise<boolean> {
  return (
    (await ctx.db.$count(
      subscriptions,
      and(eq(subscriptions.id, subscriptionId), gt(subscriptions.methodChangedAt, since)),
    )) > 0
  );
}

/** More than the retries of a period and the other cards that a subscriber tries. */
const MOST_ATTEMPTS = 50;

/**
 * A refunded charge pays for nothing, and an unpaid code for several periods is no renewal: the
 * period is charged again.
 */
const stillCounts = sql`NOT (${charges.status} IN ('refunded', 'dispute_lost') OR (${charges.periodsCents} IS NOT NULL AND ${charges.status} IN ('failed', 'expired', 'canceled')))`;

export type CalendarInputs = Omit<DueStepInput, "now" | "isDebited" | "isAway"> & {
  /** When the calendar's check was due; null for none. */ calendarAt: Instant | null;
  /** A price change still to propose to this subscriber. */ lateAsk: PriceChange | null;
  /** The open Pix code of that period. */ openCode: OpenCode | null;
};

/** A Pix code that was sent and can still be paid by hand, with its amount in centavos. */
export type OpenCode = { chargeId: string; amountCents: Cents; pixCode: string; payUntil: Instant };

type CalendarRequest = {
  subscriptionId: string;
  endsAt: Instant;
  leadDays: number | null;
  isOver: boolean;
};

/**
 * Loads what `dueStep` needs besides the subscription. `endsAt` is the end of its period;
 * `leadDays` are those of the current reminder. Once the subscription is over (`isOver`), the
 * attempts of all periods are loaded. A pause or a vacation can move the period's end away from a
 * code that was sent for it.
 */
export async function loadCalendarInputs(
  ctx: Context,
  { subscriptionId, endsAt, leadDays, isOver }: CalendarRequest,
): Promise<CalendarInputs> {
  const [attempts, [dates], notice, [late]] = await ctx.db.batch([
    ctx.db
      .select({
        chargeId: charges.id,
        amountCents: charges.amountCents,
        pixCode: charges.pixCode,
        expiresAt: charges.expiresAt,
        status: charges.status,
        method: charges.method,
        failureCode: charges.failureCode,
        createdAt: charges.createdAt,
        recurringPixId: charges.recurringPixId,
        debitOn: charges.debitOn,
        periodsCents: charges.periodsCents,
      })
      .from(charges)
      .where(
        and(
          eq(charges.purchaseKind, "subscription"),
          eq(charges.purchaseId, subscriptionId),
          isOver ? isNotNull(charges.periodStartsAt) : eq(charges.periodStartsAt, endsAt),
          stillCounts,
        ),
      )
      .orderBy(desc(charges.createdAt))
      .limit(MOST_ATTEMPTS),
    ctx.db
      .select({
        calendarAt: subscriptions.calendarAt,
        methodChangedAt: subscriptions.methodChangedAt,
      })
      .from(subscriptions)
      .where(eq(subscriptions.id, subscriptionId))
      .limit(1),
    announcementStatement(
      ctx,
      leadDays === null ? "" : reminderKey(subscriptionId, endsAt, leadDays),
    ),
    latePriceChangeStatement(ctx, { subscriptionId }),
  ]);
  return {
    attempts: attempts
      .toReversed()
      .map(({ status, method, failureCode, createdAt, recurringPixId, debitOn, periodsCents }) => ({
        status: status as ChargeStatus,
        method,
        failureCode,
        createdAt,
        recurringPixId,
        debitOn,
        periodsCents,
      })),
    methodChangedAt: dates?.methodChangedAt ?? null,
    calendarAt: dates?.calendarAt ?? null,
    isReminded: notice.length > 0,
    lateAsk: late?.ask ?? null,
    openCode: attempts.map(asOpenCode).find((one) => one !== null) ?? null,
  };
}

type RenewalChargeAttempt = Pick<
  typeof charges.$inferSelect,
  "amountCents" | "pixCode" | "expiresAt" | "status" | "recurringPixId" | "periodsCents"
> & { chargeId: string };

function asOpenCode({
  chargeId,
  amountCents,
  pixCode,
  expiresAt,
  status,
  recurringPixId,
  periodsCents,
}: RenewalChargeAttempt): OpenCode | null {
  // A prepayment has another price than the renewal.
  return status === "awaiting_payment" &&
    recurringPixId === null &&
    periodsCents === null &&
    pixCode !== null &&
    expiresAt !== null
    ? { chargeId, amountCents, pixCode, payUntil: expiresAt }
    : null;
}

/** The key by which a missing CPF or CNPJ is notified once a period. */
export const taxIdRequestKey = (subscriptionId: string, endsAt: Instant): string =>
  `subscription:${subscriptionId}:tax_id:${endsAt}`;

/**
 * Whether the code of the period that starts at `endsAt` lacks its payer's CPF or CNPJ. "notified"
 * when that was notified; null when it lacks nothing. One round trip.
 */
export async function missingTaxId(
  ctx: Context,
  { id, fanId }: { id: string; fanId: string },
  endsAt: Instant,
): Promise<"not_notified" | "notified" | null> {
  const [details, notice] = await ctx.db.batch([
    ctx.db
      .select({ personId: billingDetails.personId })
      .from(billingDetails)
      .where(eq(billingDetails.personId, fanId))
      .limit(1),
    announcementStatement(ctx, taxIdRequestKey(id, endsAt)),
  ]);
  if (details.length > 0) return null;
  return notice.length > 0 ? "notified" : "not_notified";
}

/** More periods than a subscription can have prepaid. */
const MOST_AHEAD = 120;

/** The period slices that charges cover after `at`, earliest start first, without refunded ones. */
export async function coveredAfter(
  ctx: Context,
  { subscriptionId, at }: { subscriptionId: string; at: Instant },
): Promise<PeriodSlice[]> {
  return await coveredAfterStatement(ctx, { subscriptionId: sql`${subscriptionId}`, at });
}

/** The statement of `coveredAfter`. It may be built once. */
export const coveredAfterStatement = (
  { db }: Pick<Context, "db">,
  { subscriptionId, at }: { subscriptionId: SQL<string>; at: Instant | SQL<Instant> },
) =>
  db
    .select({
      id: chargePeriods.id,
      chargeId: chargePeriods.chargeId,
      startsAt: chargePeriods.startsAt,
      endsAt: chargePeriods.endsAt,
      isDifference: chargePeriods.isDifference,
      amountCents: chargePeriods.amountCents,
    })
    .from(chargePeriods)
    .innerJoin(charges, eq(charges.id, chargePeriods.chargeId))
    .where(
      and(
        eq(chargePeriods.subscriptionId, subscriptionId),
        gt(chargePeriods.endsAt, at),
        notInArray(charges.status, ["refunded", "dispute_lost"]),
      ),
    )
    .orderBy(asc(chargePeriods.startsAt))
    .limit(MOST_AHEAD);
