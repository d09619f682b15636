import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { givesAccess, isBlockedBetween, isHiddenByAge } from "#app/domain/access/sql.server.ts";
import { BROADCAST_PAGE, NEW_SUBSCRIBER_MS } from "#app/domain/broadcasts/rules.ts";
import type { DeliverySnapshot, Segment } from "#app/domain/broadcasts/rules.ts";
import type { Broadcast } from "#app/domain/broadcasts/schema.ts";
import type { Context } from "#app/domain/context.ts";
import { boxOf } from "#app/domain/messages/queries/writing.server.ts";

type Audience = Pick<Broadcast, "creatorId" | "segment" | "planIds">;

/** The people of each segment, as a query with the column `person_id`; a person may appear twice. */
function segmentOf(ctx: Context, { creatorId, segment, planIds }: Audience): SQL {
  const now = ctx.now();
  const subscribed = sql`SELECT s.fan_id AS person_id FROM subscriptions s WHERE s.creator_id = ${creatorId}`;
  const hasAccess = givesAccess(now);
  const segments: Record<Segment, SQL> = {
    subscribers: sql`${subscribed} AND ${hasAccess}`,
    plans: sql`${subscribed} AND ${hasAccess} AND s.plan_id IN (SELECT chosen.value FROM json_each(${JSON.stringify(planIds)}) chosen)`,
    new: sql`${subscribed} AND ${hasAccess} AND s.started_at > ${now - NEW_SUBSCRIBER_MS}`,
    past_due: sql`${subscribed} AND s.status = 'past_due'`,
    followers: sql`SELECT f.follower_id AS person_id FROM follows f WHERE f.creator_id = ${creatorId}`,
    // Who hides read marks, or a creator who does, is in no list made of them.
    never_opened: sql`${subscribed} AND ${hasAccess} AND NOT EXISTS (
      SELECT 1 FROM message_settings hidden WHERE hidden.person_id IN (s.fan_id, ${creatorId}) AND hidden.shows_reads = 0) AND NOT EXISTS (
      SELECT 1 FROM conversations c CROSS JOIN conversation_members m ON m.conversation_id = c.id AND m.person_id = s.fan_id
      WHERE c.low_id = MIN(s.fan_id, ${creatorId}) AND c.high_id = MAX(s.fan_id, ${creatorId}) AND m.read_seq > 0)`,
  };
  return segments[segment];
}

/**
 * Builds the query of everybody who would get a broadcast now, with the column `person_id`. Leaves
 * out closed accounts, blocks in either direction, who refused the creator's conversation, and
 * those to whom an adult page is closed.
 */
export function recipientsSql(ctx: Context, audience: Audience): SQL {
  const { creatorId } = audience;
  return sql`SELECT DISTINCT one.person_id AS person_id FROM (${segmentOf(ctx, audience)}) one
    CROSS JOIN people p ON p.id = one.person_id
    WHERE one.person_id <> ${creatorId} AND p.banned_at IS NULL AND p.deleted_at IS NULL AND p.leaving_at IS NULL
      AND NOT ${isBlockedBetween(creatorId, sql`one.person_id`)}
      AND NOT ${isHiddenByAge(sql`one.person_id`, sql`${creatorId}`, ctx.settings.adultSpaces)}
      AND NOT EXISTS (SELECT 1 FROM conversations c CROSS JOIN conversation_members m ON m.conversation_id = c.id AND m.person_id = one.person_id
        WHERE c.low_id = MIN(one.person_id, ${creatorId}) AND c.high_id = MAX(one.person_id, ${creatorId}) AND m.box = 'refused')`;
}

/** Counts who would get a broadcast if it started now. */
export async function countRecipients(ctx: Context, audience: Audience): Promise<number> {
  const row = await ctx.db
    .select({ count: sql<number>`COUNT(*)`.as("recipient_count") })
    .from(sql`(${recipientsSql(ctx, audience)})`)
    .get();
  return row?.count ?? 0;
}

export type PageRecipient = DeliverySnapshot & {
  personId: string;
  name: string;
  isMuted: boolean;
  /** Their conversation with the creator, if there is one. */
  conversationId: string | null;
};

/**
 * Reads the next page of recipients after the last handled one, in the order of their ids, with
 * what decides their delivery. Reads about ten rows a recipient, in one statement.
 */
export async function nextRecipients(
  ctx: Context,
  { id, creatorId, progress }: Pick<Broadcast, "id" | "creatorId" | "progress">,
): Promise<PageRecipient[]> {
  const person = sql`r.person_id`;
  const isGone = sql`p.id IS NULL OR p.banned_at IS NOT NULL OR p.deleted_at IS NOT NULL OR p.leaving_at IS NOT NULL`;
  const rows = await ctx.db
    .select({
      personId: sql<string>`r.person_id`.as("recipient_id"),
      name: sql<string | null>`pr.name`.as("recipient_name"),
      conversationId: sql<string | null>`c.id`.as("conversation"),
      box: sql<string | null>`theirs.box`.as("recipient_box"),
      isMuted: sql<number>`own.muted_at IS NOT NULL OR theirs.muted_at IS NOT NULL`.as("is_muted"),
      isUnreachable:
        sql<number>`${isGone} OR ${isHiddenByAge(creatorId, person, ctx.settings.adultSpaces)}`.as(
          "is_unreachable",
        ),
      isBlocked: sql<number>`${isBlockedBetween(creatorId, person)}`.as("is_blocked"),
    })
    .from(
      sql`broadcast_recipients r LEFT JOIN people p ON p.id = r.person_id LEFT JOIN profiles pr ON pr.person_id = r.person_id
        LEFT JOIN conversations c ON c.low_id = MIN(r.person_id, ${creatorId}) AND c.high_id = MAX(r.person_id, ${creatorId})
        LEFT JOIN conversation_members own ON own.conversation_id = c.id AND own.person_id = ${creatorId}
        LEFT JOIN conversation_members theirs ON theirs.conversation_id = c.id AND theirs.person_id = r.person_id`,
    )
    .where(sql`r.broadcast_id = ${id} AND r.person_id > ${progress ?? ""}`)
    .orderBy(sql`r.person_id`)
    .limit(BROADCAST_PAGE);
  return rows.map(({ personId, name, conversationId, box, ...is }) => ({
    personId,
    name: name ?? "",
    conversationId,
    recipientBox: boxOf(box),
    isSelf: personId === creatorId,
    isMuted: is.isMuted === 1,
    isUnreachable: is.isUnreachable === 1,
    isBlocked: is.isBlocked === 1,
  }));
}

export type BroadcastSender = { name: string; isGone: boolean };

/** Reads who sends; `isGone` for a creator who left, is leaving or was banned. */
export async function broadcastSender(
  ctx: Context,
  { creatorId }: Pick<Broadcast, "creatorId">,
): Promise<BroadcastSender> {
  const row = await ctx.db
    .select({
      name: sql<string | null>`pr.name`.as("sender_name"),
      isGone:
        sql<number>`p.banned_at IS NOT NULL OR p.deleted_at IS NOT NULL OR p.leaving_at IS NOT NULL`.as(
          "is_gone",
        ),
    })
    .from(sql`people p LEFT JOIN profiles pr ON pr.person_id = p.id`)
    .where(sql`p.id = ${creatorId}`)
    .get();
  return { name: row?.name ?? "", isGone: row?.isGone !== 0 };
}
