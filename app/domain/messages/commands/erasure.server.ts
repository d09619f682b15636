import { eq, sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { messageReactions, messageSettings } from "#drizzle/schema/messages.ts";

/**
 * Deletes up to `limit` reactions of a person. Returns the number. Their messages stay in the
 * conversation without their name.
 */
export async function eraseMessageReactions(
  ctx: Context,
  { personId, limit }: { personId: string; limit: number },
): Promise<number> {
  const taken = ctx.db
    .delete(messageReactions)
    .where(
      sql`rowid IN (SELECT rowid FROM message_reactions WHERE person_id = ${personId} LIMIT ${limit})`,
    );
  return (await taken.returning({ id: messageReactions.messageId })).length;
}

/** Builds the statement that erases a person's choice of who may write to them. */
export function eraseMessageSettingsStatement(ctx: Context, { personId }: { personId: string }) {
  return ctx.db.delete(messageSettings).where(eq(messageSettings.personId, personId));
}
