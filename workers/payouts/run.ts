import type { Context } from "#app/domain/context.ts";
import { disputeSteps } from "#app/domain/disputes/commands/steps.server.ts";
import { fiscalSteps } from "#app/domain/fiscal/commands/steps.server.ts";
import { checkBooks } from "#app/domain/audit/commands.server.ts";
import { moderatorIds } from "#app/domain/moderation/queries.server.ts";
import { paymentSteps } from "#app/domain/payments/commands/steps.server.ts";
import { claimPayout } from "#app/domain/payouts/sending/commands/claim.server.ts";
import { prefetchKeyOwner } from "#app/domain/payouts/key-owners/commands/key-owners.server.ts";
import { sendPayout } from "#app/domain/payouts/sending/commands/send.server.ts";
import { payoutSteps } from "#app/domain/payouts/commands/steps.server.ts";
import { chargeSteps } from "#app/domain/purchases/commands/steps.server.ts";
import { reconciliationSteps } from "#app/domain/reconciliation/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { CALLS_PER_RUN, runCronSteps } from "#workers/scheduler.ts";
import { sealSteps } from "#workers/steps/seals.ts";
import { staffSteps } from "#workers/steps/staff.ts";

/**
 * What a run shares: the same invocation looks at the books before, and closes months, invoices and
 * reconciles after.
 */
const CALLS_OF_PAYOUTS = 550;

/**
 * In the order of who waits for money: first what goes back and what leaves, then what ripens, then
 * what is only told.
 */
export const PAYOUTS_ORDER: readonly Step[] = [
  chargeSteps.sendRefunds,
  paymentSteps.sendRefundTransfers,
  payoutSteps.claimRequested,
  payoutSteps.claimHeld,
  payoutSteps.sendClaimed,
  payoutSteps.stopClaimed,
  payoutSteps.claimByBalance,
  payoutSteps.settleSent,
  disputeSteps.sendAnswers,
  paymentSteps.release,
  payoutSteps.requestScheduled,
  paymentSteps.remindOfRefundKeys,
  disputeSteps.remind,
  paymentSteps.forgetPayerDigests,
];

/**
 * In the order in which they make way: a night ends, a month of invoices too, and sealing takes
 * whatever is left.
 */
export const CLOSING_ORDER: readonly Step[] = [
  reconciliationSteps.compare,
  fiscalSteps.invoice,
  staffSteps.missingIssuer,
  sealSteps.sealMonths,
];

/**
 * One run of the payouts cron: refunds and answers to disputes that wait are asked for again, what
 * goes back by a Pix of ours is sent, every open payout is pushed one step, holds that ended are
 * released, and payouts that schedules ask for are opened. Each step is a command that is safe to
 * run twice and to be killed; see `runCronSteps` for what a step leaves to the others.
 */
export async function runPayouts(ctx: Context): Promise<void> {
  await runCronSteps(ctx, PAYOUTS_ORDER, { calls: CALLS_OF_PAYOUTS });
}

/** Claims a payout, then sends it: two commits with the provider's call after the first. */
export async function claimAndSendPayout(
  ctx: Context,
  message: { type: "payout.claim" | "payout.send"; id: string },
): Promise<void> {
  if (message.type === "payout.claim")
    await claimPayout(ctx, { payoutId: message.id, staffIds: () => moderatorIds(ctx) });
  await sendPayout(ctx, { payoutId: message.id });
}

/** What a message of the queue asks for. */
export async function runPayoutJob(
  ctx: Context,
  { type, id }: { type: "payout.claim" | "payout.send" | "key_owner.ask"; id: string },
): Promise<void> {
  await (type === "key_owner.ask"
    ? prefetchKeyOwner(ctx, { creatorId: id })
    : claimAndSendPayout(ctx, { type, id }));
}

/**
 * Every invariant is looked at: what breaks wakes a human and holds payouts. A look that fails
 * leaves the last one standing, and stops nothing else of the run: what is owed to people goes on.
 */
export async function runLedgerChecks(ctx: Context): Promise<void> {
  try {
    await checkBooks(ctx, { moderatorIds: await moderatorIds(ctx) });
  } catch (error) {
    ctx.log("ledger.check_failed", { error: error instanceof Error ? error.name : "unknown" });
  }
}

/**
 * Compares, invoices and closes with at most `calls` calls to D1: what has no room goes on in the
 * next run.
 */
async function closeBooks(ctx: Context, { calls }: { calls?: number } = {}): Promise<void> {
  await runCronSteps(ctx, CLOSING_ORDER, { calls });
}

/**
 * All of the cron: the books first, because what is broken in them holds the payouts of this very
 * run.
 */
export async function runPayoutsCron(ctx: Context): Promise<void> {
  const before = ctx.db.callsMade();
  await runLedgerChecks(ctx);
  await runPayouts(ctx);
  await closeBooks(ctx, { calls: Math.max(0, CALLS_PER_RUN - (ctx.db.callsMade() - before)) });
}
