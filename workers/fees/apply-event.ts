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

/** How often an event that fails for a reason of ours is tried before it is set aside for a human. */
const ATTEMPTS_LIMIT = 10;
/**
 * Deliveries of a batch that are applied beside each other: what two do to the same charge, the
 * database lets one do.
 */
export const CONCURRENT_EVENTS = 5;
const SWEEP_LIMIT = 200;
/** A message younger than this is probably still in its queue. */
const SWEEP_AGE_MS = 15_000;

type EventSubject = ProviderEvent["type"];

/**
 * By what a delivery is about: it and all that applying it needs, in one call to D1; what applies
 * it stamps it in the batch of what it changes, so that an event is two calls. Source:
 * `tests/workers/event-calls.worker.test.ts`;
 * docs/decisions/money/apply-a-payment-in-one-batch.md.
 */
const FOUND: Record<
  EventSubject,
  (ctx: Context, telling: DeliveryRef) => Promise<PreparedEvent | null>
> = {
  charge: prepareChargeEvent,
  instruction: prepareDebitEvent,
  refund: prepareRefundEvent,
  transfer: prepareTransferEvent,
  recurring_pix: prepareMandateEvent,
  dispute: prepareDisputeEvent,
  other: prepareUnknownEvent,
};

/** What a message says of a delivery; nothing where it says only which one it is. */
export type PaymentEventMessage = {
  inboxId: string;
  about?: string | undefined;
  provider?: string | undefined;
  objectId?: string | undefined;
  isPaid?: boolean | undefined;
};

/**
 * Applies one stored delivery: reloads it, asks the provider what is true now, applies that once,
 * stamps it. Safe to run any number of times and in any order of events, since what is applied is
 * the provider's present answer and never the event. What its message says that it is about spares
 * a reading; where the row says otherwise, the row is believed.
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
 * Throws ProviderUnclear, which its queue tries again after a while, as long as what a delivery
 * tells of may not be shown yet.
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

/** Enqueues again what was received and never handled: a queue may lose anything, the row does not. */
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
