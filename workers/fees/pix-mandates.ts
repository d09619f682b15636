import type { Context } from "#app/domain/context.ts";
import { inboxHandledStatement } from "#app/domain/payments/webhook-events/commands/inbox.server.ts";
import {
  toInboxEventSnapshot,
  chargeEventStatement,
} from "#app/domain/payments/webhook-events/queries/event-subjects.server.ts";
import type { InboxEvent } from "#app/domain/payments/queries.server.ts";
import { settleMandateByProviderId } from "#app/domain/subscriptions/pix-mandates/commands/settle-mandate.server.ts";
import {
  toMandateSnapshot,
  mandateOfEventStatements,
} from "#app/domain/subscriptions/pix-mandates/queries/mandate-snapshot.server.ts";
import type { MandateSnapshot } from "#app/domain/subscriptions/pix-mandates/queries/mandate-snapshot.server.ts";
import { buildEventReads } from "./prepare-event.ts";
import type { PreparedEvent, EventProblem, DeliveryRef } from "./prepare-event.ts";

const READS = buildEventReads(({ db, adultSpaces, inboxId }) => ({
  delivery: [chargeEventStatement({ db }, { inboxId })],
  standing: mandateOfEventStatements({ db, adultSpaces }, { inboxId }),
}));

/** Prepares an event about a Pix mandate, with what it renews. */
export async function prepareMandateEvent(
  ctx: Context,
  { inboxId }: DeliveryRef,
): Promise<PreparedEvent | null> {
  const { delivery, standing } = await READS(ctx, inboxId);
  const eventSnapshot = toInboxEventSnapshot(delivery[0]);
  return (
    eventSnapshot && {
      event: eventSnapshot.event,
      apply: async () => await settled(ctx, eventSnapshot.event, toMandateSnapshot(ctx, standing)),
    }
  );
}

async function settled(
  ctx: Context,
  { id: inboxId, provider, objectId }: InboxEvent,
  read: MandateSnapshot | null,
): Promise<EventProblem | null> {
  const isOurs = await settleMandateByProviderId(ctx, {
    provider,
    providerRecurringPixId: objectId,
    ...(read ? { read } : {}),
    extraWrites: [inboxHandledStatement(ctx, { inboxId })],
  });
  return isOurs ? null : { reason: "unknown_recurring_pix" };
}
