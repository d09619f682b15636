import { and, eq, isNull } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import { exactlyOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { disputeLost, disputeOpened, disputeWon } from "#app/domain/ledger/rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { Charge, Dispute } from "#app/domain/payments/queries.server.ts";
import { isAsRead } from "#app/domain/payments/queries/money.server.ts";
import type { ChargeMoney } from "#app/domain/payments/queries/money.server.ts";
import { feeShareOfRefund } from "#app/domain/payments/rules.ts";
import { wonParts } from "#app/domain/payments/rules/releases.ts";
import type { ProviderDispute } from "#app/domain/payments/schema.ts";
import { charges, disputes } from "#drizzle/schema/payments.ts";
import { recourseFor } from "./charges.server.ts";
import { costStatements } from "./costs.server.ts";
import { freedStatement, lostPartsStatement } from "./releases.server.ts";

/** The statements of a dispute or MED that opened over all that is left of `charge`: net and fee share wait in reserve. */
export function disputeOpenedStatements(ctx: Context, { charge, money }: { charge: Charge; money: ChargeMoney }, said: ProviderDispute): Write[] {
  const id = ctx.newId();
  const feeShareCents = feeShareOfRefund(charge, said.amountCents);
  const recourse = recourseFor(charge, money);
  // Nothing is owed beside money that came meanwhile.
  const isShort = said.amountCents - feeShareCents > recourse.pendingOfChargeCents + recourse.availableCents;
  return [
    ctx.db.insert(disputes).values({ id, chargeId: charge.id, provider: charge.provider, providerDisputeId: said.id, kind: said.kind, amountCents: said.amountCents, feeShareCents, status: "open", createdAt: ctx.now(), creatorId: charge.creatorId, respondBy: said.respondBy, underReviewAt: said.status === "under_review" ? ctx.now() : null }),
    exactlyOne(
      ctx.db
        .update(charges)
        .set({ status: "disputed", disputedCents: said.amountCents, pendingCents: 0 })
        .where(
          and(
            eq(charges.id, charge.id),
            eq(charges.status, charge.status),
            eq(charges.refundedCents, charge.refundedCents),
            eq(charges.pendingCents, charge.pendingCents),
            isShort ? isAsRead("creator_available", charge.creatorId, money.availableCents) : undefined,
          ),
        ),
    ),
    ...postingStatements(ctx, disputeOpened({ ...posting(charge, { id, amountCents: said.amountCents, feeShareCents }), recourse })),
    ...disputeCostStatements(ctx, { id, chargeId: charge.id, provider: charge.provider, costCents: null }, said),
    announce(ctx, `dispute:${id}:opened`, {
      type: "charge.disputed",
      chargeId: charge.id,
      disputeId: id,
      creatorId: charge.creatorId,
      amountCents: said.amountCents,
      description: charge.description,
      disputeKind: said.kind,
      respondBy: said.status === "needs_response" ? said.respondBy : null,
    }),
  ];
}

/** The statements that book what the provider takes for a dispute, once it says so; whoever wins, it is the platform's. */
export function disputeCostStatements(ctx: Context, { id, chargeId, provider, costCents }: Pick<Dispute, "id" | "chargeId" | "provider" | "costCents">, said: ProviderDispute): Write[] {
  return costStatements(ctx, { object: "dispute", id, provider, chargeId, knownCents: costCents, saidCents: said.costCents });
}

/** What the provider says of an open dispute besides its money: matches nothing when that is known, or when it was decided. */
export function disputeStageStatements(ctx: Context, dispute: Dispute, said: ProviderDispute): Write[] {
  const underReviewAt = dispute.underReviewAt ?? (said.status === "under_review" ? ctx.now() : null);
  const isKnown = underReviewAt === dispute.underReviewAt && said.respondBy === dispute.respondBy;
  return isKnown || dispute.status !== "open" ? [] : [ctx.db.update(disputes).set({ underReviewAt, respondBy: said.respondBy }).where(and(eq(disputes.id, dispute.id), eq(disputes.status, "open")))];
}

/** The statement that notes that its seller was told that the day comes near. */
export function remindedStatement(ctx: Context, { disputeId }: { disputeId: string }): Write {
  return ctx.db.update(disputes).set({ remindedAt: ctx.now() }).where(and(eq(disputes.id, disputeId), isNull(disputes.remindedAt)));
}

/** The statement that notes that the bank looks at an answer; it matches nothing when that is known, or the dispute was decided. */
export function underReviewStatement(ctx: Context, { disputeId }: { disputeId: string }): Write {
  return ctx.db.update(disputes).set({ underReviewAt: ctx.now() }).where(and(eq(disputes.id, disputeId), eq(disputes.status, "open"), isNull(disputes.underReviewAt)));
}

/** The statements of a dispute that was decided: lost, its reserve goes back to the payer; won, it is the creator's again. */
export function disputeDecidedStatements(ctx: Context, { charge, money, dispute }: { charge: Charge; money: ChargeMoney; dispute: Dispute }, decision: "won" | "lost"): Write[] {
  return [
    exactlyOne(
      ctx.db
        .update(disputes)
        .set({ status: decision, settledAt: ctx.now() })
        .where(and(eq(disputes.id, dispute.id), eq(disputes.status, "open"))),
    ),
    ...(decision === "lost" ? lostStatements(ctx, charge, dispute) : wonStatements(ctx, { charge, money }, dispute)),
    announce(ctx, `dispute:${dispute.id}:decided`, {
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

function lostStatements(ctx: Context, charge: Charge, dispute: Dispute): Write[] {
  return [
    exactlyOne(ctx.db.update(charges).set({ status: "dispute_lost" }).where(and(eq(charges.id, charge.id), eq(charges.status, "disputed")))),
    lostPartsStatement(ctx, charge),
    ...postingStatements(ctx, disputeLost(posting(charge, dispute))),
  ];
}

function wonStatements(ctx: Context, { charge, money: { parts, owedCents } }: { charge: Charge; money: ChargeMoney }, dispute: Dispute): Write[] {
  const { free, waitingCents } = wonParts(parts, ctx.now());
  return [
    exactlyOne(
      ctx.db
        .update(charges)
        .set({ status: "dispute_won", disputedCents: 0, pendingCents: waitingCents })
        .where(and(eq(charges.id, charge.id), eq(charges.status, "disputed"), isAsRead("creator_owed", charge.creatorId, owedCents))),
    ),
    ...free.map((part) => freedStatement(ctx, part)),
    ...postingStatements(ctx, disputeWon({ ...posting(charge, dispute), waitingCents, owedCents })),
  ];
}

function posting(charge: Charge, { id, amountCents, feeShareCents }: { id: string; amountCents: number; feeShareCents: number }) {
  return { chargeId: charge.id, creatorId: charge.creatorId, provider: charge.provider, disputeId: id, amountCents, feeShareCents };
}
