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
  { authorisationId }: { authorisationId: string },
): Promise<PixMandate | null> {
  const [row] = await mandateStatement(ctx, { authorisationId: sql`${authorisationId}` });
  return row ?? null;
}

/** The statement of one authorisation. It may be built once. */
export const mandateStatement = (
  { db }: Pick<Context, "db">,
  { authorisationId }: { authorisationId: SQL<string> },
) => db.select().from(recurringPix).where(eq(recurringPix.id, authorisationId)).limit(1);

/**
 * An authorisation by the provider's id, which may not be written down yet: then by our own, which
 * the provider was given. Null when it is not ours, or another provider's.
 */
export async function mandateByProviderId(
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
  const told =
    row ?? (reference === null ? null : await mandateRow(ctx, { authorisationId: reference }));
  return told?.provider === provider ? told : null;
}

/**
 * The charge that a provider tells of: by the reference that we gave it; what the provider made of
 * an authorisation by itself has none, and is known by that.
 */
export async function chargeOfProviderCharge(
  ctx: Context,
  {
    provider,
    said: { reference, recurringPixId },
  }: { provider: string; said: Pick<ProviderCharge, "reference" | "recurringPixId"> },
): Promise<Charge | null> {
  if (reference !== null) return await chargeRow(ctx, { chargeId: reference });
  const authorisation =
    recurringPixId === null
      ? null
      : await mandateByProviderId(ctx, {
          provider,
          providerRecurringPixId: recurringPixId,
          reference,
        });
  return authorisation && (await chargeRow(ctx, { chargeId: authorisation.firstChargeId }));
}

/**
 * Whether a debit for the period that begins at `startsAt` was ordered, or is about to be; one that
 * was taken back was not.
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

/** How long an active authorisation may stay silent. */
type MandateSilence = { askedBefore: Instant; quietSince: Instant; now: Instant; limit: number };

/**
 * Authorisations of which the provider is to be asked: unclear ones, those to end or to take up,
 * those whose code ran out, and the ones silent since `quietSince`.
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
 * Debits under way that are not to be taken any more: their subscription stopped, rests, was paid
 * otherwise or renews by something else. Not asked since `askedBefore`.
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

/** Debits that the bank refused and that wait to be ordered once more. */
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
  /** The bank said no to it, and is to be asked again. */ isRefused: boolean;
};

/**
 * What a page says of a subscription's Pix Automático: the authorisation that stands, one whose
 * code waits, and the debit under way.
 */
export type PixMandateView = {
  authorisation: Pick<
    PixMandate,
    "id" | "amountCents" | "ceilingCents" | "interval" | "attachedAt"
  > | null;
  waitingChargeId: string | null;
  debit: PendingDebit | null;
};

/** Everything about the Pix Automático of one subscription, in one round trip. */
export async function pixMandateOf(
  ctx: Context,
  { subscriptionId }: { subscriptionId: string },
): Promise<PixMandateView> {
  const [standing, waiting, debits] = await ctx.db.batch([
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
    authorisation: standing[0] ?? null,
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
