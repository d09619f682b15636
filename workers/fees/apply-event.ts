import type { Context } from "#app/domain/context.ts";
import {
  countInboxAttempt,
  inboxHandledStatement,
  quarantineEvent,
} from "#app/domain/payments/webhook-events/commands/inbox.server.ts";
import { NotAtProvider, ProviderRefused, ProviderUnclear } from "#app/domain/payments/errors.ts";
import { unhandledSince, unhandledInboxEvents } from "#app/domain/payments/queries.server.ts";
import type { InboxEvent } from "#app/domain/payments/queries.server.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import { notFoundRetryDelayMs } from "#app/domain/payments/webhook-events/rules.ts";
import type { StoredQuarantineReason } from "#app/domain/payments/webhook-events/rules.ts";
import type { ProviderEvent } from "#app/domain/payments/schema.ts";
import { chargeEvents, debitInstructionEvents } from "./charges.ts";
import type { EventProblem, EventRef, EventSteps, NamedIds } from "./event-steps.ts";
import { mandateEvents } from "./pix-mandates.ts";
import { disputeEvents, refundEvents } from "./refunds-and-disputes.ts";
import { transferEvents } from "./transfers.ts";

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

type EventType = Exclude<ProviderEvent["type"], "other">;

const EVENT_STEPS: Record<EventType, EventSteps<unknown, unknown>> = {
  charge: chargeEvents,
  instruction: debitInstructionEvents,
  refund: refundEvents,
  transfer: transferEvents,
  recurring_pix: mandateEvents,
  dispute: disputeEvents,
};

/**
 * A queue message about an event. Only the id is always there. `about` is the event's type and
 * chooses what is loaded; where the stored event has another type, that one counts.
 */
export type PaymentEventMessage = EventRef & { about?: string | undefined };

/**
 * Applies one stored event, and stamps it as handled in the same batch. Safe to repeat, and in any
 * order of events. The provider's current answer is applied, never the event's content. Quarantines
 * an event that cannot be applied. Throws ProviderUnclear when the provider does not answer.
 */
export async function applyEvent(ctx: Context, message: PaymentEventMessage): Promise<void> {
  const { inboxId } = message;
  try {
    const problem = await applyAs(ctx, eventType(message.about) ?? "charge", message);
    if (problem) await quarantineEvent(ctx, { inboxId, ...problem });
  } catch (error) {
    if (error instanceof NotAtProvider) await retryWhileNew(ctx, inboxId, error);
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

const NOTHING_NAMED: NamedIds = { reference: null, providerChargeId: null };

/**
 * The way of every event: load one snapshot, ask the provider, decide, write one batch. That is two
 * D1 calls. A third loads again where only the provider's answer names our rows: for a new dispute,
 * an external refund, a debit instruction, or an object whose provider id is not stored yet.
 */
async function applyAs(ctx: Context, type: EventType, ref: EventRef): Promise<EventProblem | null> {
  const steps = EVENT_STEPS[type];
  const loaded = await steps.load(ctx, ref, NOTHING_NAMED);
  if (!loaded || isDone(loaded.event)) return null;
  const { event } = loaded;
  const storedType = eventType(event.type);
  if (storedType === null) return { reason: "unknown_type" };
  if (storedType !== type) return await applyAs(ctx, storedType, ref);

  const answer = await steps.ask(providerOf(ctx, event), event.objectId);
  const { snapshot } = loaded.snapshot
    ? loaded
    : ((await steps.load(ctx, ref, await steps.namedBy(ctx, event, answer))) ?? loaded);
  const extraWrites = [inboxHandledStatement(ctx, { inboxId: event.id })];
  return await steps.settle(ctx, { event, snapshot, answer, extraWrites });
}

const isEventType = (type: string): type is EventType => Object.hasOwn(EVENT_STEPS, type);
const eventType = (type = ""): EventType | null => (isEventType(type) ? type : null);
const isDone = ({ handledAt, quarantinedAt }: InboxEvent): boolean =>
  handledAt !== null || quarantinedAt !== null;

/**
 * Throws ProviderUnclear, which the queue retries later, while the event's object may not be
 * visible yet.
 */
async function retryWhileNew(ctx: Context, inboxId: string, error: NotAtProvider): Promise<void> {
  const since = await unhandledSince(ctx, { inboxId });
  const retryAfterMs = since === null ? null : notFoundRetryDelayMs(ctx.realNow() - since);
  if (retryAfterMs !== null)
    throw new ProviderUnclear("the provider does not show the event's object yet", {
      retryAfterMs,
      cause: error,
    });
}

function refusalOf(error: ProviderRefused): StoredQuarantineReason {
  if (error.code === "foreign_currency") return "foreign_currency";
  return `${error instanceof NotAtProvider ? "not_there" : "provider_refused"}:${error.code}`;
}

/** Enqueues again the events that were never handled. A queue may lose messages; the row stays. */
export async function sweepInbox(ctx: Context): Promise<void> {
  const unhandled = await unhandledInboxEvents(ctx, {
    before: ctx.realNow() - SWEEP_AGE_MS,
    limit: SWEEP_LIMIT,
  });
  await ctx.queues.paymentEvents.sendAll(
    unhandled.map(({ id, type: about, isPaid }) => ({
      version: 1,
      type: "inbox.received",
      id,
      about,
      isPaid,
    })),
  );
}
