import type { Context } from "#app/domain/context.ts";
import { inboxHandledStatement } from "#app/domain/payments/commands/inbox.server.ts";
import {
  toInboxEventSnapshot,
  chargeEventStatement,
} from "#app/domain/payments/queries/deliveries.server.ts";
import type { InboxEvent } from "#app/domain/payments/queries.server.ts";
import { settleMandateByProviderId } from "#app/domain/subscriptions/commands/automatic/authorisation.server.ts";
import {
  toMandateSnapshot,
  mandateOfEventStatements,
} from "#app/domain/subscriptions/queries/automatic/authorisation-standing.server.ts";
import type { MandateSnapshot } from "#app/domain/subscriptions/queries/automatic/authorisation-standing.server.ts";
import { buildEventReads } from "./found.ts";
import type { PreparedEvent, EventProblem, DeliveryRef } from "./found.ts";

const READS = buildEventReads(({ db, adultSpaces, inboxId }) => ({
  delivery: [chargeEventStatement({ db }, { inboxId })],
  standing: mandateOfEventStatements({ db, adultSpaces }, { inboxId }),
}));

/** A delivery about an authorisation of Pix Automático, with what it renews. */
export async function prepareMandateEvent(
  ctx: Context,
  { inboxId }: DeliveryRef,
): Promise<PreparedEvent | null> {
  const { delivery, standing } = await READS(ctx, inboxId);
  const told = toInboxEventSnapshot(delivery[0]);
  return (
    told && {
      event: told.event,
      apply: async () => await settled(ctx, told.event, toMandateSnapshot(ctx, standing)),
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
