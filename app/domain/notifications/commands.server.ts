import { and, eq, isNull, sql } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { deliveredStatement, quarantineStatement } from "#app/domain/outbox.server.ts";
import { notifications } from "#drizzle/schema/notifications.ts";
import { emailsOf, waitingMessage } from "./queries.server.ts";
import { toldTo } from "./rules.ts";

/**
 * Tells what an outbox message says: mails first (each once, by its key), then the notifications and the message's stamp in
 * one batch. Safe to run twice and to be killed anywhere; does nothing to a message that was told.
 */
export async function deliverMessage(ctx: Context, { outboxId }: { outboxId: string }): Promise<void> {
  const waiting = await waitingMessage(ctx, { outboxId });
  if (!waiting) return;
  const told = toldTo(waiting.message);
  const emails = await emailsOf(ctx, { personIds: told.map((one) => one.personId) });
  for (const [index, one] of told.entries()) {
    const to = emails.get(one.personId);
    if (one.mail && to) await ctx.mailer.send({ key: `${outboxId}:${index}`, to, ...one.mail });
  }
  const now = ctx.now();
  try {
    await commit(ctx.db, [
      exactlyOne(deliveredStatement(ctx, { outboxId })),
      ...told.map((one, index) =>
        ctx.db
          .insert(notifications)
          .values({ id: ctx.newId(), personId: one.personId, kind: one.kind, body: one.body, path: one.path, sourceKey: `${outboxId}:${index}`, createdAt: now })
          .onConflictDoNothing(),
      ),
    ]);
  } catch (error) {
    // Told meanwhile by another delivery of the same message.
    if (!(error instanceof StaleWrite)) throw error;
  }
}

/** Sets a message aside that cannot be told. */
export async function quarantineMessage(ctx: Context, { outboxId, reason }: { outboxId: string; reason: string }): Promise<void> {
  ctx.log("notifications.message_quarantined", { outboxId, reason });
  await quarantineStatement(ctx, { outboxId, reason });
}

/** Everything a person was told so far counts as seen. */
export async function markNotificationsRead(ctx: Context, { personId }: { personId: string }): Promise<void> {
  await ctx.db
    .update(notifications)
    .set({ readAt: ctx.now() })
    .where(and(eq(notifications.personId, personId), isNull(notifications.readAt), sql`${notifications.createdAt} <= ${ctx.now()}`));
}
