import { eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { WRITER_CHOICES } from "#app/domain/messages/rules.ts";
import type { MessageSettings } from "#app/domain/messages/schema.ts";
import { messageSettings } from "#drizzle/schema/messages.ts";

/** Reads a person's choices about their conversations; without any, everything is open. */
export async function messageSettingsOf(
  ctx: Context,
  { personId }: { personId: string },
): Promise<MessageSettings> {
  const [row] = await ctx.db
    .select()
    .from(messageSettings)
    .where(eq(messageSettings.personId, personId));
  return {
    writers: WRITER_CHOICES.find((choice) => choice === row?.writers) ?? "everyone",
    writerPlanIds: row?.writerPlanIds ?? [],
    showsReads: row?.showsReads ?? true,
    showsPresence: row?.showsPresence ?? true,
  };
}
