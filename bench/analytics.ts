import { z } from "zod";
import type { Measurement } from "./harness.ts";
import { measureInWorkerd, median } from "./harness.ts";

/** Recording a view may cost so much of a public page's time. Source: issue 25, "Numbers". */
const RECORDING_AT_MOST = 0.05;
/** The page of the numbers costs the same rows at any number of views. */
const SAME = 1;

const times = z.array(z.number());
const measured = z.object({
  recording: z.object({ page: times, recorded: times }),
  shown: z.object({
    few: z.object({ views: z.number(), rowsRead: z.number() }),
    many: z.object({ views: z.number(), rowsRead: z.number() }),
  }),
});
export type AnalyticsResult = z.infer<typeof measured>;

/**
 * Measures what recording a view adds to a public page, and the rows of the page of the numbers at
 * few and at many views. Runs in workerd, over D1.
 */
export async function benchAnalytics(): Promise<Measurement[]> {
  const { recording, shown } = measured.parse(JSON.parse(await measureInWorkerd("analytics")));
  const [page, recorded] = [median(recording.page), median(recording.recorded)];
  return [
    {
      name: "a view recorded, beside a creator's public page loaded and rendered",
      value: rounded(recorded),
      unit: "ms",
      baseline: rounded(page),
      ratio: rounded(recorded / page),
      limit: RECORDING_AT_MOST,
    },
    {
      name: `rows of the numbers at ${shown.many.views.toLocaleString("en")} views, beside ${shown.few.views.toLocaleString("en")}`,
      value: shown.many.rowsRead,
      unit: "rows",
      baseline: shown.few.rowsRead,
      ratio: rounded(shown.many.rowsRead / shown.few.rowsRead),
      limit: SAME,
    },
  ];
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;
