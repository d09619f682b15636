import { z } from "zod";
import type { Measurement } from "./harness.ts";
import { measureInWorkerd, speedMeasurement } from "./harness.ts";

/** Minimum share of the bare batches' speed. Source: issue 5, "Numbers". */
const INTAKE_AT_LEAST = 0.6;
const ONE_BY_ONE_AT_LEAST = 0.25;
const IN_BATCHES_AT_LEAST = 0.4;
/** Most rows that enqueueing due subscriptions may read for each one that it enqueues. */
const ROWS_PER_DUE_AT_MOST = 10;

const samples = z.object({ coreto: z.array(z.number()), bare: z.array(z.number()) });
const measured = z.object({
  intake: samples,
  oneByOne: samples,
  inBatches: samples,
  callsAnEvent: z.number(),
  due: z.array(
    z.object({
      subscriptions: z.number(),
      due: z.number(),
      found: z.number(),
      rowsRead: z.number(),
      ms: z.number(),
    }),
  ),
});
export type PaymentsResult = z.infer<typeof measured>;

/**
 * Measures webhook intake and the pipeline to a posted ledger against hand-written batches of the
 * same statements. Counts the rows read to enqueue the due subscriptions of a million. Runs in
 * workerd, over D1.
 */
export async function benchPayments(): Promise<Measurement[]> {
  const { intake, oneByOne, inBatches, callsAnEvent, due } = measured.parse(
    JSON.parse(await measureInWorkerd("payments")),
  );
  return [
    speedMeasurement("webhook intake", intake, INTAKE_AT_LEAST),
    speedMeasurement("payment to posted ledger, one by one", oneByOne, ONE_BY_ONE_AT_LEAST),
    speedMeasurement(
      "payment to posted ledger, in queue batches of 20",
      inBatches,
      IN_BATCHES_AT_LEAST,
    ),
    {
      name: "calls to D1 a payment, of 2",
      value: callsAnEvent,
      unit: "",
      baseline: 2,
      ratio: rounded(callsAnEvent / 2),
      limit: 1,
    },
    ...due.map((one) => ({
      name: `${one.found.toLocaleString("en")} of ${one.due.toLocaleString("en")} due among ${one.subscriptions.toLocaleString("en")} subscriptions, handed over in two runs (${Math.round(one.ms)} ms)`,
      value: one.rowsRead,
      unit: "rows",
      baseline: Math.max(1, one.found),
      ratio: rounded(one.rowsRead / Math.max(1, one.found)),
      limit: ROWS_PER_DUE_AT_MOST,
    })),
  ];
}

const rounded = (value: number): number => Math.round(value * 100) / 100;
