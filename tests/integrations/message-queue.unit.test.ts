import { expect, test } from "vitest";
import { messageQueue } from "#app/integrations/message-queue.server.ts";

type Batch = { body: { id: string } }[];
const messages = Array.from({ length: 250 }, (_, at) => ({ id: `m${at}` }));

/** A binding that refuses what `refuses` says. */
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

test("many messages go in batches of what the queue takes, in their order", async () => {
  const { queue, batches, logged } = bound();
  await queue.sendAll(messages);
  expect(batches.map((batch) => batch.length)).toEqual([100, 100, 50]);
  expect(batches.flat().map(({ body }) => body)).toEqual(messages);
  await queue.sendAll([]);
  await queue.send({ id: "one" });
  expect(batches).toHaveLength(4);
  expect(logged).toEqual([]);
});

test("what a queue refuses is logged, and stops neither its caller nor the batches behind it", async () => {
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
