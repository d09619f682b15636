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
 * `findCoupon` for a typed code, with a limit of wrong codes per member, or per address without an
 * account (`rateLimitSubject`). Over the limit no code is looked up (`too_many`). Each try is
 * counted before the lookup, so that parallel guesses all count. A code that exists is not
 * counted.
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
