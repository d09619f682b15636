import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { deliverOutboxMessage } from "#app/domain/notifications/commands.server.ts";
import { waitingOutbox } from "#app/domain/notifications/queries.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { Charge } from "#app/domain/payments/purchase-handlers/schema.ts";
import { disputes } from "#drizzle/schema/payments.ts";
import type { World } from "./context.ts";

/**
 * Opens a dispute over a paid charge or a part of it. Returns our id of the dispute and the
 * provider's.
 */
export async function openDisputeOn(
  world: World,
  charge: Pick<Charge, "id" | "providerChargeId">,
  amountCents?: number,
): Promise<{ disputeId: string; providerDisputeId: string }> {
  const opened = await world.console(
    `/sandbox/charges/${charge.providerChargeId}/dispute`,
    amountCents === undefined ? {} : { amount_cents: amountCents },
  );
  expect(opened.status).toBe(200);
  await world.drain();
  const [row] = await world.ctx.db
    .select({ id: disputes.id })
    .from(disputes)
    .where(eq(disputes.providerDisputeId, String(opened.body["id"])));
  if (!row) throw new Error("the dispute never arrived");
  return { disputeId: row.id, providerDisputeId: String(opened.body["id"]) };
}

/** Decides the dispute at the provider, as the card scheme or the Pix rules would. */
export async function decideDisputeAtProvider(
  world: World,
  providerDisputeId: string,
  decision: "win" | "lose",
): Promise<void> {
  expect((await world.console(`/sandbox/disputes/${providerDisputeId}/${decision}`)).status).toBe(
    200,
  );
  await world.drain();
}

/** The dispute as the provider's API returns it. */
export async function disputeAtProvider(
  world: World,
  providerDisputeId: string,
): Promise<Record<string, unknown>> {
  const answer = await world.browse(`/v1/disputes/${providerDisputeId}`, {
    headers: { authorization: `Bearer ${world.env.SANDBOX_API_KEY}` },
  });
  return (await answer.json()) as Record<string, unknown>;
}

/** Delivers the waiting outbox messages, as the cron does with those two seconds old. */
export async function deliverOutbox(ctx: Context): Promise<void> {
  for (const outboxId of await waitingOutbox(ctx, { before: ctx.realNow() + 1, limit: 200 }))
    await deliverOutboxMessage(ctx, { outboxId });
}
