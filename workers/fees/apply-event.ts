import type { Context } from "#app/domain/context.ts";
import { countEventAttempt, quarantineEvent } from "#app/domain/payments/commands/inbox.server.ts";
import { ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { waitingInbox } from "#app/domain/payments/queries.server.ts";
import { eventTypes } from "#app/domain/payments/schema.ts";
import type { ProviderEvent } from "#app/domain/payments/schema.ts";
import { authorisationFound } from "./authorisations.ts";
import { chargeFound, instructionFound, otherFound } from "./charges.ts";
import type { Found } from "./found.ts";
import { disputeFound, refundFound } from "./money-back.ts";
import { transferFound } from "./transfers.ts";

/** How often an event that fails for a reason of ours is tried before it is set aside for a human. */
const ATTEMPTS_LIMIT = 10;
/** Deliveries of a batch that are applied beside each other: what two do to the same charge, the database lets one do. */
export const AT_ONCE = 5;
const SWEEP_LIMIT = 200;
/** A message younger than this is probably still in its queue. */
const SWEEP_AGE_MS = 15_000;

type About = ProviderEvent["type"];

/**
 * By what a delivery is about: it and all that applying it usually needs, in one call to D1; what applies it stamps it in the batch of what it changes, so that
 * the usual event is two calls. Source: `tests/workers/event-calls.worker.test.ts`; decision 0267.
 */
const FOUND: Record<About, (ctx: Context, inboxId: string) => Promise<Found | null>> = {
  charge: chargeFound,
  instruction: instructionFound,
  refund: refundFound,
  transfer: transferFound,
  recurring_pix: authorisationFound,
  dispute: disputeFound,
  other: otherFound,
};

/**
 * Applies one stored delivery: reloads it, asks the provider what is true now, applies that once, stamps it. Safe to run any
 * number of times and in any order of events, since what is applied is the provider's present answer and never the event.
 * `about` is what its message says that it is about; where the row says otherwise, the row is believed.
 */
export async function applyEvent(ctx: Context, { inboxId, about = "charge" }: { inboxId: string; about?: string | undefined }): Promise<void> {
  const found = await foundAs(ctx, inboxId, known(about));
  if (!found || found.event.handledAt !== null || found.event.quarantinedAt !== null) return;
  try {
    const problem = await found.apply();
    if (problem) await quarantineEvent(ctx, { inboxId, reason: problem });
  } catch (error) {
    if (error instanceof ProviderRefused) return await quarantineEvent(ctx, { inboxId, reason: `provider_refused:${error.code}` });
    const isOurs = !(error instanceof ProviderUnclear);
    if (isOurs && (await countEventAttempt(ctx, { inboxId })) >= ATTEMPTS_LIMIT) {
      return await quarantineEvent(ctx, { inboxId, reason: error instanceof Error ? error.name : "unknown" });
    }
    throw error;
  }
}

const known = (about: string): About => eventTypes.find((type) => type === about) ?? "other";

async function foundAs(ctx: Context, inboxId: string, about: About): Promise<Found | null> {
  const found = await FOUND[about](ctx, inboxId);
  const type = found && known(found.event.type);
  const isDone = found !== null && (found.event.handledAt !== null || found.event.quarantinedAt !== null);
  return type === null || type === about || isDone ? found : await FOUND[type](ctx, inboxId);
}

/** Enqueues again what was received and never handled: a queue may lose anything, the row does not. */
export async function sweepInbox(ctx: Context): Promise<void> {
  const waiting = await waitingInbox(ctx, { before: ctx.realNow() - SWEEP_AGE_MS, limit: SWEEP_LIMIT });
  await ctx.queues.paymentEvents.sendAll(waiting.map(({ id, type: about }) => ({ version: 1, type: "inbox.received", id, about })));
}
