import type { Context } from "#app/domain/context.ts";
import { handledStatement } from "#app/domain/payments/commands/inbox.server.ts";
import {
  deliveryOf,
  deliveryOfChargeStatement,
} from "#app/domain/payments/queries/deliveries.server.ts";
import type { InboxEvent } from "#app/domain/payments/queries.server.ts";
import { settleAuthorisationOf } from "#app/domain/subscriptions/commands/automatic/authorisation.server.ts";
import {
  authorisationStandingOf,
  authorisationToldStatements,
} from "#app/domain/subscriptions/queries/automatic/authorisation-standing.server.ts";
import type { AuthorisationStanding } from "#app/domain/subscriptions/queries/automatic/authorisation-standing.server.ts";
import { readsOfDelivery } from "./found.ts";
import type { Found, Problem, Telling } from "./found.ts";

const READS = readsOfDelivery(({ db, adultSpaces, inboxId }) => ({
  delivery: [deliveryOfChargeStatement({ db }, { inboxId })],
  standing: authorisationToldStatements({ db, adultSpaces }, { inboxId }),
}));

/** A delivery about an authorisation of Pix Automático, with what it renews. */
export async function authorisationFound(
  ctx: Context,
  { inboxId }: Telling,
): Promise<Found | null> {
  const { delivery, standing } = await READS(ctx, inboxId);
  const told = deliveryOf(delivery[0]);
  return (
    told && {
      event: told.event,
      apply: async () => await settled(ctx, told.event, authorisationStandingOf(ctx, standing)),
    }
  );
}

async function settled(
  ctx: Context,
  { id: inboxId, provider, objectId }: InboxEvent,
  read: AuthorisationStanding | null,
): Promise<Problem | null> {
  const isOurs = await settleAuthorisationOf(ctx, {
    provider,
    providerRecurringPixId: objectId,
    ...(read ? { read } : {}),
    extraWrites: [handledStatement(ctx, { inboxId })],
  });
  return isOurs ? null : { reason: "unknown_recurring_pix" };
}
