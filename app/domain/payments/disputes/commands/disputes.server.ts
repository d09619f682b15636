import { and, eq, isNull, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { disputeLost, disputeOpened, disputeWon } from "#app/domain/ledger/rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { Dispute } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { PaymentMessage } from "#app/domain/payments/schema/outbox.ts";
import { otherOpenDisputesSql } from "#app/domain/payments/disputes/queries.server.ts";
import type { DisputeSnapshot } from "#app/domain/payments/disputes/queries.server.ts";
import { accountBalanceUnchanged } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { ChargeFunds } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import { feeShareOfRefund, remainingCents } from "#app/domain/payments/rules.ts";
import type { ProviderDispute } from "#app/domain/payments/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { charges, disputes } from "#drizzle/schema/payments.ts";
import { refundRecourse } from "#app/domain/payments/refunds/rules/recourse.ts";
import { providerCostStatements } from "#app/domain/payments/fees/commands/costs.server.ts";
import {
  disputedPartsStatements,
  disputeLostPartsStatements,
  disputeWonPartsStatements,
} from "#app/domain/payments/releases/commands/releases.server.ts";

/**
 * Builds the statements that open a dispute or MED over all or part of what remains of `charge`.
 * Its net and fee share move to the reserve, taken as a refund of the same amount would be. The
 * rest of the net is still released.
 */
export function disputeOpenedStatements(
  ctx: Context,
  { charge, funds }: { charge: Charge; funds: ChargeFunds },
  providerDispute: ProviderDispute,
): BatchWrite[] {
  const id = ctx.newId();
  const feeShareCents = feeShareOfRefund(charge, providerDispute.amountCents);
  const recourse = refundRecourse(charge, funds);
  const disputedParts = disputedPartsStatements(
    ctx,
    funds.parts,
    providerDispute.amountCents - feeShareCents,
  );
  const { pendingCents } = disputedParts;
  // No debt is booked if money arrived meanwhile.
  const isShort =
    providerDispute.amountCents - feeShareCents >
    recourse.pendingOfChargeCents + recourse.availableCents;
  return [
    newDisputeStatement(ctx, charge, providerDispute, { id, feeShareCents, pendingCents }),
    mustChangeOne(
      ctx.db
        .update(charges)
        .set({
          status: "disputed",
          disputedCents: charge.disputedCents + providerDispute.amountCents,
          disputedFeeCents: charge.disputedFeeCents + feeShareCents,
          pendingCents: charge.pendingCents - pendingCents,
        })
        .where(
          and(
            isChargeAsRead(charge),
            isShort
              ? accountBalanceUnchanged("creator_available", charge.creatorId, funds.availableCents)
              : undefined,
          ),
        ),
    ),
    ...disputedParts.writes,
    ...postingStatements(
      ctx,
      disputeOpened({
        ...posting(charge, { id, amountCents: providerDispute.amountCents, feeShareCents }),
        recourse,
      }),
    ),
    ...disputeCostStatements(
      ctx,
      { id, chargeId: charge.id, provider: charge.provider, costCents: null },
      providerDispute,
    ),
    announce<PaymentMessage>(
      ctx,
      `dispute:${id}:opened`,
      disputedMessage(id, charge, providerDispute),
    ),
  ];
}

const newDisputeStatement = (
  ctx: Context,
  charge: Charge,
  providerDispute: ProviderDispute,
  dispute: { id: string; feeShareCents: Cents; pendingCents: Cents },
): BatchWrite =>
  ctx.db.insert(disputes).values({
    ...dispute,
    chargeId: charge.id,
    provider: charge.provider,
    providerDisputeId: providerDispute.id,
    kind: providerDispute.kind,
    amountCents: providerDispute.amountCents,
    status: "open",
    createdAt: ctx.now(),
    creatorId: charge.creatorId,
    respondBy: providerDispute.respondBy,
    underReviewAt: providerDispute.status === "under_review" ? ctx.now() : null,
  });

const disputedMessage = (
  disputeId: string,
  charge: Charge,
  { kind, amountCents, status, respondBy }: ProviderDispute,
): PaymentMessage => ({
  type: "charge.disputed",
  chargeId: charge.id,
  disputeId,
  creatorId: charge.creatorId,
  amountCents,
  paidCents: charge.amountCents,
  description: charge.description,
  disputeKind: kind,
  respondBy: status === "needs_response" ? respondBy : null,
});

/**
 * Builds the statements that book the provider's cost of a dispute, when it is reported. The
 * platform bears it, whoever wins.
 */
export function disputeCostStatements(
  ctx: Context,
  {
    id,
    chargeId,
    provider,
    costCents,
  }: Pick<Dispute, "id" | "chargeId" | "provider" | "costCents">,
  providerDispute: ProviderDispute,
): BatchWrite[] {
  return providerCostStatements(ctx, {
    object: "dispute",
    id,
    provider,
    chargeId,
    knownCents: costCents,
    reportedCents: providerDispute.costCents,
  });
}

/**
 * Builds the statements for the stage and deadline of an open dispute. None when they are known
 * already, or the dispute was decided.
 */
export function disputeStageStatements(
  ctx: Context,
  dispute: Dispute,
  providerDispute: ProviderDispute,
): BatchWrite[] {
  const underReviewAt =
    dispute.underReviewAt ?? (providerDispute.status === "under_review" ? ctx.now() : null);
  const isKnown =
    underReviewAt === dispute.underReviewAt && providerDispute.respondBy === dispute.respondBy;
  return isKnown || dispute.status !== "open"
    ? []
    : [
        ctx.db
          .update(disputes)
          .set({ underReviewAt, respondBy: providerDispute.respondBy })
          .where(and(eq(disputes.id, dispute.id), eq(disputes.status, "open"))),
      ];
}

/** Builds the statement that records the seller's deadline reminder. */
export function disputeRemindedStatement(
  ctx: Context,
  { disputeId }: { disputeId: string },
): BatchWrite {
  return ctx.db
    .update(disputes)
    .set({ remindedAt: ctx.now() })
    .where(and(eq(disputes.id, disputeId), isNull(disputes.remindedAt)));
}

/**
 * Builds the statement that records that the bank reviews an answer. It matches nothing when that
 * is recorded, or the dispute was decided.
 */
export function disputeUnderReviewStatement(
  ctx: Context,
  { disputeId }: { disputeId: string },
): BatchWrite {
  return ctx.db
    .update(disputes)
    .set({ underReviewAt: ctx.now() })
    .where(
      and(eq(disputes.id, disputeId), eq(disputes.status, "open"), isNull(disputes.underReviewAt)),
    );
}

type DecidedDispute = Pick<DisputeSnapshot, "charge" | "funds" | "othersOpen">;

/**
 * Builds the statements of a decided dispute. Lost: its reserve is refunded to the payer. Won: it
 * is the creator's again. The charge stays disputed while another dispute is open.
 */
export function disputeDecidedStatements(
  ctx: Context,
  { charge, funds, dispute, othersOpen: others }: DecidedDispute & { dispute: Dispute },
  decision: "won" | "lost",
): BatchWrite[] {
  return [
    mustChangeOne(
      ctx.db
        .update(disputes)
        .set({ status: decision, settledAt: ctx.now() })
        .where(and(eq(disputes.id, dispute.id), eq(disputes.status, "open"))),
    ),
    ...(decision === "lost"
      ? lostWrites(ctx, { charge, funds, othersOpen: others }, dispute)
      : wonWrites(ctx, { charge, funds, othersOpen: others }, dispute)),
    announce<PaymentMessage>(ctx, `dispute:${dispute.id}:decided`, {
      type: "dispute.decided",
      disputeId: dispute.id,
      creatorId: charge.creatorId,
      decision,
      amountCents: dispute.amountCents,
      netCents: dispute.amountCents - dispute.feeShareCents,
      description: charge.description,
    }),
  ];
}

function lostWrites(
  ctx: Context,
  { charge, funds, othersOpen: others }: DecidedDispute,
  dispute: Dispute,
): BatchWrite[] {
  const status =
    others > 0 ? "disputed" : remainingCents(charge) === 0 ? "dispute_lost" : "partially_refunded";
  return [
    mustChangeOne(
      ctx.db
        .update(charges)
        .set({ status })
        .where(and(isChargeAsRead(charge), isOpenAsRead(dispute, others))),
    ),
    ...disputeLostPartsStatements(ctx, funds.parts, dispute.pendingCents),
    ...postingStatements(ctx, disputeLost(posting(charge, dispute))),
  ];
}

function wonWrites(
  ctx: Context,
  { charge, funds: { parts, owedCents }, othersOpen: others }: DecidedDispute,
  dispute: Dispute,
): BatchWrite[] {
  const { writes, waitingCents } = disputeWonPartsStatements(ctx, parts, dispute.pendingCents);
  const { disputedCents, disputedFeeCents } = chargeWithoutDispute(charge, dispute);
  const status = others > 0 ? "disputed" : disputedCents > 0 ? "partially_refunded" : "dispute_won";
  return [
    mustChangeOne(
      ctx.db
        .update(charges)
        .set({
          status,
          disputedCents,
          disputedFeeCents,
          pendingCents: charge.pendingCents + waitingCents,
        })
        .where(
          and(
            isChargeAsRead(charge),
            isOpenAsRead(dispute, others),
            accountBalanceUnchanged("creator_owed", charge.creatorId, owedCents),
          ),
        ),
    ),
    ...writes,
    ...postingStatements(ctx, disputeWon({ ...posting(charge, dispute), waitingCents, owedCents })),
  ];
}

/** Returns the charge as it is after one of its disputes is won. */
export const chargeWithoutDispute = (
  charge: Charge,
  { amountCents, feeShareCents }: Dispute,
): Charge => ({
  ...charge,
  disputedCents: charge.disputedCents - amountCents,
  disputedFeeCents: charge.disputedFeeCents - feeShareCents,
});

/** SQL condition: the number of other open disputes of the charge is unchanged since it was read. */
const isOpenAsRead = ({ chargeId, providerDisputeId }: Dispute, count: number) =>
  eq(
    otherOpenDisputesSql({
      chargeId: sql`${chargeId}`,
      providerDisputeId: sql`${providerDisputeId}`,
    }),
    sql`CAST(${count} AS INTEGER)`,
  );

/**
 * SQL condition: the charge's status and its refunded, disputed and pending amounts are unchanged
 * since they were read.
 */
const isChargeAsRead = ({ id, status, refundedCents, disputedCents, pendingCents }: Charge) =>
  and(
    eq(charges.id, id),
    eq(charges.status, status),
    eq(charges.refundedCents, refundedCents),
    eq(charges.disputedCents, disputedCents),
    eq(charges.pendingCents, pendingCents),
  );

function posting(
  charge: Charge,
  { id, amountCents, feeShareCents }: { id: string; amountCents: number; feeShareCents: number },
) {
  return {
    chargeId: charge.id,
    creatorId: charge.creatorId,
    provider: charge.provider,
    disputeId: id,
    amountCents,
    feeShareCents,
  };
}
