import type { Context } from "#app/domain/context.ts";
import { allocateKeyLookups } from "#app/domain/payouts/key-owners/commands/key-prefetch.server.ts";
import { requestScheduledPayouts } from "#app/domain/payouts/batches/commands/schedule.server.ts";
import { settlePayout } from "#app/domain/payouts/sending/commands/settle.server.ts";
import { payoutsWithBalance } from "#app/domain/payouts/holds/commands/waits.server.ts";
import { payoutRows } from "#app/domain/payouts/queries.server.ts";
import {
  resumableHeldPayouts,
  stalePayouts,
} from "#app/domain/payouts/batches/queries/due.server.ts";
import { claimedPayoutsToCancel } from "#app/domain/payouts/sending/queries/payouts-to-cancel.server.ts";
import { stepPerLoadedRow, enqueueStep } from "#app/domain/retry-backoff/commands/steps.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";
import { MINUTE_MS } from "#app/domain/time.ts";

const PAYOUTS_PER_RUN = 500;
/** Rows read in one call. */
const TRANSFERS_READ = 50;
/** Younger payouts are still in their queue. */
const ENQUEUED_FOR_MS = 20_000;
/** A transfer without an update for this long is looked up at the provider. */
const UNCONFIRMED_FOR_MS = 5 * MINUTE_MS;

/** Cron steps that move every open payout one step and open the scheduled payouts. */
export const payoutSteps = {
  claimRequested: enqueueStep({
    name: "payouts.claim_requested",
    event: "payouts.enqueue_failed",
    due: (ctx, now) =>
      stalePayouts(ctx, {
        statuses: ["requested"],
        before: now - ENQUEUED_FOR_MS,
        limit: PAYOUTS_PER_RUN,
      }),
    send: enqueued("payout.claim"),
  }),
  claimHeld: enqueueStep({
    name: "payouts.claim_held",
    event: "payouts.enqueue_failed",
    due: (ctx, now) => resumableHeldPayouts(ctx, { now, limit: PAYOUTS_PER_RUN }),
    send: enqueued("payout.claim"),
  }),
  sendClaimed: enqueueStep({
    name: "payouts.send_claimed",
    event: "payouts.enqueue_failed",
    due: (ctx, now) =>
      stalePayouts(ctx, {
        statuses: ["claimed"],
        before: now - ENQUEUED_FOR_MS,
        limit: PAYOUTS_PER_RUN,
      }),
    send: enqueued("payout.send"),
  }),
  stopClaimed: enqueueStep({
    name: "payouts.stop_claimed",
    event: "payouts.enqueue_failed",
    due: (ctx, now) => claimedPayoutsToCancel(ctx, { now, limit: PAYOUTS_PER_RUN }),
    send: enqueued("payout.send"),
  }),
  claimByBalance: enqueueStep({
    name: "payouts.claim_by_balance",
    event: "payouts.enqueue_failed",
    due: (ctx) => payoutsWithBalance(ctx, { limit: PAYOUTS_PER_RUN }),
    send: enqueued("payout.claim"),
  }),
  settleSent: stepPerLoadedRow({
    name: "payouts.settle_sent",
    event: "payouts.transfer_unclear",
    due: (ctx, now) =>
      stalePayouts(ctx, {
        statuses: ["sent"],
        before: now - UNCONFIRMED_FOR_MS,
        limit: PAYOUTS_PER_RUN,
      }),
    size: TRANSFERS_READ,
    read: (ctx, payoutIds) => payoutRows(ctx, { payoutIds }),
    each: async (ctx, payoutId, read) =>
      void (await settlePayout(ctx, { payoutId, ...(read ? { read } : {}) })),
  }),
  requestScheduled: {
    name: "payouts.request_scheduled",
    event: "payouts.schedule_failed",
    run: requestScheduledPayouts,
  },
  askKeyOwners: {
    name: "payouts.ask_key_owners",
    event: "payouts.key_owner_failed",
    run: allocateKeyLookups,
  },
} satisfies Record<string, Step>;

function enqueued(type: "payout.claim" | "payout.send") {
  return (ctx: Context, ids: readonly string[]) =>
    ctx.queues.payouts.sendAll(ids.map((id) => ({ version: 1, type, id })));
}
