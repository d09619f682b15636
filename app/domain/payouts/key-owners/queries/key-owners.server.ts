import { and, eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { pixKeyOwners, withdrawalMethods } from "#drizzle/schema/payouts.ts";

/** An answer counts only for the key that it was asked about. */
export const isAnswerForCurrentKey = and(
  eq(pixKeyOwners.creatorId, withdrawalMethods.creatorId),
  eq(pixKeyOwners.pixKeyKind, withdrawalMethods.pixKeyKind),
  eq(pixKeyOwners.pixKey, withdrawalMethods.pixKey),
);

/**
 * Statement for a batch: what the Pix directory said of a creator's current key, in one row or
 * none.
 */
export const keyAnswerStatement = (ctx: Context, { creatorId }: { creatorId: string }) =>
  ctx.db
    .select({
      name: pixKeyOwners.ownerName,
      taxId: pixKeyOwners.ownerTaxId,
      askedAt: pixKeyOwners.askedAt,
    })
    .from(pixKeyOwners)
    .innerJoin(withdrawalMethods, isAnswerForCurrentKey)
    .where(eq(pixKeyOwners.creatorId, creatorId))
    .limit(1);
