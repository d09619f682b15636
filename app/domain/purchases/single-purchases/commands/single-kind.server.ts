import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PurchaseHandler } from "#app/domain/payments/purchase-handlers/commands.server.ts";
import type { SinglePurchaseMessage } from "#app/domain/purchases/schema/outbox/singles.ts";
import type {
  Charge,
  ProviderAnswer,
  Settlement,
} from "#app/domain/payments/purchase-handlers/schema.ts";
import { loadPurchaseSnapshot } from "#app/domain/purchases/queries.server.ts";
import type { SinglePurchaseSnapshot } from "#app/domain/purchases/queries.server.ts";
import { decidePurchase } from "#app/domain/purchases/rules.ts";
import type { PurchaseDecision } from "#app/domain/purchases/rules.ts";
import { purchaseRefundReasonText } from "#app/domain/purchases/schema.ts";
import type { PurchaseEndReason, Purchase } from "#app/domain/purchases/schema.ts";
import { purchasePosts, purchases } from "#drizzle/schema/purchases.ts";

/**
 * Handler of posts, collections and messages. A purchase is paid once, and stays until all of its
 * money is refunded.
 */
export const singlePurchaseHandler: PurchaseHandler<SinglePurchaseSnapshot | null> = {
  async settlement(ctx, charge, answer, given) {
    const snapshot = given ?? (await loadPurchaseSnapshot(ctx, { purchaseId: charge.purchaseId }));
    return snapshot
      ? settlementOf(ctx, charge, snapshot, decisionFor(ctx, charge, snapshot, answer))
      : null;
  },
  async payer(ctx, charge) {
    const snapshot = await loadPurchaseSnapshot(ctx, { purchaseId: charge.purchaseId });
    return snapshot ? { name: snapshot.buyerName, savedMethodId: null } : null;
  },
  endedStatements: async (ctx, charge, because) => [
    endedIfLivingStatement(ctx, { purchaseId: charge.purchaseId, reason: because }),
  ],
};

function decisionFor(
  ctx: Context,
  charge: Charge,
  snapshot: SinglePurchaseSnapshot,
  { providerCharge, refusedCode }: ProviderAnswer,
): PurchaseDecision {
  const { purchase } = snapshot;
  if (refusedCode !== undefined)
    return {
      kind: "progress",
      status: "failed",
      failureCode: refusedCode,
      endsAttempt: purchase.boughtAt === null && purchase.endedAt === null,
    };
  return decidePurchase({ ...snapshot, charge, providerCharge, now: ctx.now() });
}

function settlementOf(
  ctx: Context,
  charge: Charge,
  snapshot: SinglePurchaseSnapshot,
  decision: PurchaseDecision,
): Settlement {
  const { purchase } = snapshot;
  switch (decision.kind) {
    case "nothing":
      return decision;
    case "progress":
      return {
        kind: "progress",
        status: decision.status,
        failureCode: decision.failureCode,
        extraWrites: decision.endsAttempt ? [attemptOverStatement(ctx, purchase, "unpaid")] : [],
      };
    case "buy":
      return {
        kind: "paid",
        isRenewal: false,
        extraWrites: boughtStatements(ctx, charge, snapshot),
        announced: boughtKey(purchase.id),
      };
    case "give_back":
      return {
        kind: "give_back",
        reason: purchaseRefundReasonText(purchase.kind, decision.reason),
        log: decision.reason,
        extraWrites: decision.endsAttempt
          ? [attemptOverStatement(ctx, purchase, "given_back")]
          : [],
      };
  }
}

const boughtKey = (purchaseId: string) => `purchase:${purchaseId}:bought`;

/** An expired attempt that is paid late still buys. */
function boughtStatements(
  ctx: Context,
  charge: Charge,
  { purchase, buyerName, creatorName, creatorUsername }: SinglePurchaseSnapshot,
): BatchWrite[] {
  const { id, kind, targetId, title, personId, creatorId } = purchase;
  return [
    mustChangeOne(
      ctx.db
        .update(purchases)
        .set({ boughtAt: ctx.now(), endedAt: null, endedReason: null })
        .where(and(eq(purchases.id, id), isNull(purchases.boughtAt))),
    ),
    ...(kind === "collection" ? [soldPostsStatement(ctx, { purchaseId: id })] : []),
    announce<SinglePurchaseMessage>(ctx, boughtKey(id), {
      type: "purchase.bought",
      purchaseId: id,
      chargeId: charge.id,
      kind,
      targetId,
      title,
      buyerId: personId,
      buyerName,
      creatorId,
      creatorName,
      creatorUsername,
      amountCents: charge.amountCents,
    }),
  ];
}

/** The buyer retains the posts that the collection has now, whatever is removed later. */
function soldPostsStatement(ctx: Context, { purchaseId }: { purchaseId: string }): BatchWrite {
  return ctx.db
    .insert(purchasePosts)
    .select(
      sql`SELECT bought.id, held.post_id, bought.person_id FROM purchases bought JOIN collection_posts held ON held.collection_id = bought.target_id WHERE bought.id = ${purchaseId}`,
    )
    .onConflictDoNothing();
}

function attemptOverStatement(
  ctx: Context,
  { id }: Purchase,
  reason: PurchaseEndReason,
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(purchases)
      .set({ endedAt: ctx.now(), endedReason: reason })
      .where(and(eq(purchases.id, id), isNull(purchases.boughtAt), isNull(purchases.endedAt))),
  );
}

/**
 * Builds the statement that ends a purchase after a refund or a lost dispute. It matches nothing
 * when it is over.
 */
function endedIfLivingStatement(
  ctx: Context,
  { purchaseId, reason }: { purchaseId: string; reason: PurchaseEndReason },
): BatchWrite {
  return ctx.db
    .update(purchases)
    .set({ endedAt: ctx.now(), endedReason: reason })
    .where(
      and(eq(purchases.id, purchaseId), isNotNull(purchases.boughtAt), isNull(purchases.endedAt)),
    );
}

/** Builds the statement that ends a purchase now; stale if another write ended it first. */
export function purchaseEndedStatement(
  ctx: Context,
  { purchaseId, reason }: { purchaseId: string; reason: PurchaseEndReason },
): BatchWrite {
  return mustChangeOne(
    ctx.db
      .update(purchases)
      .set({ endedAt: ctx.now(), endedReason: reason })
      .where(
        and(eq(purchases.id, purchaseId), isNotNull(purchases.boughtAt), isNull(purchases.endedAt)),
      ),
  );
}
