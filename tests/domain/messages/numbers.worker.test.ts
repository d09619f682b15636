import { expect, test } from "vitest";
import { openDatabase } from "#app/db/client.server.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { conversationWith, messagesOf } from "#app/domain/messages/queries.server.ts";
import { conversationsOf } from "#app/domain/messages/queries/conversations.server.ts";
import { CONVERSATION_PAGE } from "#app/domain/messages/rules.ts";
import { testContext } from "#tests/support/context.ts";
import { recordDatabase } from "#tests/support/d1-recorder.ts";
import { fillConversation } from "#tests/support/long-conversation.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

test("a conversation of 100,000 messages opens, catches up and takes a message for as many rows as one of 100", async () => {
  const world = await testContext();
  const tap = recordDatabase(testEnv.DB);
  const watched = { ...world.ctx, db: openDatabase(tap.database) };
  const { open } = messageHelpers(() => world);
  const ana = await createSeller(world.ctx);
  const rows = async (work: () => Promise<unknown>) => {
    tap.trips.length = 0;
    await work();
    return tap.trips.flat().reduce((sum, { rowsRead }) => sum + rowsRead, 0);
  };
  const readBy = async (count: number) => {
    const fan = await createPerson(world.ctx, "Bia");
    const conversationId = await open(fan, ana);
    await fillConversation(world.ctx, testEnv.DB, {
      conversationId,
      sides: [fan.id, ana.id],
      from: 2,
      count,
    });
    const own = { conversationId, personId: fan.id };
    return {
      opened: await rows(() => conversationWith(watched, { ...own, limit: CONVERSATION_PAGE })),
      caughtUp: await rows(() =>
        messagesOf(watched, { ...own, changedAfter: count - 1, limit: 9 }),
      ),
      sent: await rows(() =>
        sendMessage(watched, {
          ...own,
          writtenById: null,
          text: "Oi",
          clientMessageId: world.ctx.newId(),
        }),
      ),
      listed: await rows(() =>
        conversationsOf(watched, { personId: fan.id, filter: "inbox", cursor: null, limit: 30 }),
      ),
    };
  };
  const [short, long] = [await readBy(100), await readBy(100_000)];
  expect(long).toEqual(short);
  // A page of 50 reads each message and little else: reactions only where there are some.
  expect(long.opened).toBeLessThan(2 * CONVERSATION_PAGE);
}, 120_000);
