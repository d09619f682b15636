import { evictDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { sendChatMessage } from "#app/domain/event-chat/commands.server.ts";
import { chatTopic } from "#app/domain/event-chat/rules.ts";
import { sendMessage } from "#app/domain/messages/commands.server.ts";
import { inboxTopic } from "#app/domain/messages/rules.ts";
import { liveUpdates } from "#app/integrations/live/live-updates.server.ts";
import { testContext } from "#tests/support/context.ts";
import type { World } from "#tests/support/context.ts";
import { eventWithVideo } from "#tests/support/event-chat.ts";
import { messageHelpers } from "#tests/support/messages.ts";
import { testClock } from "#tests/support/clock.ts";
import { createPerson, createSeller } from "#tests/support/people.ts";
import { testEnv } from "#tests/support/worker-env.ts";

let world: World;
const opened: WebSocket[] = [];
const { open } = messageHelpers(() => world);

beforeEach(async () => {
  world = await testContext({ uncompletedFeatures: true });
  world.ctx.live = liveUpdates({ ...testEnv, LIVE: testEnv.LIVE_TOPICS }, () => {});
});
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close();
});

const objectOf = (topic: string) => testEnv.LIVE_TOPICS.get(testEnv.LIVE_TOPICS.idFromName(topic));

/** Connects a page to a topic. Returns its status, and what it heard so far. */
async function listen(
  topic: string,
  until = Number.MAX_SAFE_INTEGER,
): Promise<{ status: number; heard: unknown[] }> {
  const answer = await objectOf(topic).fetch(
    `https://coreto.test/live/${encodeURIComponent(topic)}?until=${until}`,
    { headers: { Upgrade: "websocket" } },
  );
  const heard: unknown[] = [];
  const { webSocket } = answer;
  if (webSocket) {
    webSocket.addEventListener("message", ({ data }) => heard.push(data));
    webSocket.addEventListener("close", ({ code }) => heard.push(code));
    webSocket.accept();
    opened.push(webSocket);
  }
  return { status: answer.status, heard };
}

test("after its object was evicted from memory a page still hears, and the seqs go on", async () => {
  const ana = await createSeller(world.ctx);
  const bia = await createPerson(world.ctx, "Bia");
  const conversationId = await open(bia, ana);
  const topic = inboxTopic(ana.id);
  const { heard } = await listen(topic);
  await vi.waitUntil(() => heard.length === 1);
  const say = (text: string) =>
    sendMessage(world.ctx, {
      conversationId,
      personId: bia.id,
      writtenById: null,
      text,
      clientMessageId: world.ctx.newId(),
    });
  expect(await say("Antes")).toMatchObject({ seq: 2 });
  await vi.waitUntil(() => heard.length === 2);
  await evictDurableObject(objectOf(topic));
  expect(await objectOf(topic).isListening()).toBe(true);
  expect(await say("Depois")).toMatchObject({ seq: 3 });
  await vi.waitUntil(() => heard.length === 3);
  expect(heard).toEqual(["listening", "changed", "changed"]);
});

test("the pages of a chat hear at once, then once of all that came within a second, also after an eviction", async () => {
  const ana = await createSeller(world.ctx);
  const bia = await createPerson(world.ctx, "Bia");
  const eventId = await eventWithVideo(world.ctx, ana, [bia]);
  const topic = chatTopic(eventId);
  const pages = [await listen(topic), await listen(topic)];
  const heardTimes = async (count: number) =>
    await vi.waitUntil(() => pages.every(({ heard }) => heard.length === count), {
      timeout: 10_000,
    });
  const say = () =>
    sendChatMessage(world.ctx, {
      eventId,
      personId: bia.id,
      text: "Oi",
      clientMessageId: world.ctx.newId(),
    });
  await heardTimes(1);
  await evictDurableObject(objectOf(topic));
  expect(await say()).toEqual({ seq: 1 });
  await heardTimes(2);
  for (let count = 0; count < 5; count += 1) await objectOf(topic).notify(3_000);
  await heardTimes(3);
  await evictDurableObject(objectOf(topic));
  expect(await say()).toEqual({ seq: 2 });
  await heardTimes(4);
  expect(pages.map(({ heard }) => heard)).toEqual(
    Array(2).fill(["listening", "changed", "changed", "changed"]),
  );
});

test("an open page hears nothing more once its address expired: the next update closes it", async () => {
  const topic = inboxTopic("01a3");
  const [page, other] = [await listen(topic, testClock.now() + 3_600_000), await listen(topic, 1)];
  await vi.waitUntil(() => page.heard.length + other.heard.length === 2);
  await objectOf(topic).notify();
  await objectOf(topic).sendTyping("c1");
  await vi.waitUntil(() => page.heard.length === 3 && other.heard.length === 2);
  expect([page.heard, other.heard]).toEqual([
    ["listening", "changed", "typing:c1"],
    ["listening", 4001],
  ]);
  const left = inboxTopic("01a4");
  await listen(left, 1);
  expect(await objectOf(left).isListening()).toBe(false);
});

test("of a thousand pages of one inbox twenty listen, each other is refused, and all twenty hear", async () => {
  const topic = inboxTopic("01a5");
  const pages = await Promise.all(Array.from({ length: 1_000 }, () => listen(topic)));
  const statuses = pages.map(({ status }) => status);
  expect([101, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([
    20, 980,
  ]);
  await objectOf(topic).notify();
  const listening = pages.filter(({ status }) => status === 101);
  await vi.waitUntil(() => listening.every(({ heard }) => heard.length === 2), { timeout: 20_000 });
  expect(pages.filter(({ status }) => status === 429).flatMap(({ heard }) => heard)).toEqual([]);
});

test.each([
  ["an inbox", inboxTopic("01a2"), 20],
  ["the chat of an event", chatTopic("01a2"), 500],
])("%s takes as many pages as it may, and refuses the next", async (_, topic, most) => {
  const pages = await Promise.all(Array.from({ length: most }, () => listen(topic)));
  expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([101]));
  expect((await listen(topic)).status).toBe(429);
  await objectOf(topic).notify();
  await vi.waitUntil(() => pages.every(({ heard }) => heard.length === 2), { timeout: 20_000 });
});
