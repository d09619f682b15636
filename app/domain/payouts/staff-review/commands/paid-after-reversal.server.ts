import { and, eq } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { isPartyToMoney } from "#app/domain/identity/colleagues/queries.server.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { payoutPaidAfterReversal } from "#app/domain/ledger/rules/payouts.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PayoutMessage } from "#app/domain/payouts/schema/outbox.ts";
import { asProviderUnavailable } from "#app/domain/payments/providers/commands/provider-unavailable.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import { accountBalanceUnchanged } from "#app/domain/payments/charges/queries/charge-funds.server.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import type { ProviderTransfer } from "#app/domain/payments/schema.ts";
import { PayoutRecordConflict, PayoutNotPaidAfterReversal } from "#app/domain/payouts/errors.ts";
import { creatorBalances } from "#app/domain/payouts/queries.server.ts";
import { unconfirmedSendWindow } from "#app/domain/payouts/holds/rules/holds.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";
import { payoutActs, payouts } from "#drizzle/schema/payouts.ts";
import { payoutCostStatements } from "#app/domain/payouts/sending/commands/costs.server.ts";
import { payoutForReview } from "./review-payout.server.ts";

/**
 * Records that the bank has the money of a reversed payout. What the provider says now decides, not
 * the moderator.
 *
 * The money leaves the available balance; what is already gone becomes owed, as after a refund.
 * Returns that owed amount, in centavos. Refuses DocumentModeratorRequired, PayoutNotFound,
 * PayoutRecordConflict (the creator, or a member of their team who sees the money),
 * PayoutNotPaidAfterReversal and ProviderUnavailable.
 *
 * INVARIANT: the money is taken from the books once, however often this runs. The batch that takes
 * it changes only a failed or returned payout. Source:
 * docs/decisions/money/never-send-the-same-money-twice.md.
 */
export async function recordPaidAfterReversal(
  ctx: Context,
  { payoutId, moderatorId }: { payoutId: string; moderatorId: string },
): Promise<{ owedCents: number }> {
  const { creatorId } = await payoutForReview(ctx, { payoutId, moderatorId });
  if (await isPartyToMoney(ctx, { creatorId, moderatorId })) throw new PayoutRecordConflict();
  const { providerTransfer, owedCents } = await retryOnConflict(async () => {
    const payout = await payoutForReview(ctx, { payoutId, moderatorId });
    const paid =
      payout.status === "failed" || payout.status === "returned"
        ? await paidNow(ctx, payout)
        : null;
    if (!paid) throw new PayoutNotPaidAfterReversal();
    const { availableCents } = await creatorBalances(ctx, { creatorId });
    await commit(ctx.db, [
      mustChangeOne(
        ctx.db
          .update(payouts)
          .set({
            status: "paid",
            failureCode: null,
            settledAt: ctx.now(),
            providerTransferId: paid.id,
          })
          .where(
            and(
              eq(payouts.id, payoutId),
              eq(payouts.status, payout.status),
              accountBalanceUnchanged("creator_available", creatorId, availableCents),
            ),
          ),
      ),
      ...postingStatements(ctx, payoutPaidAfterReversal({ ...payout, payoutId, availableCents })),
      ...payoutCostStatements(ctx, payout, paid),
      ctx.db
        .insert(payoutActs)
        .values({ id: ctx.newId(), payoutId, moderatorId, act: "record", createdAt: ctx.now() }),
      announce<PayoutMessage>(ctx, `payout:${payoutId}:paid`, {
        type: "payout.paid",
        payoutId,
        creatorId,
        amountCents: payout.amountCents,
      }),
    ]);
    return { providerTransfer: paid, owedCents: Math.max(0, payout.amountCents - availableCents) };
  });
  ctx.log("payouts.paid_after_all", {
    payoutId,
    moderatorId,
    transferId: providerTransfer.id,
    owedCents,
  });
  await ctx.queues.notifications.send({
    version: 1,
    type: "outbox.deliver",
    id: `payout:${payoutId}:paid`,
  });
  return { owedCents };
}

/**
 * Finds a transfer of the payout that its provider reports as paid in full: the known one, or
 * another under the payout's reference. Null where there is none.
 */
async function paidNow(
  ctx: Context,
  { id, providerTransferId, amountCents, ...payout }: Payout,
): Promise<ProviderTransfer | null> {
  const [provider, asked] = [providerOf(ctx, payout), unconfirmedSendWindow(payout)];
  const paid = (providerTransfer: ProviderTransfer | null): ProviderTransfer | null =>
    providerTransfer?.status === "paid" && providerTransfer.amountCents === amountCents
      ? providerTransfer
      : null;
  return await asProviderUnavailable(
    async () =>
      paid(providerTransferId === null ? null : await provider.transferById(providerTransferId)) ??
      paid(asked && (await provider.transferByReference(id, { asked }))),
  );
}
