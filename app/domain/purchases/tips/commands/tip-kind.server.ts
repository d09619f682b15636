import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PurchaseHandler } from "#app/domain/payments/purchase-handlers/commands.server.ts";
import type { TipMessage } from "#app/domain/purchases/schema/outbox/tips.ts";
import type {
  Charge,
  ProviderAnswer,
  Settlement,
} from "#app/domain/payments/purchase-handlers/schema.ts";
import { loadTipSnapshot } from "#app/domain/purchases/tips/queries.server.ts";
import type { TipSnapshot } from "#app/domain/purchases/tips/queries.server.ts";
import { decideTip } from "#app/domain/purchases/tips/rules.ts";
import type { TipDecision } from "#app/domain/purchases/tips/rules.ts";
import type { PurchaseEndReason } from "#app/domain/purchases/schema.ts";
import { tipRefundReasons } from "#app/domain/purchases/tips/schema.ts";
import { tips } from "#drizzle/schema/purchases.ts";

/** Handler of tips. A tip opens nothing, and is over when all of its money is refunded. */
export const tipHandler: PurchaseHandler<TipSnapshot | null> = {
  async settlement(ctx, charge, answer, given) {
    const snapshot = given ?? (await loadTipSnapshot(ctx, { tipId: charge.purchaseId }));
    return snapshot
      ? settlementOf(ctx, charge, snapshot, decisionFor(ctx, charge, snapshot, answer))
      : null;
  },
  async payer(ctx, charge) {
    const snapshot = await loadTipSnapshot(ctx, { tipId: charge.purchaseId });
    return snapshot ? { name: snapshot.payerName, savedMethodId: null } : null;
  },
  endedStatements: async (ctx, charge, because) => [
    tipEndedStatement(ctx, { tipId: charge.purchaseId, reason: because }),
  ],
};

function decisionFor(
  ctx: Context,
  charge: Charge,
  snapshot: TipSnapshot,
  { providerCharge, refusedCode }: ProviderAnswer,
): TipDecision {
  const { tip } = snapshot;
  if (refusedCode !== undefined)
    return {
      kind: "progress",
      status: "failed",
      failureCode: refusedCode,
      endsAttempt: tip.paidAt === null && tip.endedAt === null,
    };
  return decideTip({ ...snapshot, charge, providerCharge, now: ctx.now() });
}

function settlementOf(
  ctx: Context,
  charge: Charge,
  snapshot: TipSnapshot,
  decision: TipDecision,
): Settlement {
  const { tip } = snapshot;
  const over = (reason: PurchaseEndReason): BatchWrite[] =>
    decision.kind !== "nothing" && decision.kind !== "give" && decision.endsAttempt
      ? [attemptOverStatement(ctx, { tipId: tip.id, reason })]
      : [];
  switch (decision.kind) {
    case "nothing":
      return decision;
    case "progress":
      return {
        kind: "progress",
        status: decision.status,
        failureCode: decision.failureCode,
        extraWrites: over("unpaid"),
      };
    case "give":
      return {
        kind: "paid",
        isRenewal: false,
        extraWrites: givenStatements(ctx, charge, snapshot),
        announced: givenKey(tip.id),
      };
    case "give_back":
      return {
        kind: "give_back",
        reason: tipRefundReasons[decision.reason],
        log: decision.reason,
        extraWrites: over("given_back"),
      };
  }
}

const givenKey = (tipId: string) => `tip:${tipId}:given`;

/**
 * An expired attempt that is paid late is still given, unless another tip was just paid in its
 * place.
 */
function givenStatements(
  ctx: Context,
  charge: Charge,
  { tip, payerName, creatorName, creatorUsername }: TipSnapshot,
): BatchWrite[] {
  return [
    mustChangeOne(
      ctx.db
        .update(tips)
        .set({ paidAt: ctx.now(), endedAt: null, endedReason: null })
        .where(
          and(
            eq(tips.id, tip.id),
            isNull(tips.paidAt),
            sql`NOT EXISTS (SELECT 1 FROM tips other WHERE other.person_id = ${tip.personId} AND other.creator_id = ${tip.creatorId} AND other.id <> ${tip.id} AND other.paid_at >= ${tip.createdAt} AND other.ended_at IS NULL)`,
          ),
        ),
    ),
    announce<TipMessage>(ctx, givenKey(tip.id), {
      type: "tip.given",
      tipId: tip.id,
      chargeId: charge.id,
      payerId: tip.personId,
      payerName,
      creatorId: tip.creatorId,
      creatorName,
      creatorUsername,
      amountCents: charge.amountCents,
      message: tip.message,
    }),
  ];
}

function attemptOverStatement(
  ctx: Context,
  { tipId, reason }: { tipId: string; reason: PurchaseEndReason },
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(tips)
      .set({ endedAt: ctx.now(), endedReason: reason })
      .where(and(eq(tips.id, tipId), isNull(tips.paidAt), isNull(tips.endedAt))),
  );
}

/** Builds the statement that ends a paid tip; it matches nothing when it is over. */
export function tipEndedStatement(
  ctx: Context,
  { tipId, reason }: { tipId: string; reason: PurchaseEndReason },
) {
  return ctx.db
    .update(tips)
    .set({ endedAt: ctx.now(), endedReason: reason })
    .where(and(eq(tips.id, tipId), isNotNull(tips.paidAt), isNull(tips.endedAt)));
}
