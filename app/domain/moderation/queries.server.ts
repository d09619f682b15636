import { desc, eq, inArray } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { people } from "#drizzle/schema/identity.ts";
import { moderationActions } from "#drizzle/schema/moderation.ts";

/** Returns which of `personIds` are moderators. */
export async function moderatorsAmong(
  ctx: Context,
  { personIds }: { personIds: string[] },
): Promise<Set<string>> {
  const rows = await ctx.db
    .select({ id: people.id, isModerator: people.isModerator })
    .from(people)
    .where(inArray(people.id, personIds));
  return new Set(rows.filter(({ isModerator }) => isModerator).map(({ id }) => id));
}

const MOST_MODERATORS = 200;

/** Returns every moderator, to notify staff. */
export async function moderatorIds(ctx: Context): Promise<string[]> {
  const rows = await ctx.db
    .select({ id: people.id })
    .from(people)
    .where(eq(people.isModerator, true))
    .limit(MOST_MODERATORS);
  return rows.map(({ id }) => id);
}

export type ModerationAct = (typeof moderationActions.$inferSelect)["act"];

const ACTIONS_SHOWN = 50;

/** Reads the moderation actions on a person, newest first. */
export async function moderationActionsOn(
  ctx: Context,
  { personId }: { personId: string },
): Promise<(typeof moderationActions.$inferSelect)[]> {
  return ctx.db
    .select()
    .from(moderationActions)
    .where(eq(moderationActions.personId, personId))
    .orderBy(desc(moderationActions.createdAt), desc(moderationActions.id))
    .limit(ACTIONS_SHOWN);
}
