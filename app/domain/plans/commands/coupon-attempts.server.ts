import { commit } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import {
  rateLimitStatements,
  uncountActionStatements,
} from "#app/domain/rate-limits/commands.server.ts";
import { findCoupon } from "#app/domain/plans/queries/coupons.server.ts";
import type { CouponLookup, CouponRequest } from "#app/domain/plans/queries/coupons.server.ts";
import { COUPON_CODE_RATE_LIMITS } from "#app/domain/plans/rules/coupons.ts";

const ACT = "coupon";

/**
 * `findCoupon`, for a code that somebody typed: at most so many wrong ones by one person, or by one
 * address without an account (`rateLimitSubject`), after which no code is looked up at all
 * (`too_many`). Each is counted before it is looked at, so that parallel guesses are all counted;
 * one that exists is not held against anybody.
 */
export async function lookUpCoupon(
  ctx: Context,
  { triedBy, ...wish }: CouponRequest & { triedBy: string },
): Promise<CouponLookup> {
  const counted = { act: ACT, personId: triedBy, limits: COUPON_CODE_RATE_LIMITS };
  try {
    await commit(ctx.db, rateLimitStatements(ctx, counted));
  } catch (error) {
    if (error instanceof StaleWrite) return { coupon: null, problem: "too_many" };
    throw error;
  }
  const found = await findCoupon(ctx, wish);
  if (found.problem !== "unknown") await commit(ctx.db, uncountActionStatements(ctx, counted));
  return found;
}
