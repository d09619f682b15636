import { and, eq, isNull } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { balanceOf, creatorBalanceRows } from "#app/domain/ledger/queries.server.ts";
import { disputeLost, disputeOpened, disputeWon } from "#app/domain/ledger/rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { recourseFor, rereading } from "#app/domain/payments/commands.server.ts";
import { chargeByProviderId, chargeRow, disputeByProviderId } from "#app/domain/payments/queries.server.ts";
import type { Charge, Dispute } from "#app/domain/payments/queries.server.ts";
import { feeShareOfRefund } from "#app/domain/payments/rules.ts";
import type { ProviderDispute } from "#app/domain/payments/schema.ts";
import { charges, disputes } from "#drizzle/schema/payments.ts";
import { isLive } from "#app/domain/subscriptions/rules.ts";
import { subscriptionRow } from "#app/domain/subscriptions/queries.server.ts";
import { endedNowStatements } from "./end.server.ts";

/** Why a dispute could not be applied; its delivery is quarantined with it. */
export type DisputeOutcome = "applied" | "unknown_charge" | "amount_differs";

/**
 * Applies what the provider says of a dispute or MED, once: reserved when it opens; given back with the access ended when
 * it is lost; free again when it is won. A dispute first heard of when it is decided goes through both steps.
 * Source: domain rules, "Ledger".
 */
export async function settleDispute(ctx: Context, { providerDisputeId }: { providerDisputeId: string }): Promise<DisputeOutcome> {
  const said = await ctx.payments.disputeById(providerDisputeId);
  const known = await chargeByProviderId(ctx, { provider: ctx.payments.name, providerChargeId: said.chargeId });
  if (!known) return "unknown_charge";
  const opened = await rereading(() => openDispute(ctx, { chargeId: known.id, said }));
  if (opened !== "applied") return opened;
  if (said.status !== "open") await rereading(() => decideDispute(ctx, { chargeId: known.id, said }));
  return "applied";
}

async function openDispute(ctx: Context, { chargeId, said }: { chargeId: string; said: ProviderDispute }): Promise<DisputeOutcome> {
  if (await disputeByProviderId(ctx, { providerDisputeId: said.id })) return "applied";
  const charge = await chargeRow(ctx, { chargeId });
  if (!charge) return "unknown_charge";
  // What is left of the charge is what can be fought over; anything else needs a human.
  if (said.amountCents !== charge.amountCents - charge.refundedCents || charge.succeededAt === null) return "amount_differs";
  const id = ctx.newId();
  const feeShareCents = feeShareOfRefund(charge, said.amountCents);
  await commit(ctx.db, [
    ctx.db.insert(disputes).values({ id, chargeId, providerDisputeId: said.id, kind: said.kind, amountCents: said.amountCents, feeShareCents, status: "open", createdAt: ctx.now() }),
    exactlyOne(
      ctx.db
        .update(charges)
        .set({ status: "disputed", disputedCents: said.amountCents, releasedAt: charge.releasedAt ?? ctx.now() })
        .where(
          and(
            eq(charges.id, chargeId),
            eq(charges.status, charge.status),
            eq(charges.refundedCents, charge.refundedCents),
            charge.releasedAt === null ? isNull(charges.releasedAt) : eq(charges.releasedAt, charge.releasedAt),
          ),
        ),
    ),
    ...postingStatements(ctx, disputeOpened({ ...posting(charge, { id, amountCents: said.amountCents, feeShareCents }), recourse: await recourseFor(ctx, charge) })),
    announce(ctx, `dispute:${id}:opened`, {
      type: "charge.disputed",
      chargeId,
      disputeId: id,
      creatorId: charge.creatorId,
      amountCents: said.amountCents,
      description: charge.description,
    }),
  ]);
  return "applied";
}

async function decideDispute(ctx: Context, { chargeId, said }: { chargeId: string; said: ProviderDispute }): Promise<void> {
  const dispute = await disputeByProviderId(ctx, { providerDisputeId: said.id });
  const charge = await chargeRow(ctx, { chargeId });
  if (!dispute || !charge || dispute.status !== "open" || said.status === "open") return;
  const decided = exactlyOne(
    ctx.db
      .update(disputes)
      .set({ status: said.status, settledAt: ctx.now() })
      .where(and(eq(disputes.id, dispute.id), eq(disputes.status, "open"))),
  );
  await commit(ctx.db, [decided, ...(said.status === "lost" ? await lostStatements(ctx, charge, dispute) : await wonStatements(ctx, charge, dispute))]);
}

async function lostStatements(ctx: Context, charge: Charge, dispute: Dispute): Promise<Write[]> {
  const subscription = await subscriptionRow(ctx, { subscriptionId: charge.purchaseId });
  return [
    exactlyOne(ctx.db.update(charges).set({ status: "dispute_lost" }).where(and(eq(charges.id, charge.id), eq(charges.status, "disputed")))),
    ...postingStatements(ctx, disputeLost(posting(charge, dispute))),
    ...(subscription && isLive(subscription.status) ? endedNowStatements(ctx, subscription) : []),
  ];
}

async function wonStatements(ctx: Context, charge: Charge, dispute: Dispute): Promise<Write[]> {
  const owedCents = balanceOf(await creatorBalanceRows(ctx, { creatorId: charge.creatorId }), "creator_owed");
  return [
    exactlyOne(
      ctx.db
        .update(charges)
        .set({ status: "dispute_won", disputedCents: 0 })
        .where(and(eq(charges.id, charge.id), eq(charges.status, "disputed"))),
    ),
    ...postingStatements(ctx, disputeWon({ ...posting(charge, dispute), owedCents })),
  ];
}

function posting(charge: Charge, { id, amountCents, feeShareCents }: { id: string; amountCents: number; feeShareCents: number }) {
  return { chargeId: charge.id, creatorId: charge.creatorId, provider: charge.provider, disputeId: id, amountCents, feeShareCents };
}
