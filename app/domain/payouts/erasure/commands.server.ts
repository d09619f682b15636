import { eq } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { pixKeyOwners, withdrawalMethods } from "#drizzle/schema/payouts.ts";

/**
 * Deletes a person's withdrawal method and the saved owner of their key. No payout can be requested
 * afterwards. Existing payouts keep their destination.
 */
export function eraseWithdrawalMethodStatements(
  ctx: Context,
  { creatorId }: { creatorId: string },
): BatchWrite[] {
  return [
    ctx.db.delete(withdrawalMethods).where(eq(withdrawalMethods.creatorId, creatorId)),
    ctx.db.delete(pixKeyOwners).where(eq(pixKeyOwners.creatorId, creatorId)),
  ];
}
