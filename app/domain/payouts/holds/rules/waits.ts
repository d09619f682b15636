import type { Cents } from "#app/domain/money.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";

/** Time between two checks of a payout that waits for money at the provider. */
export const BALANCE_RECHECK_MS = 10 * MINUTE_MS;

/**
 * How long a payout waits where the provider refuses our account, which people must fix. Also used
 * where the provider accepted the transfer and failed it later: each such try is another payout.
 */
export const PROVIDER_RETRY_MS = HOUR_MS;

/**
 * Returns which waiting payouts, oldest first, fit into a provider's `availableCents` (centavos).
 *
 * INVARIANT: together they need no more than is available. A large payout does not block smaller
 * ones behind it; staff are notified if it waits for a day.
 */
export function payoutsThatFit<Waiting extends { amountCents: Cents }>(
  waiting: readonly Waiting[],
  availableCents: Cents,
): Waiting[] {
  let left = availableCents;
  return waiting.filter(({ amountCents }) => {
    if (amountCents > left) return false;
    left -= amountCents;
    return true;
  });
}
