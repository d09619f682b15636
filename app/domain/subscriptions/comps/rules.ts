import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import { addMonths, DAY_MS, formatDay, formatShortDay } from "#app/domain/time.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * The most comps that one page may have at once, and grant in a day: enough for a crew and guests,
 * too few to give the page away.
 */
export const LIVE_COMPS_MAX = 50;
export const COMPS_A_DAY = { windowMs: DAY_MS, limit: 20 };
/** The end date of a comp without an end. */
export const COMP_WITHOUT_END: Instant = Date.UTC(9999, 11, 31);

/** When a comp of that many months ends. */
export const compEndsAt = (givenAt: Instant, months: number | null): Instant =>
  months === null ? COMP_WITHOUT_END : addMonths(givenAt, months);

/** "Cortesia · até 12/03", "Cortesia", or the text of an ended one. */
export function compBadge({
  status,
  compEndsAt: endsAt,
}: Pick<Subscription, "status"> & { compEndsAt: Instant }): string {
  if (status === "expired") return "Cortesia encerrada";
  return endsAt === COMP_WITHOUT_END ? "Cortesia" : `Cortesia · até ${formatShortDay(endsAt)}`;
}

/** "até 12/03/2027" or "sem prazo para acabar". */
export const compUntilLabel = (endsAt: Instant): string =>
  endsAt === COMP_WITHOUT_END ? "sem prazo para acabar" : `até ${formatDay(endsAt)}`;
