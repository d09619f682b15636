import { and, eq, isNull, sql } from "drizzle-orm";
import type { Statement } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import type { ProviderEvent } from "#app/domain/payments/schema.ts";
import { inbox } from "#drizzle/schema/payments.ts";

/** Keeps a delivery that was verified as `provider`'s, as it came. A repeated one finds its row and changes nothing; its id is what to enqueue. */
export async function receiveEvent(ctx: Context, { provider, event, rawBody }: { provider: string; event: ProviderEvent; rawBody: string }): Promise<{ inboxId: string }> {
  const inboxId = `${provider}-${event.id}`;
  await ctx.db
    .insert(inbox)
    .values({
      id: inboxId,
      provider,
      providerEventId: event.id,
      type: event.type,
      objectId: event.objectId,
      body: rawBody,
      receivedAt: ctx.realNow(),
    })
    .onConflictDoNothing();
  return { inboxId };
}

/** The statement that says that a delivery was applied, or that there was nothing left to apply. */
export function handledStatement(ctx: Context, { inboxId }: { inboxId: string }): Statement {
  return ctx.db.update(inbox).set({ handledAt: ctx.realNow() }).where(and(eq(inbox.id, inboxId), isNull(inbox.handledAt)));
}

/** The delivery cannot be applied: it is set aside with the reason, out of the way of the next. */
export async function quarantineEvent(ctx: Context, { inboxId, reason }: { inboxId: string; reason: string }): Promise<void> {
  ctx.log("payments.event_quarantined", { inboxId, reason });
  await ctx.db.update(inbox).set({ quarantinedAt: ctx.realNow(), quarantineReason: reason }).where(eq(inbox.id, inboxId));
}

/** One more try that did not work; gives how many there were. */
export async function countEventAttempt(ctx: Context, { inboxId }: { inboxId: string }): Promise<number> {
  const [row] = await ctx.db
    .update(inbox)
    .set({ attempts: sql`${inbox.attempts} + 1` })
    .where(eq(inbox.id, inboxId))
    .returning({ attempts: inbox.attempts });
  return row?.attempts ?? 0;
}
