import { eq, sql } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { coupons, plans, vacations } from "#drizzle/schema/plans.ts";

/**
 * The statements that archive a person's plans and erase all but the names that receipts show.
 * Their coupons end and lose their codes. The team members who acted are erased too.
 */
export function erasePlansStatements(
  ctx: Context,
  { creatorId }: { creatorId: string },
): BatchWrite[] {
  return [
    ctx.db
      .update(plans)
      .set({
        state: "archived",
        description: "",
        benefits: [],
        welcomeMessage: "",
        updatedAt: ctx.now(),
      })
      .where(eq(plans.creatorId, creatorId)),
    ctx.db
      .update(coupons)
      .set({
        endedAt: sql`COALESCE(${coupons.endedAt}, ${ctx.now()})`,
        code: "EXCLUIDO",
        actedBy: null,
      })
      .where(eq(coupons.creatorId, creatorId)),
    ctx.db.update(vacations).set({ actedBy: null }).where(eq(vacations.creatorId, creatorId)),
  ];
}
