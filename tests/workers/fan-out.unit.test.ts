import { expect, test } from "vitest";
import { PRODUCT_WORKERS } from "#scripts/topology.ts";
import { readWranglerFile } from "#scripts/wrangler-file.ts";

test("what goes to many people has a queue of its own, which the notifications worker consumes apart", () => {
  const { consumers } = readWranglerFile("notifications").queues;
  expect(consumers.map(({ queue }) => queue)).toEqual([
    "coreto-notifications",
    "coreto-fan-out",
    "coreto-mail-events",
  ]);
  expect(new Set(consumers.map(({ dead_letter_queue: dead }) => dead)).size).toBe(3);
});

test("each worker that announces something can fill both queues", () => {
  for (const worker of PRODUCT_WORKERS) {
    const bound = new Map(
      readWranglerFile(worker).queues.producers.map(({ binding, queue }) => [binding, queue]),
    );
    if (!bound.has("NOTIFICATIONS")) continue;
    expect([bound.get("NOTIFICATIONS"), bound.get("FAN_OUT")]).toEqual([
      "coreto-notifications",
      "coreto-fan-out",
    ]);
  }
});
