import { z } from "zod";
import type { Measurement } from "./harness.ts";
import { measureInWorkerd } from "./harness.ts";

/** A buyer may cost this many times the time of a bare batch. Source: issue 24, "Numbers". */
const TIME_AT_MOST = 40;
/**
 * A sold seat may write this many times the rows of a bare batch: 7 rows for each of the ten
 * choices that want it, and 24 for its sale, beside 3. docs/performance.md lists them.
 */
const ROWS_AT_MOST = 32;
/** The month costs the same rows however many events there are. */
const SAME = 1.1;

const rush = z.object({ lastAnswerMs: z.number(), rowsWritten: z.number(), sold: z.number() });
const measured = z.object({
  buyers: z.number(),
  seats: z.number(),
  coreto: rush,
  bare: rush,
  months: z.array(z.object({ events: z.number(), mine: z.number(), explore: z.number() })),
});
export type EventsResult = z.infer<typeof measured>;

/**
 * Lets many people buy the last seats of an event at once, beside as many bare batches that take a
 * seat each. Counts the rows that a month of the calendar reads among few and many events. Runs in
 * workerd, over D1.
 */
export async function benchEvents(): Promise<Measurement[]> {
  const { buyers, seats, coreto, bare, months } = measured.parse(
    JSON.parse(await measureInWorkerd("events")),
  );
  const [few, many] = [months[0], months.at(-1)];
  const buyersText = buyers.toLocaleString("en");
  const month = (name: string, scope: "mine" | "explore"): Measurement => ({
    name: `rows of a month ${name}, among ${many?.events.toLocaleString("en")} events beside ${few?.events}`,
    value: many?.[scope] ?? 0,
    unit: "rows",
    baseline: few?.[scope] ?? 0,
    ratio: rounded((many?.[scope] ?? 0) / Math.max(1, few?.[scope] ?? 0)),
    limit: SAME,
  });
  return [
    {
      name: `tickets sold to ${buyersText} buyers at once, of ${seats} seats`,
      value: coreto.sold,
      unit: "tickets",
      baseline: seats,
      ratio: rounded(coreto.sold / seats),
      limit: 1,
    },
    {
      name: `time to the last answer of ${buyersText} buyers, beside bare batches`,
      value: Math.round(coreto.lastAnswerMs),
      unit: "ms",
      baseline: Math.round(bare.lastAnswerMs),
      ratio: rounded(coreto.lastAnswerMs / bare.lastAnswerMs),
      limit: TIME_AT_MOST,
    },
    {
      name: "rows written for them, beside bare batches",
      value: coreto.rowsWritten,
      unit: "rows",
      baseline: bare.rowsWritten,
      ratio: rounded(coreto.rowsWritten / Math.max(1, bare.rowsWritten)),
      limit: ROWS_AT_MOST,
    },
    month("of one's own", "mine"),
    month("of everybody's", "explore"),
  ];
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
