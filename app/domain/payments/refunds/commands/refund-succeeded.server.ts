import { and, eq, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { chargeRefunded } from "#app/domain/ledger/rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { Refund } from "#app/domain/payments/queries.server.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import type { PaymentMessage } from "#app/domain/payments/schema/outbox.ts";
import {
  loadChargeFunds,
  accountBalanceUnchanged,
} from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import type { SettlementSnapshot } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import { remainingCents } from "#app/domain/payments/rules.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { refundRecourse } from "#app/domain/payments/refunds/rules/recourse.ts";
import { handlerOf } from "#app/domain/payments/purchase-handlers/commands.server.ts";
import { refundedPartsStatements } from "#app/domain/payments/releases/commands/releases.server.ts";

/**
 * Builds the statements of a completed refund: charge, unreleased parts, ledger, and the purchase's
 * end once nothing remains. `isByTransfer`: a refund transfer pays it, and the payer is notified
 * once that is paid.
 */
export async function refundSucceededStatements(
  ctx: Context,
  { charge, funds: given, purchase }: Pick<SettlementSnapshot, "charge" | "funds" | "purchase">,
  refund: Refund,
  { isByTransfer = false }: { isByTransfer?: boolean } = {},
): Promise<BatchWrite[]> {
  const refundedCents = charge.refundedCents + refund.amountCents;
  const isWhole = refund.amountCents === remainingCents(charge);
  const funds = given ?? (await loadChargeFunds(ctx, charge));
  const taken = refundedPartsStatements(
    ctx,
    funds.parts,
    refund.amountCents - refund.feeShareCents,
  );
  const recourse = refundRecourse(charge, funds);
  // No debt is booked if money arrived meanwhile.
  const isShort =
    refund.amountCents - refund.feeShareCents >
    recourse.pendingOfChargeCents + recourse.availableCents;
  return [
    mustChangeOne(
      ctx.db
        .update(charges)
        .set({
          // A dispute of another part keeps the charge disputed until it is decided.
          status:
            charge.status === "disputed" ? "disputed" : isWhole ? "refunded" : "partially_refunded",
          refundedCents,
          refundedFeeCents: sql`${charges.refundedFeeCents} + ${refund.feeShareCents}`,
          pendingCents: charge.pendingCents - taken.takenCents,
        })
        .where(
          and(
            eq(charges.id, charge.id),
            eq(charges.refundedCents, charge.refundedCents),
            eq(charges.status, charge.status),
            eq(charges.disputedCents, charge.disputedCents),
            eq(charges.pendingCents, charge.pendingCents),
            isShort
              ? accountBalanceUnchanged("creator_available", charge.creatorId, funds.availableCents)
              : undefined,
          ),
        ),
    ),
    ...taken.writes,
    ...postingStatements(
      ctx,
      chargeRefunded({
        chargeId: charge.id,
        creatorId: charge.creatorId,
        provider: charge.provider,
        refundId: refund.id,
        amountCents: refund.amountCents,
        feeShareCents: refund.feeShareCents,
        recourse,
        isByTransfer,
      }),
    ),
    ...(isWhole
      ? await handlerOf(ctx, charge).endedStatements(ctx, charge, "refunded", purchase)
      : []),
    ...(isByTransfer ? [] : [refundedAnnounced(ctx, charge, refund)]),
  ];
}

function refundedAnnounced(
  ctx: Context,
  charge: Charge,
  { id: refundId, amountCents, reason }: Refund,
): BatchWrite {
  return announce<PaymentMessage>(ctx, `refund:${refundId}:succeeded`, {
    type: "charge.refunded",
    chargeId: charge.id,
    refundId,
    payerId: charge.payerId,
    amountCents,
    description: charge.description,
    reason,
  });
}
