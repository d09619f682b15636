import { and, eq, inArray } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { postingStatements } from "#app/domain/ledger/commands.server.ts";
import { payoutFailed, payoutPaid, payoutReturned } from "#app/domain/ledger/rules/payouts.ts";
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
  providerTransfer?: ProviderTransfer;
  /** The payout as its caller just read it. It is read again only if it changed meanwhile. */
  read?: Payout;
  /**
   * Statements that join the batch of the change, or run alone without one: the stamp of the
   * webhook event.
   */
  extraWrites?: BatchWrite[];
};

/**
 * The outcome of an update of a payout's transfer. An update of another transfer under the same
 * payout, or of a reversed one that is now paid, is not applied: people review it.
 */
export type PayoutOutcome = "applied" | "another_transfer" | "paid_after_given_back";

/**
 * Settles a payout: brings it to the provider's status of its transfer, once. Without an update it
 * asks the provider.
 *
 * INVARIANT: only the payout's own transfer changes it. Another transfer under its reference never
 * undoes that, and people review it.
 */
export async function settlePayout(
  ctx: Context,
  { payoutId, providerTransfer: answer, read, extraWrites = [] }: PayoutUpdate,
): Promise<PayoutOutcome> {
  const loaded = read ?? (await payoutRow(ctx, { payoutId }));
  const reported =
    loaded && loaded.claimedAt !== null
      ? (answer ?? (await fetchProviderTransfer(ctx, loaded)))
      : null;
  if (!reported) {
    await commit(ctx.db, extraWrites);
    return "applied";
  }
  let payout: Payout | null = loaded;
  return await retryOnConflict(async () => {
    let now = payout ?? (await payoutRow(ctx, { payoutId }));
    payout = null;
    const providerTransfer = now ? interpretTransfer(now, reported) : reported;
    if (now && isPaidAfterReversal(now, providerTransfer)) {
      await holdAfterReversalPaid(ctx, now);
      return "paid_after_given_back";
    }
    if (now && isDifferentTransfer(now, providerTransfer)) return "another_transfer";
    // A returned transfer was paid before, even if no event said so.
    if (
      now &&
      providerTransfer.status === "returned" &&
      payoutStatesBefore("paid").includes(now.status)
    ) {
      await commit(ctx.db, settlementStatements(ctx, now, { ...providerTransfer, status: "paid" }));
      now = await payoutRow(ctx, { payoutId });
    }
    await commit(ctx.db, [
      ...(now ? settledStatements(ctx, now, providerTransfer) : []),
      ...extraWrites,
    ]);
    return "applied";
  });
}

/**
 * Asks the provider for a payout's transfer; null if it has none. A payout that was never sent
 * needs no lookup.
 */
async function fetchProviderTransfer(
  ctx: Context,
  { id, providerTransferId, ...payout }: Payout,
): Promise<ProviderTransfer | null> {
  const asked = unconfirmedSendWindow(payout);
  if (providerTransferId) return await providerOf(ctx, payout).transferById(providerTransferId);
  return asked && (await providerOf(ctx, payout).transferByReference(id, { asked }));
}

function settledStatements(
  ctx: Context,
  payout: Payout,
  providerTransfer: ProviderTransfer,
): BatchWrite[] {
  if (payoutStatesBefore(providerTransfer.status).includes(payout.status))
    return [
      ...settlementStatements(ctx, payout, providerTransfer),
      ...payoutCostStatements(ctx, payout, providerTransfer),
    ];
  return payout.providerTransferId === providerTransfer.id
    ? payoutCostStatements(ctx, payout, providerTransfer)
    : [];
}

function settlementStatements(
  ctx: Context,
  payout: Payout,
  providerTransfer: ProviderTransfer,
): BatchWrite[] {
  const now = ctx.now();
  const ref = { ...payout, payoutId: payout.id };
  const moved = (values: Partial<typeof payouts.$inferInsert>) =>
    mustChangeOne(
      ctx.db
        .update(payouts)
        .set({
          ...values,
          providerTransferId: providerTransfer.id || payout.providerTransferId,
          askedAt: now,
          waitsFor: null,
          waitsUntil: null,
        })
        .where(
          and(
            eq(payouts.id, payout.id),
            eq(payouts.status, payout.status),
            inArray(payouts.status, [...payoutStatesBefore(providerTransfer.status)]),
          ),
        ),
    );
  const payoutFields = {
    payoutId: payout.id,
    creatorId: payout.creatorId,
    amountCents: payout.amountCents,
  };
  switch (providerTransfer.status) {
    case "processing":
      return [moved({ status: "sent", sentAt: now })];
    case "paid":
      return [
        moved({ status: "paid", settledAt: now }),
        ...postingStatements(ctx, payoutPaid(ref)),
        announce<PayoutMessage>(ctx, `payout:${payout.id}:paid`, {
          type: "payout.paid",
          ...payoutFields,
        }),
      ];
    case "failed":
      return [
        moved({ status: "failed", settledAt: now, failureCode: providerTransfer.failureCode }),
        ...postingStatements(ctx, payoutFailed(ref)),
        ...(transferFault(providerTransfer.failureCode) === "house"
          ? rerequestPayoutStatements(ctx, payout, providerTransfer.failureCode)
          : [
              announce<PayoutMessage>(ctx, `payout:${payout.id}:failed`, {
                type: "payout.failed",
                ...payoutFields,
              }),
            ]),
      ];
    case "returned":
      return [
        moved({ status: "returned", settledAt: now, failureCode: providerTransfer.failureCode }),
        ...postingStatements(ctx, payoutReturned(ref)),
        announce<PayoutMessage>(ctx, `payout:${payout.id}:returned`, {
          type: "payout.returned",
          ...payoutFields,
        }),
      ];
  }
}
