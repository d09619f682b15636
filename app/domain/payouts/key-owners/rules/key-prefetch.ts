import type { Destination } from "#app/domain/payouts/schema/destinations.ts";
import { DAY_MS, HOUR_MS } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";
import { needsKeyLookup } from "./key-owners.ts";

/**
 * When a key that has its turn is looked at again, whatever becomes of it: an answer ends that, and
 * what nobody answers keeps no others from their turn.
 */
export const KEY_PREFETCH_RETRY_MS = HOUR_MS;
/** When it is looked at again whether somebody whom nobody is about to pay is by then. */
export const KEY_PREFETCH_RECHECK_MS = DAY_MS;

/**
 * From when it is looked at whether to ask ahead of any payout whose a place is that was typed at
 * `now`; null where that was told with it, or its kind says so itself.
 */
export const keyPrefetchFrom = (
  place: Destination,
  { isTold, now }: { isTold: boolean; now: Instant },
): Instant | null => (needsKeyLookup(place) && !isTold ? now : null);

/**
 * A key that may have to be asked ahead: whether its answer is there already, and whether its
 * creator is about to be paid.
 */
export type PrefetchableKey = { creatorId: string; isTold: boolean; isDue: boolean };

export type KeyPrefetchPlan = Record<"told" | "asked" | "notYet", string[]>;

/**
 * Whose key is asked ahead, of `keys` in their order, with `turns` that no payout needs; who has
 * nothing to ask any more, and who is looked at another day. The rest keep their place. INVARIANT:
 * no more are asked than there are turns. Source:
 * docs/decisions/money/verify-who-owns-a-pix-key.md.
 */
export function planKeyPrefetch(keys: readonly PrefetchableKey[], turns: number): KeyPrefetchPlan {
  const ahead: KeyPrefetchPlan = { told: [], asked: [], notYet: [] };
  for (const { creatorId, isTold, isDue } of keys) {
    if (isTold) ahead.told.push(creatorId);
    else if (!isDue) ahead.notYet.push(creatorId);
    else if (ahead.asked.length < turns) ahead.asked.push(creatorId);
  }
  return ahead;
}
