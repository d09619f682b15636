import { and, eq, inArray } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { payoutFailed, payoutPaid, payoutReturned } from "#app/domain/ledger/rules.ts";
import { announce } from "#app/domain/outbox.server.ts";
import { retryOnConflict } from "#app/db/retry-on-conflict.ts";
import type { PayoutMessage } from "#app/domain/payouts/schema/outbox.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import {
  interpretTransfer,
  isDifferentTransfer,
  isPaidAfterReversal,
  transferFault,
} from "#app/domain/payments/providers/rules/transfer-faults.ts";
import type { ProviderTransfer } from "#app/domain/payments/schema.ts";
import { payoutRow } from "#app/domain/payouts/queries.server.ts";
import { payoutStatesBefore } from "#app/domain/payouts/rules.ts";
import { unconfirmedSendWindow } from "#app/domain/payouts/holds/rules/holds.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import { payoutCostStatements } from "./costs.server.ts";
import { holdAfterReversalPaid } from "#app/domain/payouts/holds/commands/holds.server.ts";
import { rerequestPayoutStatements } from "#app/domain/payouts/holds/commands/waits.server.ts";

type PayoutUpdate = {
  payoutId: string;
  said?: ProviderTransfer;
  /** The payout where its caller has just read it: it is read again only when it moved meanwhile. */
  read?: Payout;
  /**
   * Written in the batch of whatever this changes, or by itself when that is nothing: the stamp of
   * the delivery that told of it.
   */
  alongside?: BatchWrite[];
};

/**
 * What became of news of a payout's transfer. Of another transfer under the same payout, or of one
 * that was given back and is paid, nothing is applied: people look at it.
 */
export type PayoutOutcome = "applied" | "another_transfer" | "paid_after_given_back";

/**
 * Brings a payout to what the provider says of its transfer, once; asks when not told. INVARIANT:
 * what a payout is told by is the transfer that it has; another one under its reference never
 * undoes that, and is for people to look at.
 */
export async function settlePayout(
  ctx: Context,
  { payoutId, said: told, read, alongside = [] }: PayoutUpdate,
): Promise<PayoutOutcome> {
  const known = read ?? (await payoutRow(ctx, { payoutId }));
  const news = known && known.claimedAt !== null ? (told ?? (await saidOf(ctx, known))) : null;
  if (!news) {
    await commit(ctx.db, alongside);
    return "applied";
  }
  let payout: Payout | null = known;
  return await retryOnConflict(async () => {
    let now = payout ?? (await payoutRow(ctx, { payoutId }));
    payout = null;
    const said = now ? interpretTransfer(now, news) : news;
    if (now && isPaidAfterReversal(now, said)) {
      await holdAfterReversalPaid(ctx, now);
      return "paid_after_given_back";
    }
    if (now && isDifferentTransfer(now, said)) return "another_transfer";
    // A transfer that came back was paid before, even if nobody told us.
    if (now && said.status === "returned" && payoutStatesBefore("paid").includes(now.status)) {
      await commit(ctx.db, settlementStatements(ctx, now, { ...said, status: "paid" }));
      now = await payoutRow(ctx, { payoutId });
    }
    await commit(ctx.db, [...(now ? settledStatements(ctx, now, said) : []), ...alongside]);
    return "applied";
  });
}

/**
 * What its provider says of a payout's transfer, or null. Of what was never asked for it has
 * nothing to say, and is not looked through.
 */
async function saidOf(
  ctx: Context,
  { id, providerTransferId, ...payout }: Payout,
): Promise<ProviderTransfer | null> {
  const asked = unconfirmedSendWindow(payout);
  if (providerTransferId) return await providerOf(ctx, payout).transferById(providerTransferId);
  return asked && (await providerOf(ctx, payout).transferByReference(id, { asked }));
}

function settledStatements(ctx: Context, payout: Payout, said: ProviderTransfer): BatchWrite[] {
  if (payoutStatesBefore(said.status).includes(payout.status))
    return [...settlementStatements(ctx, payout, said), ...payoutCostStatements(ctx, payout, said)];
  return payout.providerTransferId === said.id ? payoutCostStatements(ctx, payout, said) : [];
}

function settlementStatements(ctx: Context, payout: Payout, said: ProviderTransfer): BatchWrite[] {
  const now = ctx.now();
  const ref = { ...payout, payoutId: payout.id };
  const moved = (values: Partial<typeof payouts.$inferInsert>) =>
    mustChangeOne(
      ctx.db
        .update(payouts)
        .set({
          ...values,
          providerTransferId: said.id || payout.providerTransferId,
          askedAt: now,
          waitsFor: null,
          waitsUntil: null,
        })
        .where(
          and(
            eq(payouts.id, payout.id),
            eq(payouts.status, payout.status),
            inArray(payouts.status, [...payoutStatesBefore(said.status)]),
          ),
        ),
    );
  const told = {
    payoutId: payout.id,
    creatorId: payout.creatorId,
    amountCents: payout.amountCents,
  };
  switch (said.status) {
    case "processing":
      return [moved({ status: "sent", sentAt: now })];
    case "paid":
      return [
        moved({ status: "paid", settledAt: now }),
        ...postingStatements(ctx, payoutPaid(ref)),
        announce<PayoutMessage>(ctx, `payout:${payout.id}:paid`, { type: "payout.paid", ...told }),
      ];
    case "failed":
      return [
        moved({ status: "failed", settledAt: now, failureCode: said.failureCode }),
        ...postingStatements(ctx, payoutFailed(ref)),
        ...(transferFault(said.failureCode) === "house"
          ? rerequestPayoutStatements(ctx, payout, said.failureCode)
          : [
              announce<PayoutMessage>(ctx, `payout:${payout.id}:failed`, {
                type: "payout.failed",
                ...told,
              }),
            ]),
      ];
    case "returned":
      return [
        moved({ status: "returned", settledAt: now, failureCode: said.failureCode }),
        ...postingStatements(ctx, payoutReturned(ref)),
        announce<PayoutMessage>(ctx, `payout:${payout.id}:returned`, {
          type: "payout.returned",
          ...told,
        }),
      ];
  }
}
