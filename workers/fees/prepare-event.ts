import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { readsByName } from "#app/db/reads-by-name.ts";
import type { Database } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { InboxEventSubject } from "#app/domain/payments/webhook-events/commands/inbox.server.ts";
import type { InboxEvent } from "#app/domain/payments/queries.server.ts";
import type { ProviderAnswerRef } from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import type { QuarantineReason } from "#app/domain/payments/webhook-events/rules.ts";
import { providerOf } from "#app/domain/payments/providers/rules/providers.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * Why an event cannot be applied, and its subject where the provider named it by our reference
 * alone.
 */
export type EventProblem = { reason: QuarantineReason; about?: InboxEventSubject };

/**
 * An event, and the function that applies it. It asks the provider what is still unknown, then
 * changes and stamps in one batch. Or it returns the reason why the event cannot be applied, and
 * stamps nothing.
 */
export type PreparedEvent = { event: InboxEvent; apply(): Promise<EventProblem | null> };

/**
 * What is known of an event before it is read: its id, its object, and whether that is a charge
 * that was paid when the event came.
 */
export type DeliveryRef = {
  inboxId: string;
  provider: string;
  objectId: string;
  isPaid?: boolean | undefined;
};

/**
 * Inputs from which the reads of an event are built. `now` is a time; the reads find everything
 * else by `inboxId`.
 */
export type EventReadContext = {
  db: Database;
  adultSpaces: boolean;
  inboxId: SQL<string>;
  now: SQL<Instant>;
};

/** `EventReadContext` after the provider answered. */
export type AnsweredReadContext = EventReadContext & ProviderAnswerRef<SQL<string>>;

type EventReads = Readonly<Record<string, readonly BatchItem<"sqlite">[]>>;

const value = <Value>(name: string): SQL<Value> => sql<Value>`${sql.placeholder(name)}`;
const reading = { inboxId: value<string>("inboxId"), now: value<Instant>("now") };
const answered: ProviderAnswerRef<SQL<string>> = {
  provider: value<string>("provider"),
  providerChargeId: value<string>("providerChargeId"),
  refundId: value<string>("refundId"),
  disputeId: value<string>("disputeId"),
};

/** Builds named reads of one event, in one round trip. */
export function buildEventReads<const Asked extends EventReads>(
  build: (reading: EventReadContext) => Asked,
) {
  const reads = readsByName((options) => build({ ...reading, ...options }));
  return async (ctx: Context, inboxId: string) => await reads.one(ctx, { inboxId, now: ctx.now() });
}

/** Builds `buildEventReads` for reads that need the provider's answer. */
export function buildAnsweredReads<const Asked extends EventReads>(
  build: (reading: AnsweredReadContext) => Asked,
) {
  const reads = readsByName((options) => build({ ...reading, ...answered, ...options }));
  return async (
    ctx: Context,
    { inboxId, provider }: DeliveryRef,
    {
      providerChargeId,
      refundId = null,
      disputeId = null,
    }: { providerChargeId: string; refundId?: string | null; disputeId?: string | null },
  ) =>
    await reads.one(ctx, {
      inboxId,
      provider,
      providerChargeId,
      refundId,
      disputeId,
      now: ctx.now(),
    });
}

type ProviderQuestion<Said> = {
  ask(provider: PaymentProvider, objectId: string): Promise<Said>;
  find(delivery: DeliveryRef, said: Said): Promise<PreparedEvent | null>;
};

/**
 * Prepares an event that only its charge identifies here, which only the provider can name. Asks
 * the provider first, so that one read finds everything. Where the message differs from the event's
 * row, the row counts. Source: docs/decisions/money/apply-a-payment-in-one-batch.md.
 */
export async function prepareAnsweredEvent<Said>(
  ctx: Context,
  delivery: DeliveryRef,
  { ask, find }: ProviderQuestion<Said>,
): Promise<PreparedEvent | null> {
  const foundFor = async (delivery: DeliveryRef) =>
    await find(delivery, await ask(providerOf(ctx, delivery), delivery.objectId));
  const found = await foundFor(delivery);
  const isAsTold =
    !found ||
    (found.event.provider === delivery.provider && found.event.objectId === delivery.objectId);
  return isAsTold ? found : await foundFor(inboxEventRef(found.event));
}

export const inboxEventRef = ({ id: inboxId, provider, objectId }: InboxEvent): DeliveryRef => ({
  inboxId,
  provider,
  objectId,
});
