import { sql } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import type { NotificationKind } from "#app/domain/notifications/rules/kinds.ts";

type EveryonePage = {
  personIds: string[];
  /** The cursor of the next page; null at the end. */
  next: string | null;
};

/**
 * Returns a page of everybody who has an account and did not switch the kind `about` off, after the
 * person `after`. Looks at `limit` accounts at most, so each page reads the same number of rows.
 */
export async function everyonePage(
  ctx: Context,
  { about, after, limit }: { about: NotificationKind; after: string; limit: number },
): Promise<EveryonePage> {
  const isOff = sql`EXISTS (SELECT 1 FROM notification_choices choice WHERE choice.person_id = person.id AND choice.kind = ${about} AND choice.channel = 'app' AND choice.is_on = 0)`;
  const isMember = sql`person.registered_at IS NOT NULL AND person.banned_at IS NULL AND person.deleted_at IS NULL`;
  const rows = await ctx.db.all<{ id: string; isReached: number }>(sql`
    SELECT person.id, (${isMember} AND NOT ${isOff}) AS "isReached"
    FROM people person WHERE person.id > ${after} ORDER BY person.id LIMIT ${limit}`);
  return {
    personIds: rows.filter(({ isReached }) => isReached === 1).map(({ id }) => id),
    next: rows.length === limit ? (rows.at(-1)?.id ?? null) : null,
  };
}
