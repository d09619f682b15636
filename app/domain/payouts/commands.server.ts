import type { Write } from "#app/db/client.server.ts";
import { commit } from "#app/db/client.server.ts";
import { UniqueViolation } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { announce } from "#app/domain/outbox.server.ts";
import type { PayoutMessage } from "#app/domain/payouts/schema/outbox.ts";
import { payerBy } from "#app/domain/payments/rules/providers.ts";
import { payouts } from "#drizzle/schema/payouts.ts";
import {
  BelowMinimum,
  DocumentsNotApproved,
  HeldByStaff,
  LeavingIsPaidAtTheEnd,
  MethodOnHold,
  NobodyPaysOut,
  NoWithdrawalMethod,
  PayoutAlreadyOpen,
} from "./errors.ts";
import { payoutStanding } from "./queries/standing.server.ts";
import type { PayoutStanding } from "./queries/standing.server.ts";
import { payoutProblem } from "./rules.ts";
import { wayTo } from "./rules/destinations.ts";
import { awaitsOf } from "./rules/holds.ts";
import type { Awaits } from "./rules/holds.ts";
import type { DestinationKind } from "./schema/destinations.ts";

/** `actedBy`: who of the creator's team asks; nobody when the creator does. */
type PayoutRequest = {
  creatorId: string;
  actedBy?: { id: string; name: string } | null;
  isClosing?: boolean;
  /** What is written with it. */
  also?: (payoutId: string) => Write[];
};

/**
 * Asks for everything available to be paid out; the payouts worker claims and sends it. Two clicks
 * make one payout: the database allows one open payout a creator. The money goes to the creator's
 * own key whoever asks, and asked by their team they are told. Gives what it will wait for. Refuses
 * LeavingIsPaidAtTheEnd, NoWithdrawalMethod, DocumentsNotApproved, PayoutAlreadyOpen,
 * NobodyPaysOut, HeldByStaff, MethodOnHold, BelowMinimum (`leastPayout`).
 */
export async function requestPayout(
  ctx: Context,
  { creatorId, actedBy = null, isClosing = false, also = () => [] }: PayoutRequest,
): Promise<{ payoutId: string; to: DestinationKind; awaits: Awaits }> {
  const standing = await payoutStanding(ctx, { creatorId });
  if (standing.isLeaving && !isClosing) throw new LeavingIsPaidAtTheEnd();
  refuse(ctx, standing, isClosing);
  if (!standing.method) throw new NoWithdrawalMethod();
  const provider = payerBy(ctx.payments, wayTo(standing.method.pixKeyKind));
  if (!provider) throw new NobodyPaysOut();
  const payoutId = ctx.newId();
  const outboxId = `payout:${payoutId}:requested`;
  try {
    await commit(ctx.db, [
      ctx.db.insert(payouts).values({
        id: payoutId,
        creatorId,
        amountCents: 0,
        status: "requested",
        pixKeyKind: standing.method.pixKeyKind,
        pixKey: standing.method.pixKey,
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
    to: standing.method.pixKeyKind,
    awaits: awaitsOf({ ...standing, approvalLimitCents: ctx.settings.payoutApprovalCents }),
  };
}

function refuse(ctx: Context, standing: PayoutStanding, isClosing: boolean): void {
  const holdUntil = standing.method?.holdUntil ?? null;
  const problem = payoutProblem({
    ...standing,
    hasMethod: standing.method !== null,
    holdUntil,
    isClosing,
    now: ctx.now(),
  });
  if (problem === "no_method") throw new NoWithdrawalMethod();
  if (problem === "documents") throw new DocumentsNotApproved();
  if (problem === "already_open") throw new PayoutAlreadyOpen();
  if (problem === "no_provider") throw new NobodyPaysOut();
  if (problem === "held_by_staff") throw new HeldByStaff();
  if (problem === "below_minimum") throw new BelowMinimum();
  if (problem === "method_on_hold") throw new MethodOnHold(holdUntil ?? ctx.now());
}
