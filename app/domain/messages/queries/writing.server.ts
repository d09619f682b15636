import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import {
  givesAccess,
  isBlockedBetween,
  isHiddenByAge,
  subscribesTo,
} from "#app/domain/access/sql.server.ts";
import type { Context } from "#app/domain/context.ts";
import { hasReachedAge } from "#app/domain/identity/account-status/rules/age.ts";
import type { WritingSnapshot } from "#app/domain/messages/rules/writing.ts";
import { BOXES, REQUEST_MESSAGES_MAX, WRITER_CHOICES } from "#app/domain/messages/rules.ts";
import type { Box } from "#app/domain/messages/rules.ts";

const ADULT_YEARS = 18;

/** Names a conversation of `personId` by its id, or the other person. */
export type WritingTarget = { personId: string } & (
  | { conversationId: string }
  | { otherId: string }
);

/** What a command must know before it writes: the decision's input, and what exists already. */
export type WritingRow = WritingSnapshot & {
  otherId: string;
  conversationId: string | null;
  /** The message that already has this `clientMessageId`, if any. */
  sentSeq: number | null;
};

type Raw = {
  otherId: string | null;
  conversationId: string | null;
  isGone: number | null;
  birthDate: string | null;
  isRecipientCreator: number | null;
  isSenderCreator: number;
  isHidden: number;
  isBlocked: number;
  senderFollows: number;
  recipientFollows: number;
  senderSubscribes: number;
  senderHasChosenPlan: number;
  recipientSubscribes: number;
  writers: string | null;
  senderBox: string | null;
  recipientBox: string | null;
  writtenCount: number;
  sentSeq: number | null;
};

/** The other person of a target, as an SQL expression; NULL for an outsider. */
const otherOf = (target: WritingTarget): SQL =>
  "otherId" in target
    ? sql`${target.otherId}`
    : sql`(SELECT own.other_id FROM conversation_members own WHERE own.conversation_id = ${target.conversationId} AND own.person_id = ${target.personId})`;

/**
 * True for rows of `messages`, under the name `line`, that somebody wrote to this conversation: no
 * tip, broadcast or welcome note. The keys of those have a colon, which no typed message's key
 * has.
 */
export const isWritten = sql`(line.tip_cents IS NULL AND INSTR(line.client_message_id, ':') = 0)`;

/** How many messages a person wrote in a conversation, counted up to the most of a request. */
export const writtenCountOf = (conversationId: SQL, personId: string): SQL<number> =>
  sql<number>`(SELECT COUNT(*) FROM (SELECT 1 FROM messages line WHERE line.conversation_id = ${conversationId} AND line.sender_id = ${personId} AND ${isWritten} LIMIT ${REQUEST_MESSAGES_MAX}))`;

