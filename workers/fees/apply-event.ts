import type { Context } from "#app/domain/context.ts";
import {
  countInboxAttempt,
  quarantineEvent,
} from "#app/domain/payments/webhook-events/commands/inbox.server.ts";
import { NotAtProvider, ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { unhandledSince, unhandledInboxEvents } from "#app/domain/payments/queries.server.ts";
import { notFoundRetryDelayMs } from "#app/domain/payments/webhook-events/rules.ts";
import type { StoredQuarantineReason } from "#app/domain/payments/webhook-events/rules.ts";
import { eventTypes } from "#app/domain/payments/schema.ts";
import type { ProviderEvent } from "#app/domain/payments/schema.ts";
import { prepareMandateEvent } from "./pix-mandates.ts";
import { prepareChargeEvent, prepareDebitEvent, prepareUnknownEvent } from "./charges.ts";
import { inboxEventRef } from "./prepare-event.ts";
import type { PreparedEvent, DeliveryRef } from "./prepare-event.ts";
import { prepareDisputeEvent, prepareRefundEvent } from "./refunds-and-disputes.ts";
import { prepareTransferEvent } from "./transfers.ts";

/** Attempts at an event that fails for a reason of ours, before it is quarantined. */
const ATTEMPTS_LIMIT = 10;
/**
 * Events of a batch applied concurrently. Of two that change the same charge, the database accepts
 * one at a time.
 */
export const CONCURRENT_EVENTS = 5;
const SWEEP_LIMIT = 200;
/** A younger message is probably still in its queue. */
const SWEEP_AGE_MS = 15_000;

type EventSubject = ProviderEvent["type"];

/**
 * Prepares each type of event. Reads the event and all that applying it needs in one call to D1.
 * Applying it stamps it in the batch of its change, so that an event takes two calls. Source:
 * `tests/workers/fees/event-calls.worker.test.ts`;
 * docs/decisions/money/apply-a-payment-in-one-batch.md.
 */
const FOUND: Record<
  EventSubject,
  (ctx: Context, delivery: DeliveryRef) => Promise<PreparedEvent | null>
> = {
  charge: prepareChargeEvent,
  instruction: prepareDebitEvent,
  refund: prepareRefundEvent,
  transfer: prepareTransferEvent,
  recurring_pix: prepareMandateEvent,
  dispute: prepareDisputeEvent,
  other: prepareUnknownEvent,
};

/** What a queue message says of an event; only the id is always there. */
export type PaymentEventMessage = {
  inboxId: string;
  about?: string | undefined;
  provider?: string | undefined;
  objectId?: string | undefined;
  isPaid?: boolean | undefined;
};

/**
 * Applies one stored event: loads it, asks the provider for the present state, applies that once
 * and stamps the event. Safe to repeat, and in any order of events. The provider's present answer
 * is applied, never the event's content. The subject in the message saves a read. Where the row
 * differs, the row counts.
 */
export async function applyEvent(ctx: Context, message: PaymentEventMessage): Promise<void> {
  const { inboxId } = message;
  try {
    const found = await foundAs(ctx, message);
    if (!found || isDone(found)) return;
    const problem = await found.apply();
    if (problem) await quarantineEvent(ctx, { inboxId, ...problem });
  } catch (error) {
    if (error instanceof NotAtProvider) await waitForIt(ctx, inboxId, error);
    if (error instanceof ProviderRefused)
      return await quarantineEvent(ctx, { inboxId, reason: refusalOf(error) });
    const isOurs = !(error instanceof ProviderUnclear);
    if (isOurs && (await countInboxAttempt(ctx, { inboxId })) >= ATTEMPTS_LIMIT) {
      return await quarantineEvent(ctx, {
        inboxId,
        reason: `fault:${error instanceof Error ? error.name : "unknown"}`,
      });
    }
    throw error;
  }
}

/**
 * Throws ProviderUnclear, which the queue retries later, while the event's object may not be
 * visible yet.
 */
async function waitForIt(ctx: Context, inboxId: string, error: NotAtProvider): Promise<void> {
  const since = await unhandledSince(ctx, { inboxId });
  const retryAfterMs = since === null ? null : notFoundRetryDelayMs(ctx.realNow() - since);
  if (retryAfterMs !== null)
    throw new ProviderUnclear("what was told of is not shown yet", { retryAfterMs, cause: error });
}

function refusalOf(error: ProviderRefused): StoredQuarantineReason {
  if (error.code === "foreign_currency") return "foreign_currency";
  return `${error instanceof NotAtProvider ? "not_there" : "provider_refused"}:${error.code}`;
}

const known = (about: string): EventSubject => eventTypes.find((type) => type === about) ?? "other";
const isDone = ({ event }: PreparedEvent): boolean =>
  event.handledAt !== null || event.quarantinedAt !== null;

async function foundAs(
  ctx: Context,
  { inboxId, about, provider, objectId, isPaid }: PaymentEventMessage,
): Promise<PreparedEvent | null> {
  const telling =
    about !== undefined && provider !== undefined && objectId !== undefined
      ? { inboxId, provider, objectId, isPaid }
      : null;
  const type = telling === null || about === undefined ? "charge" : known(about);
  const found =
    telling === null ? await prepareChargeEvent(ctx, { inboxId }) : await FOUND[type](ctx, telling);
  if (!found || isDone(found) || known(found.event.type) === type) return found;
  return await FOUND[known(found.event.type)](ctx, inboxEventRef(found.event));
}

/** Enqueues again the events that were never handled. A queue may lose messages; the row stays. */
export async function sweepInbox(ctx: Context): Promise<void> {
  const waiting = await unhandledInboxEvents(ctx, {
    before: ctx.realNow() - SWEEP_AGE_MS,
    limit: SWEEP_LIMIT,
  });
  await ctx.queues.paymentEvents.sendAll(
    waiting.map(({ type: about, ...told }) => ({
      version: 1,
      type: "inbox.received",
      about,
      ...told,
    })),
  );
}
