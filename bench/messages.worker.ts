import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { createBroadcast, scheduleBroadcast } from "#app/domain/broadcasts/commands.server.ts";
import { sendBroadcastPage } from "#app/domain/broadcasts/commands/send.server.ts";
import { broadcastOf } from "#app/domain/broadcasts/queries.server.ts";
import { BROADCAST_PAGE } from "#app/domain/broadcasts/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { conversationWith } from "#app/domain/messages/queries.server.ts";
import { CONVERSATION_PAGE } from "#app/domain/messages/rules.ts";
import { MINUTE_MS } from "#app/domain/time.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { allowBrokenInvariants } from "#tests/support/ledger-invariants.ts";
import { fillConversation } from "#tests/support/long-conversation.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";
import type { MessagesResult } from "./messages.ts";
import { sized } from "./size.ts";

const sizedHere = (usual: number, small: number): number => sized(usual, small, { ...testEnv });
const MESSAGES = sizedHere(400, 4);
const RECIPIENTS = sizedHere(5_000, 30);
const LONG = sizedHere(100_000, 500);
const SHORT = 100;
const OPENINGS = sizedHere(60, 2);

// The compared rows are written by hand.
allowBrokenInvariants();

let number = 0;
const newId = () => `bench-${(number += 1)}`;

