import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";

/** The keys of the outbox messages that start a subscription or a trial. */
const START = /^(charge:[^:]+:started|subscription:[^:]+:(trial|begun))$/;

export type WelcomeNote = { creatorId: string; fanId: string; text: string };

/**
 * Reads the welcome note of an outbox message that starts a subscription or a trial. Null for other
 * messages, for a plan without a note, and for a subscription that starts later.
 */
export async function welcomeNoteOf(
  ctx: Context,
  { outboxId }: { outboxId: string },
): Promise<WelcomeNote | null> {
  if (!START.test(outboxId)) return null;
  const field = (name: string) => sql`json_extract(started.payload, ${`$.${name}`})`;
  const row = await ctx.db
    .select({
      creatorId: sql<string | null>`s.creator_id`.as("welcome_creator_id"),
      fanId: sql<string | null>`s.fan_id`.as("welcome_fan_id"),
      text: sql<string | null>`${field("welcomeMessage")}`.as("welcome_text"),
      startsAt: sql<number | null>`${field("beginsAt")}`.as("welcome_starts_at"),
    })
    .from(sql`outbox started JOIN subscriptions s ON s.id = ${field("subscriptionId")}`)
    .where(sql`started.id = ${outboxId} AND started.quarantined_at IS NULL`)
    .get();
  if (!row?.creatorId || !row.fanId || !row.text || row.startsAt !== null) return null;
  return { creatorId: row.creatorId, fanId: row.fanId, text: row.text };
}
