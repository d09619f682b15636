import { and, eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { pixKeyOwners, withdrawalMethods } from "#drizzle/schema/payouts.ts";

/** An answer is of the key that it was asked about, and of no other that came after it. */
export const isAnswerForCurrentKey = and(
  eq(pixKeyOwners.creatorId, withdrawalMethods.creatorId),
  eq(pixKeyOwners.pixKeyKind, withdrawalMethods.pixKeyKind),
  eq(pixKeyOwners.pixKey, withdrawalMethods.pixKey),
);

/** For a batch: what the directory of Pix said of the key of a creator's method, in one row or none. */
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
