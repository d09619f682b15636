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
 * The D1 calls for payouts. The same invocation checks the ledger before, and seals months,
 * invoices and reconciles after.
 */
const CALLS_OF_PAYOUTS = 550;

/** Ordered by who waits for money: first refunds and payouts, then releases, then notifications. */
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
 * In order of priority: reconciliation has an end, and so has a month of invoices. Sealing takes
 * what is left of the budget.
 */
export const CLOSING_ORDER: readonly Step[] = [
  reconciliationSteps.compare,
  fiscalSteps.invoice,
  staffSteps.missingIssuer,
  sealSteps.sealMonths,
];

/**
 * Runs the payouts once. Retries pending refunds and dispute answers, sends refund transfers,
 * advances every open payout one step, releases available funds, and opens scheduled payouts. Each
 * step is a command that is safe to run twice and to be killed. See `runCronSteps` for how steps
 * share the budget.
 */
export async function runPayouts(ctx: Context): Promise<void> {
  await runCronSteps(ctx, PAYOUTS_ORDER, { calls: CALLS_OF_PAYOUTS });
}

/** Claims a payout, then sends it. Two commits: the provider is called after the first. */
export async function claimAndSendPayout(
  ctx: Context,
  message: { type: "payout.claim" | "payout.send"; id: string },
): Promise<void> {
  if (message.type === "payout.claim")
    await claimPayout(ctx, { payoutId: message.id, staffIds: () => moderatorIds(ctx) });
  await sendPayout(ctx, { payoutId: message.id });
}

/** Runs the payout of a queue message. */
export async function runPayoutJob(
  ctx: Context,
  { type, id }: { type: "payout.claim" | "payout.send" | "key_owner.ask"; id: string },
): Promise<void> {
  await (type === "key_owner.ask"
    ? prefetchKeyOwner(ctx, { creatorId: id })
    : claimAndSendPayout(ctx, { type, id }));
}

/**
 * Runs every ledger check: a violation notifies staff and holds payouts. A failed check keeps its
 * previous result and does not stop the run, so that owed money is still paid.
 */
export async function runLedgerChecks(ctx: Context): Promise<void> {
  try {
    await checkBooks(ctx, { moderatorIds: await moderatorIds(ctx) });
  } catch (error) {
    ctx.log("ledger.check_failed", { error: error instanceof Error ? error.name : "unknown" });
  }
}

/**
 * Reconciles, invoices and seals months with at most `calls` calls to D1. The rest continues in the
 * next run.
 */
async function closeBooks(ctx: Context, { calls }: { calls?: number } = {}): Promise<void> {
  await runCronSteps(ctx, CLOSING_ORDER, { calls });
}

/**
 * Runs the whole cron. Ledger checks come first, because a violation holds the payouts of the same
 * run.
 */
export async function runPayoutsCron(ctx: Context): Promise<void> {
  const before = ctx.db.callsMade();
  await runLedgerChecks(ctx);
  await runPayouts(ctx);
  await closeBooks(ctx, { calls: Math.max(0, CALLS_PER_RUN - (ctx.db.callsMade() - before)) });
}
