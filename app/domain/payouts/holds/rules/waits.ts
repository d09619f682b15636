import type { Cents } from "#app/domain/money.ts";
import { HOUR_MS, MINUTE_MS } from "#app/domain/time.ts";

/** How long what waits for money at the provider waits for another look. */
export const BALANCE_RECHECK_MS = 10 * MINUTE_MS;

/**
 * How long it waits where our account there is refused, which people mend; and where the provider
 * took the transfer and failed it later: each such try is another payout.
 */
export const PROVIDER_RETRY_MS = HOUR_MS;

/**
 * Which of those that wait for the same money, oldest first, have their turn while a provider holds
 * `availableCents` (centavos): each that still fits beside the older ones. INVARIANT: those who
 * have their turn together need no more than there is. A large one does not keep the smaller behind
 * it; that it waits is told after a day.
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
