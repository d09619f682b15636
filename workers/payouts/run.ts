import type { Context } from "#app/domain/context.ts";
import { invoiceFees, tellOfMissingIssuer } from "#app/domain/fiscal/commands.server.ts";
import { checkBooks } from "#app/domain/ledger/commands/checks.server.ts";
import { sealNextMonth } from "#app/domain/ledger/commands/seals.server.ts";
import { moderatorIds } from "#app/domain/moderation/queries.server.ts";
import { remindOfDispute, sendAnswer } from "#app/domain/disputes/commands/answer.server.ts";
import { answersToSend, disputesToRemind } from "#app/domain/disputes/queries.server.ts";
import { forgetPayerDigests } from "#app/domain/payments/commands/refund-payer.server.ts";
import { remindOfKey } from "#app/domain/payments/commands/refund-transfers.server.ts";
import {
  RELEASED_TOGETHER,
  releaseTogether,
} from "#app/domain/payments/commands/releases.server.ts";
import { sendRefundTransfer } from "#app/domain/payments/commands/send-refund-transfer.server.ts";
import { refundsToSend } from "#app/domain/payments/queries.server.ts";
import {
  refundKeysToRemind,
  refundTransfersToSend,
  transfersToSend,
} from "#app/domain/payments/queries/refund-transfers.server.ts";
import { releasesDue } from "#app/domain/payments/queries/releases.server.ts";
import { claimPayout } from "#app/domain/payouts/commands/claim.server.ts";
import { askAhead } from "#app/domain/payouts/commands/key-owners.server.ts";
import { sendPayout } from "#app/domain/payouts/commands/send.server.ts";
import { settlePayout } from "#app/domain/payouts/commands/settle.server.ts";
import { turnsForBalance } from "#app/domain/payouts/commands/waits.server.ts";
import { requestScheduledPayouts } from "#app/domain/payouts/commands/schedule.server.ts";
import { heldToGoOn, payoutsIn } from "#app/domain/payouts/queries/due.server.ts";
import { sendRefund } from "#app/domain/purchases/commands/settle.server.ts";
import { refundsBeside } from "#app/domain/purchases/queries/beside.server.ts";
import { payoutRows } from "#app/domain/payouts/queries.server.ts";
import { claimedToStop } from "#app/domain/payouts/queries/stops.server.ts";
import { reconcile } from "#app/domain/reconciliation/commands/run.server.ts";
import { sha256Hex } from "#app/lib/digest.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import {
  CALLS_PER_RUN,
  eachDue,
  eachRead,
  eachTogether,
  enqueuesDue,
  once,
  runSteps,
} from "#workers/steps.ts";
import type { HasRoom, Step } from "#workers/steps.ts";

/** Some 240 calls to D1, of which a run has room for as many. */
const RELEASES_PER_RUN = 3_000;
const REFUNDS_PER_RUN = 100;
/**
 * Read in one call: of a refund all that it may do, some thirty statements; of a transfer its row,
 * or what decides whether it leaves.
 */
const REFUNDS_READ = 10;
const TRANSFERS_READ = 50;
const ANSWERS_PER_RUN = 20;
const REMINDERS_PER_RUN = 100;
const PAYOUTS_PER_RUN = 500;
/** Younger payouts are in their queue. */
const ENQUEUED_FOR_MS = 20_000;
/** A transfer that nobody spoke of for this long is asked about. */
const SILENT_FOR_MS = 5 * MINUTE_MS;

/**
 * What a run shares: the same invocation looks at the books before, and closes months, invoices and
 * reconciles after.
 */
const CALLS_OF_PAYOUTS = 550;

/**
 * In the order of who waits for money: first what goes back and what leaves, then what ripens, then
 * what is only told.
 */
