import { eq } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { plans } from "#drizzle/schema/plans.ts";

/** The statement after which a person's plans are sold no more and say nothing but the name that receipts show. */
export function erasedPlansStatement(ctx: Context, { creatorId }: { creatorId: string }): Write {
  return ctx.db
    .update(plans)
    .set({ state: "archived", description: "", benefits: [], welcomeMessage: "", updatedAt: ctx.now() })
    .where(eq(plans.creatorId, creatorId));
}
