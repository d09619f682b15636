import type { TransactionKind } from "#app/domain/billing/schema.ts";
import { eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { commit } from "#app/db/client.server.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import {
  chargeRefunded,
  chargeSucceeded,
  disputeLost,
  disputeOpened,
} from "#app/domain/ledger/rules.ts";
import { insertReleasesStatement } from "#app/domain/payments/releases/commands/releases.server.ts";
import { splitFee, feeShareOfRefund } from "#app/domain/payments/rules.ts";
import { chargeReleases, charges, disputes } from "#drizzle/schema/payments.ts";

export type Sale = {
  payerId: string;
  creatorId: string;
  amountCents: number;
  at: number;
  method?: "pix" | "card";
  kind?: TransactionKind;
  /** Its outcome: a refund, a dispute, or a failed charge. */
  end?: { refundedCents: number } | "disputed" | "lost" | "failed";
};

/** Books charges as the product does, without calling a provider. Returns their ids. */
export async function insertSales(ctx: Context, made: readonly Sale[]): Promise<string[]> {
  const ids: string[] = [];
  for (const sale of made) ids.push(await book(ctx, sale));
  return ids;
}

async function book(
  ctx: Context,
  { payerId, creatorId, amountCents, at, method = "pix", kind = "subscription", end }: Sale,
): Promise<string> {
  const id = ctx.newId();
  const fee = splitFee(amountCents, 500);
  const isPaid = end !== "failed";
  const back = typeof end === "object" ? Math.min(end.refundedCents, amountCents) : 0;
  const feeShareCents =
    back > 0
      ? feeShareOfRefund(
          {
            amountCents,
            ...fee,
            refundedCents: 0,
            refundedFeeCents: 0,
            disputedCents: 0,
            disputedFeeCents: 0,
          },
          back,
        )
      : 0;
  const isDisputed = end === "disputed" || end === "lost";
  const ref = { chargeId: id, creatorId, provider: "sandbox" };
  const recourse = { pendingOfChargeCents: fee.netCents, availableCents: 0 };
  const disputed = { ...ref, disputeId: id, amountCents, feeShareCents: fee.feeCents };
  const at0 = { ...ctx, now: () => at };
  await commit(ctx.db, [
    ctx.db.insert(charges).values({
      id,
      payerId,
      creatorId,
      purchaseKind: kind,
      purchaseId: id,
      description: "Assinatura Camarim, de Ana Lira",
      amountCents,
      feeBasisPoints: 500,
      ...fee,
      method,
      provider: "sandbox",
      providerChargeId: id,
      status: !isPaid
        ? "failed"
        : end === "disputed"
          ? "disputed"
          : end === "lost"
            ? "dispute_lost"
            : back === 0
              ? "succeeded"
              : back === amountCents
                ? "refunded"
                : "partially_refunded",
      refundedCents: back,
      refundedFeeCents: feeShareCents,
      disputedCents: isDisputed ? amountCents : 0,
      disputedFeeCents: isDisputed ? fee.feeCents : 0,
      succeededAt: isPaid ? at : null,
      pendingCents: isPaid && !isDisputed ? fee.netCents - (back - feeShareCents) : 0,
      askedAt: at,
      createdAt: at,
    }),
    ...(isPaid
      ? [
          insertReleasesStatement(ctx, { id, creatorId }, [
            { netCents: fee.netCents, beginsAt: null, releaseAt: at },
          ]),
        ]
      : []),
    ...(isPaid
      ? postingStatements(
          at0,
          chargeSucceeded({ ...ref, grossCents: amountCents, feeCents: fee.feeCents }),
        )
      : []),
    ...(back > 0
      ? [
          ctx.db
            .update(chargeReleases)
            .set({ takenCents: back - feeShareCents })
            .where(eq(chargeReleases.chargeId, id)),
        ]
      : []),
    ...(back > 0
      ? postingStatements(
          at0,
          chargeRefunded({ ...ref, refundId: id, amountCents: back, feeShareCents, recourse }),
        )
      : []),
    ...(isDisputed
      ? [
          ctx.db.insert(disputes).values({
            id,
            chargeId: id,
            creatorId,
            provider: "sandbox",
            providerDisputeId: id,
            kind: "card",
            amountCents,
            feeShareCents: fee.feeCents,
            pendingCents: fee.netCents,
            status: end === "lost" ? "lost" : "open",
            createdAt: at,
            settledAt: end === "lost" ? at : null,
          }),
        ]
      : []),
    ...(isDisputed ? postingStatements(at0, disputeOpened({ ...disputed, recourse })) : []),
    ...(isDisputed
      ? [
          ctx.db
            .update(chargeReleases)
            .set(end === "lost" ? { takenCents: fee.netCents } : { disputedCents: fee.netCents })
            .where(eq(chargeReleases.chargeId, id)),
        ]
      : []),
    ...(end === "lost" ? postingStatements(at0, disputeLost(disputed)) : []),
  ]);
  return id;
}
