import { and, eq, inArray, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { chargeSucceeded, debtPaid } from "#app/domain/ledger/rules.ts";
import type { RefundRecourse } from "#app/domain/ledger/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import { openChargesSql } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { withCapturedAmount, releaseAt, statusesBefore } from "#app/domain/payments/rules.ts";
import {
  payableCardProviders,
  acquirerFor,
} from "#app/domain/payments/providers/rules/providers.ts";
import { planReleaseParts } from "#app/domain/payments/releases/rules/releases.ts";
import type { PaymentMethod, ProviderCharge } from "#app/domain/payments/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { chargePeriods, chargeReleases, charges } from "#drizzle/schema/payments.ts";
import { chargeFeeSql } from "#app/domain/payments/fees/queries.server.ts";
import { accountBalanceUnchanged } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { ChargeFunds } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
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
  /** What each period costs, where it covers several. */
  periodsCents?: Cents[];
  /**
   * The authorisation of Pix Automático whose code it pays or, with a day (`YYYY-MM-DD`, São
   * Paulo), from which it is debited, by who keeps it.
   */
  automatic?: { recurringPixId: string; debitOn: string | null; provider?: string } | null;
  /** The change of plan that it pays for. */
  planChangeId?: string | null;
};

/** The statement that writes a charge before any provider hears of it; its fee is fixed here. */
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
 * For the batch of a checkout, after its charge: refuses it as stale when its payer would have more
 * than `limit` open, which checkouts at the same moment could not see of each other.
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
 * For the batch of a checkout, after its charge: refuses it as stale unless the card is kept, now,
 * by who pays, at who takes cards.
 */
export function withSavedMethodStatement(
  ctx: Context,
  {
    chargeId,
    personId,
    savedMethodId,
  }: { chargeId: string; personId: string; savedMethodId: string },
): BatchWrite {
  const isKept = sql`EXISTS (SELECT 1 FROM saved_methods kept WHERE kept.id = ${savedMethodId} AND kept.person_id = ${personId} AND kept.removed_at IS NULL AND kept.provider IN (SELECT value FROM json_each(${JSON.stringify(payableCardProviders(ctx.payments))})))`;
  return mustChangeOne(
    ctx.db
      .update(charges)
      .set({ askedAt: ctx.now() })
      .where(and(eq(charges.id, chargeId), isKept)),
  );
}

/** The conditional statement that brings a charge to what the provider says, short of success. */
export function chargeProgressStatement(
  ctx: Context,
  charge: Charge,
  said: Pick<ProviderCharge, "status" | "failureCode"> & Partial<ProviderCharge>,
): BatchWrite {
  const now = ctx.now();
  return mustChangeOne(
    ctx.db
      .update(charges)
      .set({
        status: said.status,
        providerChargeId: said.id ?? charge.providerChargeId,
        pixCode: said.pixCode ?? charge.pixCode,
        nextActionUrl: said.nextActionUrl ?? null,
        ...(said.status === "requires_action"
          ? { confirmAskedAt: sql`COALESCE(${charges.confirmAskedAt}, ${now})` }
          : {}),
        failureCode: said.failureCode,
        expiresAt: said.expiresAt ?? charge.expiresAt,
        askedWith: null,
        askedAt: now,
      })
      .where(
        and(eq(charges.id, charge.id), inArray(charges.status, [...statusesBefore(said.status)])),
      ),
  );
}

/**
 * The statement that notes that the bank was ordered to debit a charge on `debitOn`: a refusal
 * before it is past.
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
 * The statements of a paid charge: its state and what was really taken, when which part of its net
 * will be free, and the balanced posting with the fee. `periods` are those that it covers, where it
 * covers several; `beginsAt` is when the only one does, where that is later: its regret is waited
 * out from then on. What it pays for is joined by the caller, in the same batch.
 */
export function chargeSucceededStatements(
  ctx: Context,
  charge: Charge,
  said: ProviderCharge,
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
    settlesAt: said.settlesAt,
  });
  return [
    paidStatement(ctx, charge, said, { now, pendingCents: charge.netCents }),
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
    ...chargeCostStatements(ctx, charge, said),
  ];
}

/**
 * The statements of a debt that was paid by Pix, as `chargeSucceededStatements`: of what was really
 * taken, and nothing of it waits. Source:
 * docs/decisions/money/use-one-charge-for-everything-that-is-paid.md.
 */
export function debtChargeSucceededStatements(
  ctx: Context,
  asked: Charge,
  said: ProviderCharge,
  { owedCents }: { owedCents: Cents },
): BatchWrite[] {
  const now = ctx.now();
  const charge = withCapturedAmount(asked, said.amountCents);
  const { id: chargeId, creatorId, provider, amountCents, netCents } = charge;
  return [
    paidStatement(ctx, charge, said, {
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
    ...chargeCostStatements(ctx, charge, said),
  ];
}

function paidStatement(
  ctx: Context,
  charge: Charge,
  said: ProviderCharge,
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
        providerChargeId: said.id,
        nextActionUrl: null,
        failureCode: null,
        keptMethodId: said.savedMethodId,
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
 * The statements that book what the provider took of a paid charge, once it says so: with the
 * payment, or later.
 */
export function chargeCostStatements(
  ctx: Context,
  { id, provider, costCents }: Charge,
  said: ProviderCharge | null,
): BatchWrite[] {
  return said?.status === "succeeded"
    ? providerCostStatements(ctx, {
        object: "charge",
        id,
        provider,
        chargeId: id,
        knownCents: costCents,
        saidCents: said.costCents,
      })
    : [];
}

/** The statement that notes that the provider was asked and nothing had changed. */
export function chargeAskedStatement(ctx: Context, { id }: Pick<Charge, "id">): BatchWrite {
  return ctx.db.update(charges).set({ askedAt: ctx.now() }).where(eq(charges.id, id));
}

/** What can be taken back from the creator of `charge` now, in the order of the domain rules. */
export function refundRecourse(
  { pendingCents, purchaseKind }: Charge,
  { availableCents, restOfDebtCents }: ChargeFunds,
): RefundRecourse {
  // What paid a debt is owed again; only what was not owed any more is taken from what they have.
  return {
    pendingOfChargeCents: pendingCents,
    availableCents:
      purchaseKind === "debt" ? Math.min(availableCents, restOfDebtCents) : availableCents,
  };
}

type NewCoveredPeriod = {
  startsAt: Instant;
  endsAt: Instant;
  /** Beside a period that another charge covers. */ isDifference?: boolean;
  /** What of its charge pays for it alone. */ amountCents?: Cents | null;
};

/**
 * The statement by which a period belongs to one charge for ever: the unique index on
 * (subscription, start) refuses the second.
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

/** The statement by which what a charge covers happens at another time, or a part of it does. */
export function moveCoveredPeriodStatement(
  ctx: Context,
  { periodId, period }: { periodId: string; period: Partial<NewCoveredPeriod> },
): BatchWrite {
  return mustChangeOne(
    ctx.db.update(chargePeriods).set(period).where(eq(chargePeriods.id, periodId)),
  );
}

/** The statement after which a charge covers nothing any more, or not the stretch that is named. */
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
