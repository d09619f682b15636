import { z } from "zod";
import type { Measurement } from "./harness.ts";
import { measureInWorkerd, percentile, speedMeasurement } from "./harness.ts";
import { measureSockets } from "./message-sockets.ts";

/** Minimum share of the speed of bare batches. Source: issue 22, "Numbers". */
const BROADCAST_AT_LEAST = 0.5;
/** With 500 sockets open. Source: issue 22, "Numbers". */
const ACKNOWLEDGED_P95_MS = 70;
const SEEN_P99_MS = 100;
/** A conversation of any length opens for as many rows. */
const SAME = 1;

const times = z.array(z.number());
const samples = z.object({ coreto: times, bare: times });
const measured = z.object({
  sent: samples,
  broadcast: samples,
  opened: z.object({
    long: z.object({ messages: z.number(), rowsRead: z.number(), ms: times }),
    short: z.object({ messages: z.number(), rowsRead: z.number(), ms: times }),
  }),
});
export type MessagesResult = z.infer<typeof measured>;

/**
 * Measures a sent message and a broadcast against hand-written batches of the same rows, and
 * opening a long conversation against a short one, in workerd over D1. Then measures messages over
 * the sockets and requests of the served product.
 */
export async function benchMessages(): Promise<Measurement[]> {
  const { sent, broadcast, opened } = measured.parse(
    JSON.parse(await measureInWorkerd("messages")),
  );
  const { acknowledgedMs, seenMs } = await measureSockets();
  const { long, short } = opened;
  const [sentP95, bareP95] = [percentile(sent.coreto, 95), percentile(sent.bare, 95)];
  return [
    speedMeasurement("message sent and acknowledged", sent),
    {
      name: "message sent and acknowledged, 95th percentile",
      value: rounded(sentP95),
      unit: "ms",
      baseline: rounded(bareP95),
      ratio: rounded(sentP95 / bareP95),
    },
    speedMeasurement("recipient of a broadcast", broadcast, BROADCAST_AT_LEAST),
    {
      name: `rows of a conversation of ${long.messages.toLocaleString("en")} opened, beside one of ${short.messages}`,
      value: long.rowsRead,
      unit: "rows",
      baseline: short.rowsRead,
      ratio: rounded(long.rowsRead / short.rowsRead),
      limit: SAME,
    },
    speedMeasurement("the same, in time", { coreto: long.ms, bare: short.ms }),
    upTo("sent to acknowledged, 500 sockets, median", percentile(acknowledgedMs, 50)),
    upTo("the same, 95th percentile", percentile(acknowledgedMs, 95), ACKNOWLEDGED_P95_MS),
    upTo("sent to seen, 500 sockets, median", percentile(seenMs, 50)),
    upTo("the same, 99th percentile", percentile(seenMs, 99), SEEN_P99_MS),
  ];
}

/** A time beside the most that it may be. */
const upTo = (name: string, ms: number, mostMs = ms): Measurement => ({
  name,
  value: Math.round(ms),
  unit: "ms",
  baseline: Math.round(mostMs),
  ratio: rounded(ms / mostMs),
  ...(mostMs === ms ? {} : { limit: 1 }),
});

const rounded = (value: number): number => Math.round(value * 100) / 100;
