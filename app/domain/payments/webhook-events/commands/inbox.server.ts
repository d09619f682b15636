import { and, eq, isNull, sql } from "drizzle-orm";
import type { DbStatement } from "#app/db/client.server.ts";
import type { Context, Queues } from "#app/domain/context.ts";
import { isPaidChargeEvent } from "#app/domain/payments/queries.server.ts";
import type { StoredQuarantineReason } from "#app/domain/payments/webhook-events/rules.ts";
import type { ProviderEvent } from "#app/domain/payments/schema.ts";
import { inbox } from "#drizzle/schema/payments.ts";

/**
 * Stores a verified webhook event of `provider`, as received. A repeated event finds its row and
 * changes nothing. Returns the message to enqueue.
 */
export async function receiveEvent(
  ctx: Context,
  {
    provider,
    event: { id: providerEventId, type, objectId },
    rawBody,
  }: { provider: string; event: ProviderEvent; rawBody: string },
): Promise<Parameters<Queues["paymentEvents"]["send"]>[0]> {
  const id = `${provider}-${providerEventId}`;
  const [row] = await ctx.db
    .insert(inbox)
    .values({
      id,
      provider,
      providerEventId,
      type,
      objectId,
      body: rawBody,
      receivedAt: ctx.realNow(),
    })
    .onConflictDoNothing()
    .returning({ isPaid: isPaidChargeEvent });
  return {
    version: 1,
    type: "inbox.received",
    id,
    about: type,
    ...(row?.isPaid ? { isPaid: true } : {}),
  };
}

/** Builds the statement that marks an event as handled: applied, or with nothing left to apply. */
export function inboxHandledStatement(ctx: Context, { inboxId }: { inboxId: string }): DbStatement {
  return ctx.db
    .update(inbox)
    .set({ handledAt: ctx.realNow() })
    .where(and(eq(inbox.id, inboxId), isNull(inbox.handledAt)));
}

/** Our objects that an event is about, as far as known. */
export type InboxEventSubject = { chargeId?: string | undefined; payoutId?: string | undefined };

/**
 * Quarantines an event that cannot be applied, with the reason, so that later events go on. Stores
 * its subject: `about`, or what is found by the provider's id. Does nothing if the event was
 * applied or quarantined meanwhile, or is missing.
 */
export async function quarantineEvent(
  ctx: Context,
  {
    inboxId,
    reason,
    about = {},
  }: { inboxId: string; reason: StoredQuarantineReason; about?: InboxEventSubject | undefined },
): Promise<void> {
  const [quarantined] = await ctx.db
    .update(inbox)
    .set({
      quarantinedAt: ctx.realNow(),
      quarantineReason: reason,
      aboutChargeId: about.chargeId ?? CHARGE_KNOWN,
      aboutPayoutId: about.payoutId ?? PAYOUT_KNOWN,
    })
    .where(and(eq(inbox.id, inboxId), isNull(inbox.handledAt), isNull(inbox.quarantinedAt)))
    .returning({ id: inbox.id });
  if (quarantined) ctx.log("payments.event_quarantined", { inboxId, reason });
}

/** The charge of an `inbox` row, or its subject from an earlier quarantine. */
const CHARGE_KNOWN = sql<string | null>`COALESCE(CASE inbox.type
  WHEN 'charge' THEN (SELECT id FROM charges WHERE provider = inbox.provider AND provider_charge_id = inbox.object_id)
  WHEN 'refund' THEN (SELECT r.charge_id FROM refunds r JOIN charges c ON c.id = r.charge_id AND c.provider = inbox.provider WHERE r.provider_refund_id = inbox.object_id)
  WHEN 'dispute' THEN (SELECT charge_id FROM disputes WHERE provider = inbox.provider AND provider_dispute_id = inbox.object_id)
  WHEN 'transfer' THEN (SELECT charge_id FROM refund_transfers WHERE provider = inbox.provider AND provider_transfer_id = inbox.object_id) END, inbox.about_charge_id)`;

const PAYOUT_KNOWN = sql<
  string | null
>`COALESCE(CASE inbox.type WHEN 'transfer' THEN (SELECT id FROM payouts WHERE provider = inbox.provider AND provider_transfer_id = inbox.object_id) END, inbox.about_payout_id)`;

/** Counts one more failed attempt, and returns the total. */
export async function countInboxAttempt(
  ctx: Context,
  { inboxId }: { inboxId: string },
): Promise<number> {
  const [row] = await ctx.db
    .update(inbox)
    .set({ attempts: sql`${inbox.attempts} + 1` })
    .where(eq(inbox.id, inboxId))
    .returning({ attempts: inbox.attempts });
  return row?.attempts ?? 0;
}
