import type { Write } from "#app/db/client.server.ts";
import { commit } from "#app/db/client.server.ts";
import { RuleViolation } from "#app/db/errors.ts";
import { RefundRefused, TransactionNotFound } from "#app/domain/billing/errors.ts";
import { refundStates } from "#app/domain/billing/queries/refund.server.ts";
import { refundProblem } from "#app/domain/billing/rules/refunds.ts";
import type { Context } from "#app/domain/context.ts";
import type { Cents } from "#app/domain/money.ts";
import { refundNow, refundStatement } from "#app/domain/payments/commands/refunds.server.ts";
import { rereading } from "#app/domain/payments/commands/rereading.server.ts";
import { chargeRow, refundRow } from "#app/domain/payments/queries.server.ts";
import type { Charge, Refund } from "#app/domain/payments/queries.server.ts";
import { keepsFollowingStatement } from "#app/domain/profiles/commands.server.ts";
import { purchaseKinds } from "#app/domain/purchases/commands/settle.server.ts";
import { endedNowStatements } from "#app/domain/subscriptions/commands/ended.server.ts";
import { purchaseFacts } from "#app/domain/subscriptions/queries.server.ts";
import { coveringCharges } from "#app/domain/subscriptions/queries/closing.server.ts";
import { isLive } from "#app/domain/subscriptions/rules.ts";

/** More than a live subscription can have paid for ahead. */
const MOST_CHARGES = 50;

export type RefundWish = {
  /** Whose sale it must be; null for a moderator, who may give back anybody's. */
  sellerId: string | null;
  /** Who decides. */
  decidedBy: string;
  chargeId: string;
  /** Made with the form: the same one again changes nothing. */
  refundId: string;
  amountCents: Cents;
  /** Read by who paid; empty says who gave it back. */
  reason: string;
};

/**
 * Gives all or a part of a payment back because who sold it, or the staff, decides so. All of what pays for now ends what it paid for, in
 * the same batch. The same `refundId` again does nothing, so that two clicks give back once; two decisions at once are one and a refusal.
 * Refuses TransactionNotFound (also for somebody else's sale) and RefundRefused. Source: domain rules, "Fee" and "Ledger".
 */
export async function refundCharge(ctx: Context, wish: RefundWish): Promise<void> {
  try {
    await rereading(() => decideRefund(ctx, wish));
  } catch (error) {
    // The database lets one wait: this very one, by another click, or somebody else's.
    if (!(error instanceof RuleViolation) || error.rule !== "immutable_refund_waits") throw error;
    if (!isSame(wish, await refundRow(ctx, wish))) throw new RefundRefused("waiting");
  }
  await refundNow(ctx, purchaseKinds, wish.refundId);
}

async function decideRefund(ctx: Context, wish: RefundWish): Promise<void> {
  const charge = await chargeRow(ctx, wish);
  if (!charge || charge.succeededAt === null || (wish.sellerId !== null && charge.creatorId !== wish.sellerId)) throw new TransactionNotFound();
  const known = await refundRow(ctx, wish);
  if (isSame(wish, known)) return;
  if (known) throw new TransactionNotFound();
  const problem = refundProblem(charge, await refundStates(ctx, { chargeId: charge.id }), { amountCents: wish.amountCents, now: ctx.now() });
  if (problem) throw new RefundRefused(problem);
  const isWhole = charge.refundedCents + wish.amountCents === charge.amountCents;
  await commit(ctx.db, [
    refundStatement(ctx, charge, { id: wish.refundId, amountCents: wish.amountCents, reason: wish.reason || reasonOf(wish), decidedBy: wish.decidedBy }),
    ...(isWhole ? await endingStatements(ctx, charge) : []),
  ]);
}

const isSame = (wish: RefundWish, known: Refund | null): boolean => known?.chargeId === wish.chargeId && known.amountCents === wish.amountCents;

const reasonOf = ({ sellerId }: RefundWish): string => (sellerId === null ? "O Coreto devolveu este pagamento." : "Quem vendeu devolveu este pagamento.");

/** A subscription ends with the money of its present days, and whoever had it goes on following; a past period takes nothing with it. What was bought once ends when its money is back. */
async function endingStatements(ctx: Context, charge: Charge): Promise<Write[]> {
  if (charge.purchaseKind !== "subscription") return [];
  const facts = await purchaseFacts(ctx, { subscriptionId: charge.purchaseId });
  const covering = await coveringCharges(ctx, { of: { subscriptionId: charge.purchaseId }, at: ctx.now(), afterChargeId: "", limit: MOST_CHARGES });
  if (!facts || !isLive(facts.subscription.status) || !covering.some(({ chargeId }) => chargeId === charge.id)) return [];
  const follows = facts.isShut ? [] : [keepsFollowingStatement(ctx, { followerId: charge.payerId, creatorId: charge.creatorId })];
  return [...endedNowStatements(ctx, facts.subscription), ...follows];
}
