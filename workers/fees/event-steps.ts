import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { readsByName } from "#app/db/reads-by-name.ts";
import type { BatchWrite, Database } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { InboxEventSubject } from "#app/domain/payments/webhook-events/commands/inbox.server.ts";
import type { InboxEvent } from "#app/domain/payments/queries.server.ts";
import type { EventKeys } from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import type { QuarantineReason } from "#app/domain/payments/webhook-events/rules.ts";
import type { PaymentProvider } from "#app/domain/payments/schema.ts";
import type { Instant } from "#app/domain/time.ts";

/** Why an event cannot be applied, and our rows that it is about, as far as known. */
export type EventProblem = { reason: QuarantineReason; about?: InboxEventSubject };

/** An event to load. `isPaid`: it is about a charge that was paid when the event came. */
export type EventRef = { inboxId: string; isPaid?: boolean | undefined };

/** Ids in the provider's answer that name our rows. Null where it names none. */
export type NamedIds = {
  /** The id of our row, which we gave to the provider. */
  reference: string | null;
  /** The provider's id of the charge. */
  providerChargeId: string | null;
};

/** An event, and the snapshot of our rows that it is about. Null where no such row was found. */
export type LoadedEvent<Snapshot> = { event: InboxEvent; snapshot: Snapshot | null };

/** The steps that differ by type of event. `applyEvent` calls them, in this order. */
export type EventSteps<Snapshot, Answer> = {
  /**
   * Loads an event and its snapshot in one D1 call. `named` also finds the rows that the event
   * alone does not. Null when no such event exists.
   */
  load(ctx: Context, ref: EventRef, named: NamedIds): Promise<LoadedEvent<Snapshot> | null>;
  /** Asks the provider for the current state of the event's object. */
  ask(provider: PaymentProvider, objectId: string): Promise<Answer>;
  /** Returns the ids in the answer that name our rows. */
  namedBy(ctx: Context, event: InboxEvent, answer: Answer): NamedIds | Promise<NamedIds>;
  /**
   * Decides by the snapshot and the answer, and writes the change together with `extraWrites` in
   * one batch. Or writes nothing, and returns why the event cannot be applied.
   */
  settle(
    ctx: Context,
    input: LoadedEvent<Snapshot> & { answer: Answer; extraWrites: BatchWrite[] },
  ): Promise<EventProblem | null>;
};

/** Inputs from which the reads of an event are built. */
export type EventReadContext = {
  db: Database;
  adultSpaces: boolean;
  keys: EventKeys;
  now: SQL<Instant>;
};

type EventReads = Readonly<Record<string, readonly BatchItem<"sqlite">[]>>;

const value = <Value>(name: string): SQL<Value> => sql<Value>`${sql.placeholder(name)}`;
const keys: EventKeys = {
  inboxId: value("inboxId"),
  reference: value("reference"),
  providerChargeId: value("providerChargeId"),
};
const now = value<Instant>("now");

/** Builds named reads of one event, in one D1 call. */
export function buildEventReads<const Asked extends EventReads>(
  build: (reading: EventReadContext) => Asked,
) {
  const reads = readsByName((options) => build({ ...options, keys, now }));
  return async (ctx: Context, { inboxId }: EventRef, named: NamedIds) =>
    await reads.one(ctx, { inboxId, ...named, now: ctx.now() });
}
