import { expect, test } from "vitest";
import { messageQueue } from "#app/integrations/message-queue.server.ts";

type Batch = { body: { id: string } }[];
const messages = Array.from({ length: 250 }, (_, at) => ({ id: `m${at}` }));

/** Returns a binding that refuses the calls that `refuses` selects. */
function bound(refuses: (call: number) => boolean = () => false) {
  const batches: Batch[] = [];
  const logged: string[] = [];
  let calls = 0;
  const take = async (batch: Batch) => {
    if (refuses((calls += 1))) throw new Error("Too Many Requests");
    batches.push(batch);
  };
  const binding = {
    send: (body: { id: string }) => take([{ body }]),
    sendBatch: (batch: Iterable<{ body: { id: string } }>) => take([...batch]),
  } as unknown as Queue;
  return {
    queue: messageQueue<{ id: string }>(binding, (event) => void logged.push(event)),
    batches,
    logged,
  };
}

test("many messages are sent in order, in batches of the queue's maximum size", async () => {
  const { queue, batches, logged } = bound();
  await queue.sendAll(messages);
  expect(batches.map((batch) => batch.length)).toEqual([100, 100, 50]);
  expect(batches.flat().map(({ body }) => body)).toEqual(messages);
  await queue.sendAll([]);
  await queue.send({ id: "one" });
  expect(batches).toHaveLength(4);
  expect(logged).toEqual([]);
});

test("a batch that the queue refuses is logged, and stops neither the caller nor the batches after it", async () => {
  const { queue, batches, logged } = bound((call) => call === 2);
  await queue.sendAll(messages);
  expect(batches.flat().map(({ body }) => body)).toEqual([
    ...messages.slice(0, 100),
    ...messages.slice(200),
  ]);
  expect(logged).toEqual(["queue.send_failed"]);
});

test("without a queue nothing is sent and nothing fails", async () => {
  const queue = messageQueue<{ id: string }>(undefined, () => expect.unreachable());
  await queue.send({ id: "one" });
  await queue.sendAll(messages);
});