/** Builds the statement behind `loadWriting`. */
export function writingStatement(
  ctx: Context,
  target: WritingTarget,
  clientMessageId: string | null = null,
) {
  const { personId } = target;
  const now = ctx.now();
  const other = sql`target.other_id`;
  const conversation = sql`(SELECT c.id FROM conversations c WHERE c.low_id = MIN(${personId}, ${other}) AND c.high_id = MAX(${personId}, ${other}))`;
  const follows = (follower: SQL, creator: SQL) =>
    sql`EXISTS (SELECT 1 FROM follows f WHERE f.follower_id = ${follower} AND f.creator_id = ${creator})`;
  const box = (whose: SQL) =>
    sql`(SELECT cm.box FROM conversation_members cm WHERE cm.conversation_id = found.id AND cm.person_id = ${whose})`;
  const own = sql`${personId}`;
  return ctx.db
    .select({
      row: sql<Raw>`json_object(
        'otherId', found.other_id, 'conversationId', found.id,
        'isGone', (SELECT p.banned_at IS NOT NULL OR p.deleted_at IS NOT NULL OR p.leaving_at IS NOT NULL FROM people p WHERE p.id = found.other_id),
        'birthDate', (SELECT p.birth_date FROM people p WHERE p.id = found.other_id),
        'isRecipientCreator', (SELECT pr.is_creator FROM profiles pr WHERE pr.person_id = found.other_id),
        'isSenderCreator', EXISTS (SELECT 1 FROM profiles pr WHERE pr.person_id = ${personId} AND pr.is_creator = 1),
        'isHidden', ${isHiddenByAge(personId, sql`found.other_id`, ctx.settings.adultSpaces)},
        'isBlocked', ${isBlockedBetween(personId, sql`found.other_id`)},
        'senderFollows', ${follows(own, sql`found.other_id`)},
        'recipientFollows', ${follows(sql`found.other_id`, own)},
        'senderSubscribes', ${subscribesTo(personId, sql`found.other_id`, now)},
        'senderHasChosenPlan', EXISTS (SELECT 1 FROM message_settings ms CROSS JOIN json_each(ms.writer_plan_ids) chosen CROSS JOIN subscriptions s ON s.plan_id = chosen.value
          WHERE ms.person_id = found.other_id AND s.fan_id = ${personId} AND s.creator_id = found.other_id AND ${givesAccess(now)}),
        'recipientSubscribes', ${subscribesTo(sql`found.other_id`, own, now)},
        'writers', (SELECT ms.writers FROM message_settings ms WHERE ms.person_id = found.other_id),
        'senderBox', ${box(own)}, 'recipientBox', ${box(sql`found.other_id`)},
        'writtenCount', ${writtenCountOf(sql`found.id`, personId)},
        'sentSeq', (SELECT sent.seq FROM messages sent WHERE sent.conversation_id = found.id AND sent.sender_id = ${personId} AND sent.client_message_id = ${clientMessageId}))`
        .mapWith((text: string): Raw => JSON.parse(text))
        .as("writing_row"),
    })
    .from(
      sql`(SELECT target.other_id AS other_id, ${conversation} AS id FROM (SELECT ${otherOf(target)} AS other_id) target) found`,
    );
}

/** Reads what decides a message of `personId`; null for an unknown person or a foreign conversation. */
export async function loadWriting(
  ctx: Context,
  target: WritingTarget,
  clientMessageId: string,
): Promise<WritingRow | null> {
  const [found] = await writingStatement(ctx, target, clientMessageId);
  return found ? writingFrom(ctx, target, found.row) : null;
}

/** Turns a row of `writingStatement` into the decision's input. */
export function writingFrom(
  ctx: Context,
  { personId }: WritingTarget,
  row: Raw,
): WritingRow | null {
  if (row.otherId === null || row.isGone === null) return null;
  return {
    otherId: row.otherId,
    conversationId: row.conversationId,
    sentSeq: row.sentSeq,
    isSelf: row.otherId === personId,
    isUnreachable: row.isGone === 1 || row.isHidden === 1,
    isBlocked: row.isBlocked === 1,
    isSenderCreator: row.isSenderCreator === 1,
    isRecipientCreator: row.isRecipientCreator === 1,
    isRecipientMinor:
      row.birthDate !== null && !hasReachedAge(ADULT_YEARS, row.birthDate, ctx.now()),
    writers: WRITER_CHOICES.find((choice) => choice === row.writers) ?? "everyone",
    senderFollows: row.senderFollows === 1,
    recipientFollows: row.recipientFollows === 1,
    senderSubscribes: row.senderSubscribes === 1,
    senderHasChosenPlan: row.senderHasChosenPlan === 1,
    recipientSubscribes: row.recipientSubscribes === 1,
    senderBox: boxOf(row.senderBox),
    recipientBox: boxOf(row.recipientBox),
    writtenCount: row.writtenCount,
  };
}

export const boxOf = (text: string | null): Box | null => BOXES.find((box) => box === text) ?? null;
