import { commit } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import type { Context } from "#app/domain/context.ts";
import { floodStatements, forgivenStatements } from "#app/domain/floods/commands.server.ts";
import { couponFor } from "#app/domain/plans/queries/coupons.server.ts";
import type { CouponFound, CouponWish } from "#app/domain/plans/queries/coupons.server.ts";
import { WRONG_CODE_LIMITS } from "#app/domain/plans/rules/coupons.ts";

const ACT = "coupon";

/**
 * `couponFor`, for a code that somebody typed: at most so many wrong ones by one person, or by one
 * address without an account (`triedBy`), after which no code is looked up at all (`too_many`).
 * Each is counted before it is looked at, so that parallel guesses are all counted; one that exists
 * is not held against anybody.
 */
export async function couponTried(
  ctx: Context,
  { triedBy, ...wish }: CouponWish & { triedBy: string },
): Promise<CouponFound> {
  const counted = { act: ACT, personId: triedBy, limits: WRONG_CODE_LIMITS };
  try {
    await commit(ctx.db, floodStatements(ctx, counted));
  } catch (error) {
    if (error instanceof StaleWrite) return { coupon: null, problem: "too_many" };
    throw error;
  }
  const found = await couponFor(ctx, wish);
  if (found.problem !== "unknown") await commit(ctx.db, forgivenStatements(ctx, counted));
  return found;
}
