import { eq } from "drizzle-orm";
import type { BatchWrite } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { pixKeyOwners, withdrawalMethods } from "#drizzle/schema/payouts.ts";

/**
 * The statements after which no payout of a person can be asked for, nor is it known whose their
 * key was. Payouts that were made keep the key that they went to.
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
