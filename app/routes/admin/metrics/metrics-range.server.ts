import { parseRange } from "#app/domain/analytics/ranges/rules.ts";
import type { ParsedRange } from "#app/domain/analytics/ranges/rules.ts";
import type { Context } from "#app/domain/context.ts";
import { dayNumberOf } from "#app/domain/time.ts";

/** "All" of the platform is three years: what its page reads at once. */
const MOST_DAYS = 3 * 365;

/** The days that a page of the platform's numbers shows. */
export function metricsRange(ctx: Context, request: Request): ParsedRange {
  const today = dayNumberOf(ctx.now());
  return parseRange(new URL(request.url).searchParams, { today, firstDay: today - MOST_DAYS });
}