test("messages", async () => {
  const world = await testContext({ webhooks: false });
  const result: MessagesResult = {
    sent: await sentMessages(world),
    broadcast: await sentBroadcast(world),
    opened: { long: await opened(world, LONG), short: await opened(world, SHORT) },
  };
  expect(result.sent.coreto).toHaveLength(MESSAGES);
  console.log(`bench.messages ${JSON.stringify(result)}`);
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Messages one by one, in turns with a batch of the same rows. */
async function sentMessages(world: World): Promise<MessagesResult["sent"]> {
  const { ctx } = world;
  const { open } = messageHelpers(() => world);
  const [creator, fan] = [await createSeller(ctx), await createPerson(ctx, "Bia")];
  const [conversationId, otherConversationId] = [
    await open(fan, creator),
    await open(await createPerson(ctx, "Caio"), creator),
  ];
  const sent: MessagesResult["sent"] = { coreto: [], bare: [] };
  for (let at = 0; at < MESSAGES; at += 1) {
    await world.advance(MINUTE_MS);
    sent.coreto.push(
      await timed(() =>
        sendMessage(ctx, {
          conversationId,
          personId: fan.id,
          writtenById: null,
          text: `Mensagem ${at}`,
          clientMessageId: newId(),
        }),
      ),
    );
    sent.bare.push(
      await timed(() => testEnv.DB.batch(bareMessage(ctx, otherConversationId, creator.id))),
    );
  }
  return sent;
}

function bareMessage(
  ctx: Context,
  conversationId: string,
  senderId: string,
): D1PreparedStatement[] {
  const { DB } = testEnv;
  return [
    DB.prepare(
      "UPDATE conversations SET last_seq = last_seq + 1, revision = revision + 1 WHERE id = ?",
    ).bind(conversationId),
    DB.prepare(
      `INSERT INTO messages (id, sender_id, body, created_at, conversation_id, seq, client_message_id, revision)
       SELECT ?1, ?2, 'Mensagem', ?3, c.id, c.last_seq, ?1, c.revision FROM conversations c WHERE c.id = ?4`,
    ).bind(newId(), senderId, ctx.now(), conversationId),
    DB.prepare(
      "UPDATE conversation_members SET last_at = ?, unread_count = unread_count + 1 WHERE conversation_id = ?",
    ).bind(ctx.now(), conversationId),
  ];
}

/** Pages of a broadcast to people without a conversation, beside batches of the same rows. */
async function sentBroadcast(world: World): Promise<MessagesResult["broadcast"]> {
  const { ctx } = world;
  const creator = await createSeller(ctx);
  await testEnv.DB.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${RECIPIENTS})
     INSERT INTO people (id, provider, provider_user_id, email, created_at, registered_at, birth_date)
     SELECT 'crowd-' || printf('%08d', i), 'crowd', 'crowd-' || i, 'crowd' || i || '@exemplo.test', ?1, ?1, '1990-01-31' FROM n`,
  )
    .bind(ctx.now())
    .run();
  for (const statement of [
    `INSERT INTO profiles (person_id, username, name, bio, city, craft, is_creator, created_at)
     SELECT id, id, 'Pessoa', '', '', '', 0, created_at FROM people WHERE provider = 'crowd'`,
    `INSERT INTO follows (follower_id, creator_id, created_at) SELECT id, '${creator.id}', created_at FROM people WHERE provider = 'crowd'`,
  ])
    await testEnv.DB.prepare(statement).run();
  const own = { creatorId: creator.id };
  const id = await createBroadcast(ctx, {
    ...own,
    writtenById: null,
    segment: "followers",
    planIds: [],
    text: "Oi, {nome}!",
  });
  await scheduleBroadcast(ctx, { ...own, id, sendAt: null });
  const broadcast: MessagesResult["broadcast"] = { coreto: [], bare: [] };
  for (let first = 0; ; first += BROADCAST_PAGE) {
    const took = await timed(() => sendBroadcastPage(ctx, { broadcastId: id }));
    const found = await broadcastOf(ctx, { ...own, id });
    // The first page starts the broadcast too, and the last may be short.
    if (found?.state !== "sending") break;
    if (first > 0) broadcast.coreto.push(took / BROADCAST_PAGE);
    const bare = await timed(() => testEnv.DB.batch(barePage(ctx, creator.id)));
    broadcast.bare.push(bare / BROADCAST_PAGE);
  }
  if (broadcast.coreto.length === 0) broadcast.coreto.push(...broadcast.bare);
  return broadcast;
}

/**
 * What one page stores: a conversation, its two people, a message and who received it, for each
 * recipient.
 */
function barePage(ctx: Context, creatorId: string): D1PreparedStatement[] {
  const { DB } = testEnv;
  const now = ctx.now();
  return Array.from({ length: BROADCAST_PAGE }, () => newId()).flatMap((id) => [
    DB.prepare(
      "INSERT INTO conversations (id, low_id, high_id, last_seq, revision, created_at) VALUES (?1, ?1, ?2, 1, 1, ?3)",
    ).bind(id, creatorId, now),
    DB.prepare(
      "INSERT INTO conversation_members (conversation_id, person_id, other_id, box, read_seq, last_at) VALUES (?1, ?2, ?1, 'broadcast', 1, ?3), (?1, ?1, ?2, 'inbox', 0, ?3)",
    ).bind(id, creatorId, now),
    DB.prepare(
      "INSERT INTO messages (id, sender_id, body, created_at, conversation_id, seq, client_message_id, revision) VALUES (?1, ?2, 'Oi, Pessoa!', ?3, ?1, 1, ?1, 1)",
    ).bind(id, creatorId, now),
    DB.prepare(
      "INSERT INTO broadcast_recipients (broadcast_id, person_id, conversation_id, seq) VALUES ('bare', ?1, ?1, 1)",
    ).bind(id),
  ]);
}

async function opened(world: World, count: number): Promise<MessagesResult["opened"]["long"]> {
  const { ctx } = world;
  const [creator, fan] = [await createSeller(ctx), await createPerson(ctx, "Bia")];
  const conversationId = await messageHelpers(() => world).open(fan, creator);
  await fillConversation(ctx, testEnv.DB, {
    conversationId,
    sides: [fan.id, creator.id],
    from: 2,
    count,
  });
  const asked = { conversationId, personId: fan.id, limit: CONVERSATION_PAGE };
  const tap = recordDatabase(testEnv.DB);
  await conversationWith({ ...ctx, db: openDatabase(tap.database) }, asked);
  const ms: number[] = [];
  for (let at = 0; at < OPENINGS; at += 1) ms.push(await timed(() => conversationWith(ctx, asked)));
  const rowsRead = tap.trips.flat().reduce((sum, one) => sum + one.rowsRead, 0);
  return { messages: count, rowsRead, ms };
}
