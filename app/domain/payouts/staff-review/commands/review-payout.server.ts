import type { Context } from "#app/domain/context.ts";
import { DocumentModeratorRequired } from "#app/domain/documents/errors.ts";
import { isModerator } from "#app/domain/documents/queries.server.ts";
import { PayoutNotFound } from "#app/domain/payouts/errors.ts";
import { payoutRow } from "#app/domain/payouts/queries.server.ts";
import type { Payout } from "#app/domain/payouts/schema.ts";

/** Loads a payout for a staff decision. Refuses DocumentModeratorRequired and PayoutNotFound. */
export async function payoutForReview(
  ctx: Context,
  { payoutId, moderatorId }: { payoutId: string; moderatorId: string },
): Promise<Payout> {
  if (!(await isModerator(ctx, { personId: moderatorId }))) throw new DocumentModeratorRequired();
  const payout = await payoutRow(ctx, { payoutId });
  if (!payout) throw new PayoutNotFound();
  return payout;
}
