import type { BatchWrite } from "#app/db/client.server.ts";
import { commit } from "#app/db/client.server.ts";
import { UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PayoutMessage } from "#app/domain/payouts/schema/outbox.ts";
import { payoutProviderFor } from "#app/domain/payments/providers/rules/providers.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import {
  BelowMinimum,
  DocumentsNotApproved,
  HeldByStaff,
  PaidOnAccountDeletion,
  WithdrawalMethodOnHold,
  PayoutsUnavailable,
  NoWithdrawalMethod,
  PayoutAlreadyOpen,
} from "./errors.ts";
import { loadPayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import type { PayoutSnapshot } from "#app/domain/payouts/sending/queries/payout-snapshot.server.ts";
import { payoutProblem } from "./rules.ts";
import { transferCapabilityFor } from "#app/domain/payouts/destinations/rules/destinations.ts";
import { expectedWait } from "#app/domain/payouts/holds/rules/holds.ts";
import type { ExpectedWait } from "#app/domain/payouts/holds/rules/holds.ts";
import type { DestinationKind } from "./schema/destinations.ts";

/** `actedBy`: the team member who requests the payout; null when the creator does. */
type PayoutRequest = {
  creatorId: string;
  actedBy?: { id: string; name: string } | null;
  isClosing?: boolean;
  /** Statements that join the batch of the request. */
  also?: (payoutId: string) => BatchWrite[];
};

/**
 * Requests a payout of everything available; the payouts worker claims and sends it.
 *
 * Two clicks make one payout: the database allows one open payout per creator. The money goes to
 * the creator's own destination, whoever requests it. A request by a team member notifies the
 * creator. Returns what the payout will wait for. Refuses PaidOnAccountDeletion,
 * NoWithdrawalMethod, DocumentsNotApproved, PayoutAlreadyOpen, PayoutsUnavailable, HeldByStaff,
 * WithdrawalMethodOnHold, BelowMinimum (`minimumPayoutCents`).
 */
export async function requestPayout(
  ctx: Context,
  { creatorId, actedBy = null, isClosing = false, also = () => [] }: PayoutRequest,
): Promise<{ payoutId: string; to: DestinationKind; awaits: ExpectedWait }> {
  const snapshot = await loadPayoutSnapshot(ctx, { creatorId });
  if (snapshot.isLeaving && !isClosing) throw new PaidOnAccountDeletion();
  refuse(ctx, snapshot, isClosing);
  if (!snapshot.method) throw new NoWithdrawalMethod();
  const provider = payoutProviderFor(
    ctx.payments,
    transferCapabilityFor(snapshot.method.pixKeyKind),
  );
  if (!provider) throw new PayoutsUnavailable();
  const payoutId = ctx.newId();
  const outboxId = `payout:${payoutId}:requested`;
  try {
    await commit(ctx.db, [
      ctx.db.insert(payouts).values({
        id: payoutId,
        creatorId,
        amountCents: 0,
        status: "requested",
        pixKeyKind: snapshot.method.pixKeyKind,
        pixKey: snapshot.method.pixKey,
        provider: provider.name,
        requestedAt: ctx.now(),
        actedBy: actedBy?.id ?? null,
      }),
      ...(actedBy
        ? [
            announce<PayoutMessage>(ctx, outboxId, {
              type: "payout.requested",
              payoutId,
              creatorId,
              memberName: actedBy.name,
            }),
          ]
        : []),
      ...also(payoutId),
    ]);
  } catch (error) {
    throw error instanceof UniqueViolation ? new PayoutAlreadyOpen() : error;
  }
  await ctx.queues.payouts.send({ version: 1, type: "payout.claim", id: payoutId });
  if (actedBy)
    await ctx.queues.notifications.send({ version: 1, type: "outbox.deliver", id: outboxId });
  return {
    payoutId,
    to: snapshot.method.pixKeyKind,
    awaits: expectedWait({ ...snapshot, approvalLimitCents: ctx.settings.payoutApprovalCents }),
  };
}

function refuse(ctx: Context, snapshot: PayoutSnapshot, isClosing: boolean): void {
  const holdUntil = snapshot.method?.holdUntil ?? null;
  const problem = payoutProblem({
    ...snapshot,
    hasMethod: snapshot.method !== null,
    holdUntil,
    isClosing,
    now: ctx.now(),
  });
  if (problem === "no_method") throw new NoWithdrawalMethod();
  if (problem === "documents") throw new DocumentsNotApproved();
  if (problem === "already_open") throw new PayoutAlreadyOpen();
  if (problem === "no_provider") throw new PayoutsUnavailable();
  if (problem === "held_by_staff") throw new HeldByStaff();
  if (problem === "below_minimum") throw new BelowMinimum();
  if (problem === "method_on_hold") throw new WithdrawalMethodOnHold(holdUntil ?? ctx.now());
}