const STEPS: readonly Step[] = [
  eachRead("payouts.refund_unclear", {
    due: (ctx) => refundsToSend(ctx, { limit: REFUNDS_PER_RUN }),
    size: REFUNDS_READ,
    read: (ctx, refundIds) => refundsBeside(ctx, { refundIds }),
    each: (ctx, refundId, found) =>
      sendRefund(ctx, { refundId, ...(found ? { read: found.read } : {}) }, found?.paidFor ?? null),
  }),
  eachRead("payouts.refund_transfer_unclear", {
    due: (ctx) => refundTransfersToSend(ctx, { limit: REFUNDS_PER_RUN }),
    size: TRANSFERS_READ,
    read: (ctx, transferIds) => transfersToSend(ctx, { transferIds }),
    each: (ctx, transferId, read) =>
      sendRefundTransfer(ctx, { transferId, ...(read ? { read } : {}) }),
  }),
  enqueuesDue("payouts.enqueue_failed", {
    due: (ctx, now) =>
      payoutsIn(ctx, {
        statuses: ["requested"],
        before: now - ENQUEUED_FOR_MS,
        limit: PAYOUTS_PER_RUN,
      }),
    send: enqueued("payout.claim"),
  }),
  enqueuesDue("payouts.enqueue_failed", {
    due: (ctx, now) => heldToGoOn(ctx, { now, limit: PAYOUTS_PER_RUN }),
    send: enqueued("payout.claim"),
  }),
  enqueuesDue("payouts.enqueue_failed", {
    due: (ctx, now) =>
      payoutsIn(ctx, {
        statuses: ["claimed"],
        before: now - ENQUEUED_FOR_MS,
        limit: PAYOUTS_PER_RUN,
      }),
    send: enqueued("payout.send"),
  }),
  enqueuesDue("payouts.enqueue_failed", {
    due: (ctx, now) => claimedToStop(ctx, { now, limit: PAYOUTS_PER_RUN }),
    send: enqueued("payout.send"),
  }),
  enqueuesDue("payouts.enqueue_failed", {
    due: (ctx) => turnsForBalance(ctx, { limit: PAYOUTS_PER_RUN }),
    send: enqueued("payout.claim"),
  }),
  eachRead("payouts.transfer_unclear", {
    due: (ctx, now) =>
      payoutsIn(ctx, { statuses: ["sent"], before: now - SILENT_FOR_MS, limit: PAYOUTS_PER_RUN }),
    size: TRANSFERS_READ,
    read: (ctx, payoutIds) => payoutRows(ctx, { payoutIds }),
    each: async (ctx, payoutId, read) =>
      void (await settlePayout(ctx, { payoutId, ...(read ? { read } : {}) })),
  }),
  eachDue("payouts.answer_unclear", {
    due: (ctx) => answersToSend(ctx, { limit: ANSWERS_PER_RUN }),
    each: (ctx, disputeId) => sendAnswer(ctx, { disputeId }),
  }),
  eachTogether("payouts.release_failed", {
    due: (ctx, now) => releasesDue(ctx, { now, limit: RELEASES_PER_RUN }),
    size: RELEASED_TOGETHER,
    together: (ctx, releaseIds) => releaseTogether(ctx, { releaseIds }),
  }),
  once("payouts.schedule_failed", requestScheduledPayouts),
  eachDue("payouts.reminder_failed", {
    kind: "key_reminder",
    due: (ctx) => refundKeysToRemind(ctx, { limit: REMINDERS_PER_RUN }),
    each: (ctx, transferId) => remindOfKey(ctx, { transferId }),
  }),
  eachDue("payouts.reminder_failed", {
    kind: "dispute_reminder",
    due: (ctx) => disputesToRemind(ctx, { limit: REMINDERS_PER_RUN }),
    each: (ctx, disputeId) => remindOfDispute(ctx, { disputeId }),
  }),
  once("payouts.forgetting_failed", forgetPayerDigests),
];

/**
 * One run of the payouts cron: refunds and answers to disputes that wait are asked for again, what
 * goes back by a Pix of ours is sent, every open payout is pushed one step, holds that ended are
 * released, and payouts that schedules ask for are opened. Each step is a command that is safe to
 * run twice and to be killed; see `runSteps` for what a step leaves to the others.
 */
export async function runPayouts(ctx: Context): Promise<void> {
  await runSteps(ctx, STEPS, { calls: CALLS_OF_PAYOUTS });
}

function enqueued(type: "payout.claim" | "payout.send") {
  return (ctx: Context, ids: readonly string[]) =>
    ctx.queues.payouts.sendAll(ids.map((id) => ({ version: 1, type, id })));
}

/** Claims a payout, then sends it: two commits with the provider's call after the first. */
export async function pushPayout(
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
    ? askAhead(ctx, { creatorId: id })
    : pushPayout(ctx, { type, id }));
}

/**
 * Every invariant is looked at: what breaks wakes a human and holds payouts. A look that fails
 * leaves the last one standing, and stops nothing else of the run: what is owed to people goes on.
 */
export async function watchBooks(ctx: Context): Promise<void> {
  try {
    await checkBooks(ctx, { moderatorIds: await moderatorIds(ctx) });
  } catch (error) {
    ctx.log("ledger.check_failed", { error: error instanceof Error ? error.name : "unknown" });
  }
}

/**
 * In the order in which they make way: a night ends, a month of invoices too, and sealing takes
 * whatever is left.
 */
const CLOSING: readonly Step[] = [
  // What the providers did since last night is compared with what we hold, a few pages at a time.
  once("reconciliation.failed", reconcile),
  // The platform's own fee is invoiced to each creator once its month is sealed, and handed in a
  // few files at a time.
  once("fiscal.failed", invoiceFees),
  once("fiscal.telling_failed", (ctx) =>
    tellOfMissingIssuer(ctx, { moderatorIds: () => moderatorIds(ctx) }),
  ),
  once("ledger.seal_failed", sealMonths),
];

/**
 * Compares, invoices and closes with at most `calls` calls to D1: what has no room goes on in the
 * next run.
 */
async function closeBooks(ctx: Context, { calls }: { calls?: number } = {}): Promise<void> {
  await runSteps(ctx, CLOSING, { calls });
}

/** Closes the months that are over, one after the other. */
async function sealMonths(ctx: Context, hasRoom: HasRoom): Promise<void> {
  while ((await sealNextMonth(ctx, { digest: sha256Hex, hasRoom })) !== null);
}

/**
 * All of the cron: the books first, because what is broken in them holds the payouts of this very
 * run.
 */
export async function payoutsCron(ctx: Context): Promise<void> {
  const before = ctx.db.callsMade();
  await watchBooks(ctx);
  await runPayouts(ctx);
  await closeBooks(ctx, { calls: Math.max(0, CALLS_PER_RUN - (ctx.db.callsMade() - before)) });
}
