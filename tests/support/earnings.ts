import { summed } from "#app/domain/ledger/rules/earnings.ts";
import type { Effect, Figures } from "#app/domain/ledger/rules/earnings.ts";

/** The figures by month or day, in the order of time. */
export function byBucket(effects: readonly Effect[]): { bucket: string; figures: Figures }[] {
  const buckets = Map.groupBy(effects, ({ bucket }) => bucket);
  return [...buckets.keys()]
    .toSorted()
    .map((bucket) => ({ bucket, figures: summed(buckets.get(bucket) ?? []) }));
}
