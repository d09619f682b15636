import { and, eq } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import { exactlyOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { balanceOf, creatorBalanceRows } from "#app/domain/ledger/queries.server.ts";
import { disputeLost, disputeOpened, disputeWon } from "#app/domain/ledger/rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { Charge, Dispute } from "#app/domain/payments/queries.server.ts";
import { partsOfCharge } from "#app/domain/payments/queries/releases.server.ts";
import { feeShareOfRefund } from "#app/domain/payments/rules.ts";
import { wonParts } from "#app/domain/payments/rules/releases.ts";
import type { ProviderDispute } from "#app/domain/payments/schema.ts";
import { charges, disputes } from "#drizzle/schema/payments.ts";
import { recourseFor } from "./charges.server.ts";
import { freedStatement, lostPartsStatement } from "./releases.server.ts";

/** The statements of a dispute or MED that opened over all that is left of `charge`: net and fee share wait in reserve. */
export async function disputeOpenedStatements(ctx: Context, charge: Charge, said: ProviderDispute): Promise<Write[]> {
  const id = ctx.newId();
  const feeShareCents = feeShareOfRefund(charge, said.amountCents);
  return [
    ctx.db.insert(disputes).values({ id, chargeId: charge.id, providerDisputeId: said.id, kind: said.kind, amountCents: said.amountCents, feeShareCents, status: "open", createdAt: ctx.now() }),
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
          ),
        ),
    ),
    ...postingStatements(ctx, disputeOpened({ ...posting(charge, { id, amountCents: said.amountCents, feeShareCents }), recourse: await recourseFor(ctx, charge) })),
    announce(ctx, `dispute:${id}:opened`, {
      type: "charge.disputed",
      chargeId: charge.id,
      disputeId: id,
      creatorId: charge.creatorId,
      amountCents: said.amountCents,
      description: charge.description,
    }),
  ];
}

/** The statements of a dispute that was decided: lost, its reserve goes back to the payer; won, it is the creator's again. */
export async function disputeDecidedStatements(ctx: Context, charge: Charge, dispute: Dispute, decision: "won" | "lost"): Promise<Write[]> {
  return [
    exactlyOne(
      ctx.db
        .update(disputes)
        .set({ status: decision, settledAt: ctx.now() })
        .where(and(eq(disputes.id, dispute.id), eq(disputes.status, "open"))),
    ),
    ...(decision === "lost" ? lostStatements(ctx, charge, dispute) : await wonStatements(ctx, charge, dispute)),
  ];
}

function lostStatements(ctx: Context, charge: Charge, dispute: Dispute): Write[] {
  return [
    exactlyOne(ctx.db.update(charges).set({ status: "dispute_lost" }).where(and(eq(charges.id, charge.id), eq(charges.status, "disputed")))),
    lostPartsStatement(ctx, charge),
    ...postingStatements(ctx, disputeLost(posting(charge, dispute))),
  ];
}

async function wonStatements(ctx: Context, charge: Charge, dispute: Dispute): Promise<Write[]> {
  const owedCents = balanceOf(await creatorBalanceRows(ctx, { creatorId: charge.creatorId }), "creator_owed");
  const { free, waitingCents } = wonParts(await partsOfCharge(ctx, { chargeId: charge.id }), ctx.now());
  return [
    exactlyOne(
      ctx.db
        .update(charges)
        .set({ status: "dispute_won", disputedCents: 0, pendingCents: waitingCents })
        .where(and(eq(charges.id, charge.id), eq(charges.status, "disputed"))),
    ),
    ...free.map((part) => freedStatement(ctx, part)),
    ...postingStatements(ctx, disputeWon({ ...posting(charge, dispute), waitingCents, owedCents })),
  ];
}

function posting(charge: Charge, { id, amountCents, feeShareCents }: { id: string; amountCents: number; feeShareCents: number }) {
  return { chargeId: charge.id, creatorId: charge.creatorId, provider: charge.provider, disputeId: id, amountCents, feeShareCents };
}
