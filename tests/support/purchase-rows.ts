import type { DbStatement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { charges } from "#drizzle/schema/payments.ts";
import { purchases } from "#drizzle/schema/purchases.ts";

type Bought = {
  personId: string;
  creatorId: string;
  kind: "post" | "collection";
  targetId: string;
  isPaid?: boolean;
  isOver?: boolean;
};

/**
 * The rows of a purchase, without a checkout or ledger entries. For tests of access, never of
 * money.
 */
export function insertPurchaseRows(
  ctx: Context,
  { personId, creatorId, kind, targetId, isPaid = true, isOver = false }: Bought,
): { purchaseId: string; rows: DbStatement[] } {
  const now = ctx.now();
  const [purchaseId, chargeId] = [ctx.newId(), ctx.newId()];
  const agreed = {
    id: purchaseId,
    personId,
    creatorId,
    kind,
    targetId,
    title: "T",
    chargeId,
    amountCents: 500,
    createdAt: now,
  };
  const paid = {
    status: isPaid ? "succeeded" : "awaiting_payment",
    succeededAt: isPaid ? now : null,
  };
  return {
    purchaseId,
    rows: [
      ctx.db.insert(charges).values({
        id: chargeId,
        payerId: personId,
        creatorId,
        purchaseKind: kind,
        purchaseId,
        description: "T",
        amountCents: 500,
        feeBasisPoints: 0,
        feeCents: 0,
        netCents: 500,
        method: "pix",
        provider: "sandbox",
        ...paid,
        askedAt: now,
        createdAt: now,
      }),
      ctx.db.insert(purchases).values({
        ...agreed,
        boughtAt: isPaid ? now : null,
        endedAt: isOver ? now : null,
        endedReason: isOver ? (isPaid ? "regret" : "unpaid") : null,
      }),
    ],
  };
}
