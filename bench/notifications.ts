import { z } from "zod";
import { measureInWorkerd, speedMeasurement } from "./harness.ts";
import type { Measurement } from "./harness.ts";

/** Minimum share of the speed of bare batches. Source: issue 23, "Numbers". */
const FAN_OUT_AT_LEAST = 0.5;
/** The list and the count read as many rows, however many notifications a person has. */
const SAME = 1;

const times = z.array(z.number());
const reads = z.object({ notifications: z.number(), listed: z.number(), unread: z.number() });
const measured = z.object({
  followers: z.number(),
  fanOut: z.object({ coreto: times, bare: times }),
  /** The most people that one page held in memory, at the beginning and at the end. */
  pages: z.object({ first: z.number(), last: z.number() }),
  few: reads,
  many: reads,
});
export type NotificationsResult = z.infer<typeof measured>;

/**
 * Measures the fan-out of a new post against bare batches of the same rows, and the list and the
 * unread count of a person with many notifications against those of one with few. Runs in workerd,
 * over D1.
 */
export async function benchNotifications(): Promise<Measurement[]> {
  const { followers, fanOut, pages, few, many } = measured.parse(
    JSON.parse(await measureInWorkerd("notifications")),
  );
  const rows = (name: string, value: number, baseline: number): Measurement => ({
    name: `${name}, with ${many.notifications.toLocaleString("en")} notifications beside ${few.notifications}`,
    value,
    unit: "rows",
    baseline,
    ratio: value / baseline,
    limit: SAME,
  });
  return [
    speedMeasurement(
      `follower notified of a new post, of ${followers.toLocaleString("en")}`,
      fanOut,
      FAN_OUT_AT_LEAST,
    ),
    {
      name: "people in memory in the last page, beside the first",
      value: pages.last,
      unit: "people",
      baseline: pages.first,
      ratio: pages.last / pages.first,
      limit: SAME,
    },
    rows("rows read by the list", many.listed, few.listed),
    rows("rows read by the unread count", many.unread, few.unread),
  ];
}
