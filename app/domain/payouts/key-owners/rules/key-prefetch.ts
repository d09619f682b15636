import type { Destination } from "#app/domain/payouts/schema/destinations.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { needsKeyLookup } from "./key-owners.ts";

/**
 * When a due key is examined again, whatever the result. An answer ends this, and a key without an
 * answer does not block others.
 */
export const KEY_PREFETCH_RETRY_MS = HOUR_MS;
/** When a key whose creator is not about to be paid is examined again. */
export const KEY_PREFETCH_RECHECK_MS = DAY_MS;

/**
 * Returns from when the key of a new destination is due for a prefetch. Null if its owner was
 * looked up when it was typed, or its kind needs no lookup.
 */
export const keyPrefetchFrom = (
  place: Destination,
  { isLookedUp, now }: { isLookedUp: boolean; now: Instant },
): Instant | null => (needsKeyLookup(place) && !isLookedUp ? now : null);

/**
 * A key that may need a prefetch: whether its answer is already saved, and whether its creator is
 * about to be paid.
 */
export type PrefetchableKey = { creatorId: string; isLookedUp: boolean; isDue: boolean };

export type KeyPrefetchPlan = Record<"lookedUp" | "lookUpNow" | "notYet", string[]>;

/**
 * Plans the prefetch of `keys`, in their order, with `turns` lookups that no payout needs.
 *
 * `lookedUp` need no lookup any more, `lookUpNow` are looked up now, and `notYet` are examined
 * another day. The rest keep their place. INVARIANT: at most `turns` keys are looked up. Source:
 * docs/decisions/money/verify-who-owns-a-pix-key.md.
 */
export function planKeyPrefetch(keys: readonly PrefetchableKey[], turns: number): KeyPrefetchPlan {
  const plan: KeyPrefetchPlan = { lookedUp: [], lookUpNow: [], notYet: [] };
  for (const { creatorId, isLookedUp, isDue } of keys) {
    if (isLookedUp) plan.lookedUp.push(creatorId);
    else if (!isDue) plan.notYet.push(creatorId);
    else if (plan.lookUpNow.length < turns) plan.lookUpNow.push(creatorId);
  }
  return plan;
}
