import type { Context } from "#app/domain/context.ts";
import { plansOfCreator } from "#app/domain/plans/queries.server.ts";

/** The plans whose subscribers a broadcast can go to: an archived plan still has some. */
export async function broadcastPlans(
  ctx: Context,
  { creatorId }: { creatorId: string },
): Promise<{ id: string; name: string }[]> {
  const plans = await plansOfCreator(ctx, { creatorId, states: ["active", "archived"] });
  return plans.map(({ id, name }) => ({ id, name }));
}
