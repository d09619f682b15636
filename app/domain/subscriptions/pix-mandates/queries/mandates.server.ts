import { and, asc, eq, inArray, isNotNull, isNull, lt, notInArray, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { chargeRow } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import { isRetryDue } from "#app/domain/retry-backoff/queries.server.ts";
import type { PixMandate } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { recurringPix, subscriptions } from "#drizzle/schema/subscriptions.ts";

const LIVING = ["created", "active"] as const;

/** The whole row, for commands. */
export async function mandateRow(
  ctx: Context,
  { mandateId }: { mandateId: string },
): Promise<PixMandate | null> {
  const [row] = await mandateStatement(ctx, { mandateId: sql`${mandateId}` });
  return row ?? null;
}

/** The statement of one mandate. It may be built once. */
export const mandateStatement = (
  { db }: Pick<Context, "db">,
  { mandateId }: { mandateId: SQL<string> },
) => db.select().from(recurringPix).where(eq(recurringPix.id, mandateId)).limit(1);

/**
 * A mandate by the provider's id. If that id is not saved yet, it is found by our own id, which the
 * provider was given. Null when it is not ours, or is another provider's.
 */
async function mandateByProviderId(
  ctx: Context,
  {
    provider,
    providerRecurringPixId,
    reference,
  }: { provider: string; providerRecurringPixId: string; reference: string | null },
): Promise<PixMandate | null> {
  const byProvider = and(
    eq(recurringPix.provider, provider),
    eq(recurringPix.providerRecurringPixId, providerRecurringPixId),
  );
  const [row] = await ctx.db.select().from(recurringPix).where(byProvider).limit(1);
  const mandate =
    row ?? (reference === null ? null : await mandateRow(ctx, { mandateId: reference }));
  return mandate?.provider === provider ? mandate : null;
}

/**
 * Our charge for a charge that the provider reports, by the reference that we gave. A charge that
 * the provider made from a mandate has no reference, and is found by the mandate.
 */
export async function chargeOfProviderCharge(
  ctx: Context,
  {
    provider,
    providerCharge: { reference, recurringPixId },
  }: { provider: string; providerCharge: Pick<ProviderCharge, "reference" | "recurringPixId"> },
): Promise<Charge | null> {
  if (reference !== null) return await chargeRow(ctx, { chargeId: reference });
  const mandate =
    recurringPixId === null
      ? null
      : await mandateByProviderId(ctx, {
          provider,
          providerRecurringPixId: recurringPixId,
          reference,
        });
  return mandate && (await chargeRow(ctx, { chargeId: mandate.firstChargeId }));
}

/**
 * Whether a debit of the period that starts at `startsAt` was ordered, or is about to be. A
 * canceled one does not count.
 */
export async function wasDebitOrdered(
  ctx: Context,
  { subscriptionId, startsAt }: { subscriptionId: string; startsAt: Instant },
): Promise<boolean> {
  const isOrdered = and(
    isNotNull(charges.debitOn),
    notInArray(charges.status, ["canceled", "refunded", "dispute_lost"]),
  );
  return (
    (await ctx.db.$count(
      charges,
      and(
        eq(charges.purchaseKind, "subscription"),
        eq(charges.purchaseId, subscriptionId),
        eq(charges.periodStartsAt, startsAt),
        isOrdered,
      ),
    )) > 0
  );
}

/** How long an active mandate may go without an update. */
type MandateSilence = { askedBefore: Instant; quietSince: Instant; now: Instant; limit: number };

/**
 * Mandates to ask the provider about: unclear, ending or starting ones, those whose code expired,
 * and those without an update since `quietSince`.
 */
export async function mandatesToReconcile(
  ctx: Context,
  { askedBefore, quietSince, now, limit }: MandateSilence,
): Promise<string[]> {
  const moves = or(
    isNotNull(recurringPix.endingAt),
    and(eq(recurringPix.status, "active"), isNull(recurringPix.attachedAt)),
    and(
      eq(recurringPix.status, "created"),
      or(
        isNull(recurringPix.providerRecurringPixId),
        sql`${recurringPix.expiresAt} <= ${now}`,
        isFirstPaid,
      ),
    ),
  );
  const rows = await ctx.db
    .select({ id: recurringPix.id })
    .from(recurringPix)
    .where(
      and(
        sql`status IN ('created', 'active')`,
        or(and(lt(recurringPix.askedAt, askedBefore), moves), lt(recurringPix.askedAt, quietSince)),
        isRetryDue(ctx, recurringPix.id),
      ),
    )
    .orderBy(asc(recurringPix.askedAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

const isFirstPaid = sql`EXISTS (SELECT 1 FROM charges paid WHERE paid.id = "recurring_pix"."first_charge_id" AND paid.succeeded_at IS NOT NULL)`;

const UNDER_WAY = and(
  isNotNull(charges.debitOn),
  inArray(charges.status, ["created", "processing"]),
);

/**
 * Debits in progress that are no longer wanted. Their subscription was canceled, paused, paid
 * otherwise, or renews by something else. Only those not asked about since `askedBefore`.
 */
export async function debitsToCancel(
  ctx: Context,
  { askedBefore, limit }: { askedBefore: Instant; limit: number },
): Promise<string[]> {
  const isWanted = sql`EXISTS (SELECT 1 FROM subscriptions renewing WHERE renewing.id = ${charges.purchaseId} AND renewing.status IN ('active', 'requires_action', 'past_due')
    AND renewing.current_period_ends_at = ${charges.periodStartsAt} AND renewing.recurring_pix_id = ${charges.recurringPixId})`;
  const rows = await ctx.db
    .select({ id: charges.id })
    .from(charges)
    .where(
      and(
        UNDER_WAY,
        lt(charges.askedAt, askedBefore),
        sql`debit_on IS NOT NULL AND NOT ${isWanted}`,
        isRetryDue(ctx, charges.id),
      ),
    )
    .orderBy(asc(charges.askedAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** Debits that the bank refused and that are due to be ordered again. */
export async function debitsToRetry(ctx: Context, { limit }: { limit: number }): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: charges.id })
    .from(charges)
    .where(
      and(
        sql`debit_on IS NOT NULL`,
        eq(charges.status, "processing"),
        isNotNull(charges.failureCode),
        isRetryDue(ctx, charges.id),
      ),
    )
    .orderBy(asc(charges.askedAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

type PendingDebit = {
  chargeId: string;
  amountCents: Cents;
  debitOn: string;
  /** The bank refused it, and a retry is due. */ isRefused: boolean;
};

/**
 * What a page shows of a subscription's Pix mandate: the active one, one whose code is open, and
 * the debit in progress.
 */
export type PixMandateView = {
  mandate: Pick<
    PixMandate,
    "id" | "amountCents" | "ceilingCents" | "interval" | "attachedAt"
  > | null;
  waitingChargeId: string | null;
  debit: PendingDebit | null;
};

/** Loads everything about the Pix mandate of one subscription, in one round trip. */
export async function pixMandateOf(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<PixMandateView> {
  const [mandates, waiting, debits] = await ctx.db.batch([
    ctx.db
      .select({
        id: recurringPix.id,
        amountCents: recurringPix.amountCents,
        ceilingCents: recurringPix.ceilingCents,
        interval: recurringPix.interval,
        attachedAt: recurringPix.attachedAt,
      })
      .from(subscriptions)
      .innerJoin(recurringPix, eq(recurringPix.id, subscriptions.recurringPixId))
      .where(eq(subscriptions.id, subscriptionId))
      .limit(1),
    ctx.db
      .select({ chargeId: charges.id })
      .from(recurringPix)
      .innerJoin(charges, eq(charges.id, recurringPix.firstChargeId))
      .where(
        and(
          eq(recurringPix.subscriptionId, subscriptionId),
          inArray(recurringPix.status, [...LIVING]),
          isNull(recurringPix.attachedAt),
          isNull(recurringPix.endingAt),
          eq(charges.status, "awaiting_payment"),
        ),
      )
      .limit(1),
    ctx.db
      .select({
        chargeId: charges.id,
        amountCents: charges.amountCents,
        debitOn: charges.debitOn,
        failureCode: charges.failureCode,
      })
      .from(charges)
      .where(
        and(
          eq(charges.purchaseKind, "subscription"),
          eq(charges.purchaseId, subscriptionId),
          UNDER_WAY,
        ),
      )
      .limit(1),
  ]);
  const [debit] = debits;
  return {
    mandate: mandates[0] ?? null,
    waitingChargeId: waiting[0]?.chargeId ?? null,
    debit: debit?.debitOn
      ? {
          chargeId: debit.chargeId,
          amountCents: debit.amountCents,
          debitOn: debit.debitOn,
          isRefused: debit.failureCode !== null,
        }
      : null,
  };
}
