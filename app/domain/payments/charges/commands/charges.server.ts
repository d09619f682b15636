import { and, eq, inArray, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { chargeSucceeded, debtPaid } from "#app/domain/ledger/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import { openChargesSql } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { withCapturedAmount, statusesBefore } from "#app/domain/payments/rules.ts";
import { releaseAt } from "#app/domain/payments/releases/rules/release-time.ts";
import {
  payableCardProviders,
  acquirerFor,
} from "#app/domain/payments/providers/rules/providers.ts";
import { planReleaseParts } from "#app/domain/payments/releases/rules/releases.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { ProviderCharge } from "#app/domain/payments/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { chargePeriods, chargeReleases, charges } from "#drizzle/schema/payments.ts";
import { chargeFeeSql } from "#app/domain/payments/fees/queries.server.ts";
import { accountBalanceUnchanged } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import { providerCostStatements } from "#app/domain/payments/fees/commands/costs.server.ts";
import { insertReleasesStatement } from "#app/domain/payments/releases/commands/releases.server.ts";

export type NewCharge = {
  id: string;
  payerId: string;
  creatorId: string;
  purchaseKind: Charge["purchaseKind"];
  purchaseId: string;
  description: string;
  amountCents: Cents;
  method: PaymentMethod;
  expiresAt: Instant;
  period: { startsAt: Instant; endsAt: Instant } | null;
  /** The price of each period, where the charge covers several. */
  periodsCents?: Cents[];
  /**
   * The Pix mandate of the charge. Without `debitOn` the mandate's code pays it. With a day
   * (`YYYY-MM-DD`, São Paulo) the charge is debited from the mandate. `provider` is the mandate's.
   */
  automatic?: { recurringPixId: string; debitOn: string | null; provider?: string } | null;
  /** The plan change that the charge pays for. */
  planChangeId?: string | null;
};

/**
 * Builds the statement that inserts a charge before the provider knows of it. Its fee is fixed
 * here.
 */
export function newChargeStatement(ctx: Context, charge: NewCharge): BatchWrite {
  const now = ctx.now();
  return ctx.db.insert(charges).values({
    id: charge.id,
    payerId: charge.payerId,
    creatorId: charge.creatorId,
    purchaseKind: charge.purchaseKind,
    purchaseId: charge.purchaseId,
    planChangeId: charge.planChangeId ?? null,
    description: charge.description,
    amountCents: charge.amountCents,
    ...(charge.purchaseKind === "debt"
      ? { feeBasisPoints: 0, feeCents: 0, netCents: charge.amountCents }
      : chargeFeeSql(ctx, charge)),
    method: charge.method,
    provider: charge.automatic?.provider ?? acquirerFor(ctx.payments, charge.method).name,
    status: "created",
    expiresAt: charge.expiresAt,
    periodStartsAt: charge.period?.startsAt ?? null,
    periodEndsAt: charge.period?.endsAt ?? null,
    periodsCents: charge.periodsCents ?? null,
    recurringPixId: charge.automatic?.recurringPixId ?? null,
    debitOn: charge.automatic?.debitOn ?? null,
    askedAt: now,
    createdAt: now,
  });
}

/**
 * Builds a statement for a checkout's batch, after its charge. Refuses the batch as StaleWrite if
 * the payer would have more than `limit` open checkouts. Concurrent checkouts cannot see each other
 * before.
 */
export function openChargesLimitStatement(
  ctx: Context,
  { chargeId, payerId, limit }: { chargeId: string; payerId: string; limit: number },
): BatchWrite {
  const now = ctx.now();
  return mustChangeOne(
    ctx.db
      .update(charges)
      .set({ askedAt: now })
      .where(
        and(
          eq(charges.id, chargeId),
          sql`${openChargesSql(payerId, now)} <= CAST(${limit} AS INTEGER)`,
        ),
      ),
  );
}

/**
 * Builds a statement for a checkout's batch, after its charge. Refuses the batch as StaleWrite
 * unless the payer has this card saved now, at the card acquirer.
 */
export function withSavedMethodStatement(
  ctx: Context,
  {
    chargeId,
    personId,
    savedMethodId,
  }: { chargeId: string; personId: string; savedMethodId: string },
): BatchWrite {
  const isSaved = sql`EXISTS (SELECT 1 FROM saved_methods stored WHERE stored.id = ${savedMethodId} AND stored.person_id = ${personId} AND stored.removed_at IS NULL AND stored.provider IN (SELECT value FROM json_each(${JSON.stringify(payableCardProviders(ctx.payments))})))`;
  return mustChangeOne(
    ctx.db
      .update(charges)
      .set({ askedAt: ctx.now() })
      .where(and(eq(charges.id, chargeId), isSaved)),
  );
}

/** Builds the conditional statement that brings a charge to the provider's status, except success. */
export function chargeProgressStatement(
  ctx: Context,
  charge: Charge,
  providerCharge: Pick<ProviderCharge, "status" | "failureCode"> & Partial<ProviderCharge>,
): BatchWrite {
  const now = ctx.now();
  return mustChangeOne(
    ctx.db
      .update(charges)
      .set({
        status: providerCharge.status,
        providerChargeId: providerCharge.id ?? charge.providerChargeId,
        pixCode: providerCharge.pixCode ?? charge.pixCode,
        nextActionUrl: providerCharge.nextActionUrl ?? null,
        ...(providerCharge.status === "requires_action"
          ? { confirmAskedAt: sql`COALESCE(${charges.confirmAskedAt}, ${now})` }
          : {}),
        failureCode: providerCharge.failureCode,
        expiresAt: providerCharge.expiresAt ?? charge.expiresAt,
        askedWith: null,
        askedAt: now,
      })
      .where(
        and(
          eq(charges.id, charge.id),
          inArray(charges.status, [...statusesBefore(providerCharge.status)]),
        ),
      ),
  );
}

/**
 * Builds the statement that records a debit instruction for `debitOn`. It clears an earlier
 * refusal.
 */
export function debitOrderedStatement(
  ctx: Context,
  { chargeId, debitOn }: { chargeId: string; debitOn: string },
): BatchWrite {
  return ctx.db
    .update(charges)
    .set({ debitOn, failureCode: null, askedAt: ctx.now() })
    .where(and(eq(charges.id, chargeId), eq(charges.status, "processing")));
}

/**
 * Builds the statements of a paid charge: status, captured amount, release dates, and the posting
 * with the fee. `periods` are the covered periods, if several. `beginsAt` is the later start of the
 * only period; its hold starts then. The caller adds the purchase's statements to the same batch.
 */
export function chargeSucceededStatements(
  ctx: Context,
  charge: Charge,
  providerCharge: ProviderCharge,
  {
    isRenewal,
    periods = [],
    beginsAt = null,
  }: {
    isRenewal: boolean;
    periods?: readonly { startsAt: Instant; cents: Cents }[];
    beginsAt?: Instant | null;
  },
): BatchWrite[] {
  const now = ctx.now();
  const earliestAt = releaseAt({
    method: charge.method,
    isRenewal,
    succeededAt: Math.max(now, beginsAt ?? 0),
    settlesAt: providerCharge.settlesAt,
  });
  return [
    paidStatement(ctx, charge, providerCharge, { now, pendingCents: charge.netCents }),
    insertReleasesStatement(
      ctx,
      charge,
      planReleaseParts({ netCents: charge.netCents, earliestAt, periods, beginsAt }),
    ),
    ...postingStatements(
      ctx,
      chargeSucceeded({
        chargeId: charge.id,
        creatorId: charge.creatorId,
        provider: charge.provider,
        grossCents: charge.amountCents,
        feeCents: charge.feeCents,
      }),
    ),
    ...chargeCostStatements(ctx, charge, providerCharge),
  ];
}

/**
 * Builds the statements of a debt paid by Pix, like `chargeSucceededStatements`. They book the
 * captured amount, and all of it is available at once. Source:
 * docs/decisions/money/use-one-charge-for-everything-that-is-paid.md.
 */
export function debtChargeSucceededStatements(
  ctx: Context,
  asked: Charge,
  providerCharge: ProviderCharge,
  { owedCents }: { owedCents: Cents },
): BatchWrite[] {
  const now = ctx.now();
  const charge = withCapturedAmount(asked, providerCharge.amountCents);
  const { id: chargeId, creatorId, provider, amountCents, netCents } = charge;
  return [
    paidStatement(ctx, charge, providerCharge, {
      now,
      pendingCents: 0,
      where: accountBalanceUnchanged("creator_owed", creatorId, owedCents),
    }),
    insertReleasesStatement(
      ctx,
      charge,
      planReleaseParts({ netCents, earliestAt: now, periods: [] }),
    ),
    mustChangeOne(
      ctx.db
        .update(chargeReleases)
        .set({ releasedAt: now })
        .where(eq(chargeReleases.chargeId, chargeId)),
    ),
    ...postingStatements(ctx, debtPaid({ chargeId, creatorId, provider, amountCents, owedCents })),
    ...chargeCostStatements(ctx, charge, providerCharge),
  ];
}

function paidStatement(
  ctx: Context,
  charge: Charge,
  providerCharge: ProviderCharge,
  { now, pendingCents, where }: { now: Instant; pendingCents: Cents; where?: SQL },
): BatchWrite {
  const { amountCents, feeCents, netCents, periodsCents } = charge;
  const taken = { amountCents, feeCents, netCents, periodsCents, pendingCents };
  return mustChangeOne(
    ctx.db
      .update(charges)
      .set({
        ...taken,
        status: "succeeded",
        providerChargeId: providerCharge.id,
        nextActionUrl: null,
        failureCode: null,
        keptMethodId: providerCharge.savedMethodId,
        succeededAt: now,
        askedWith: null,
        askedAt: now,
      })
      .where(
        and(
          eq(charges.id, charge.id),
          inArray(charges.status, [...statusesBefore("succeeded")]),
          where,
        ),
      ),
  );
}

/**
 * Builds the statements that book the provider's cost of a paid charge, when the provider reports
 * it: with the payment, or later.
 */
export function chargeCostStatements(
  ctx: Context,
  { id, provider, costCents }: Charge,
  providerCharge: ProviderCharge | null,
): BatchWrite[] {
  return providerCharge?.status === "succeeded"
    ? providerCostStatements(ctx, {
        object: "charge",
        id,
        provider,
        chargeId: id,
        knownCents: costCents,
        reportedCents: providerCharge.costCents,
      })
    : [];
}

/** Builds the statement that records that the provider was asked and nothing changed. */
export function chargeAskedStatement(ctx: Context, { id }: Pick<Charge, "id">): BatchWrite {
  return ctx.db.update(charges).set({ askedAt: ctx.now() }).where(eq(charges.id, id));
}

type NewCoveredPeriod = {
  startsAt: Instant;
  endsAt: Instant;
  /** In addition to a period that another charge covers. */
  isDifference?: boolean;
  /** The part of the charge that pays this period alone. */
  amountCents?: Cents | null;
};

/**
 * Builds the statement that assigns a period to one charge for good. The unique index on
 * (subscription, start) refuses a second charge.
 */
export function coveredPeriodStatement(
  ctx: Context,
  charge: Pick<Charge, "id" | "purchaseId">,
  period: NewCoveredPeriod & { id?: string },
): BatchWrite {
  return ctx.db
    .insert(chargePeriods)
    .values({ id: ctx.newId(), chargeId: charge.id, subscriptionId: charge.purchaseId, ...period });
}

/** Builds the statement that moves a covered period, or a slice of it, in time. */
export function moveCoveredPeriodStatement(
  ctx: Context,
  { periodId, period }: { periodId: string; period: Partial<NewCoveredPeriod> },
): BatchWrite {
  return mustChangeOne(
    ctx.db.update(chargePeriods).set(period).where(eq(chargePeriods.id, periodId)),
  );
}

/** Builds the statement that removes the covered periods of a charge, or only the named slice. */
export function deleteCoveredPeriodStatement(
  ctx: Context,
  { chargeId, periodId }: { chargeId: string; periodId?: string },
): BatchWrite {
  return ctx.db
    .delete(chargePeriods)
    .where(
      and(
        eq(chargePeriods.chargeId, chargeId),
        periodId === undefined ? undefined : eq(chargePeriods.id, periodId),
      ),
    );
}
