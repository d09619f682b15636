import { eq } from "drizzle-orm";
import type { Write } from "#app/db/client.server.ts";
import type { Context } from "#app/domain/context.ts";
import { withdrawalMethods } from "#drizzle/schema/payouts.ts";

/** The statement after which no payout of a person can be asked for. Payouts that were made keep the key that they went to. */
export function erasedMethodStatement(ctx: Context, { creatorId }: { creatorId: string }): Write {
  return ctx.db.delete(withdrawalMethods).where(eq(withdrawalMethods.creatorId, creatorId));
}
