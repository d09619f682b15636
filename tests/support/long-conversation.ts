import type { Context } from "#app/domain/context.ts";

/** Messages of one statement: within D1's limits. */
const AT_ONCE = 20_000;

/**
 * Fills a conversation up to `count` messages, from both sides in turns, as SQL. The first ones
 * exist already.
 */
export async function fillConversation(
  ctx: Context,
  database: D1Database,
  {
    conversationId,
    sides: [one, other],
    from,
    count,
  }: { conversationId: string; sides: [string, string]; from: number; count: number },
): Promise<void> {
  for (let start = from; start <= count; start += AT_ONCE) {
    const end = Math.min(count, start + AT_ONCE - 1);
    await database
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT ${start} UNION ALL SELECT i + 1 FROM n WHERE i < ${end})
         INSERT INTO messages (id, sender_id, body, created_at, conversation_id, seq, client_message_id, revision)
         SELECT ?1 || '-' || i, iif(i % 2, ?2, ?3), 'Mensagem ' || i, ?4, ?1, i, 'filled-' || i, i FROM n`,
      )
      .bind(conversationId, one, other, ctx.now())
      .run();
  }
  await database.batch([
    database
      .prepare("UPDATE conversations SET last_seq = ?2, revision = ?2 WHERE id = ?1")
      .bind(conversationId, count),
    database
      .prepare(
        "UPDATE conversation_members SET read_seq = ?2, unread_count = 0 WHERE conversation_id = ?1",
      )
      .bind(conversationId, count),
  ]);
}
