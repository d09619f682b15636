import { sumEarningsFigures } from "#app/domain/ledger/statements/rules/earnings.ts";
import type {
  EarningsEffect,
  EarningsFigures,
} from "#app/domain/ledger/statements/rules/earnings.ts";

/** The earnings figures by month or day, in order of time. */
export function byBucket(
  effects: readonly EarningsEffect[],
): { bucket: string; figures: EarningsFigures }[] {
  const buckets = Map.groupBy(effects, ({ bucket }) => bucket);
  return [...buckets.keys()]
    .toSorted()
    .map((bucket) => ({ bucket, figures: sumEarningsFigures(buckets.get(bucket) ?? []) }));
}
