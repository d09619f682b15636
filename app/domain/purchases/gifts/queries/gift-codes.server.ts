import { and, eq } from "drizzle-orm";
import type { Context } from "#app/domain/context.ts";
import { giftCodeFromBytes, giftPath } from "#app/domain/purchases/gifts/rules.ts";
import { gifts } from "#drizzle/schema/purchases.ts";

const PURPOSE = "coreto gift 1";

/** Computes the code of a gift. The product can compute it again, and stores only its SHA-256. */
export async function giftCode(ctx: Context, { giftId }: { giftId: string }): Promise<string> {
  const signature = await ctx.signer.sign(PURPOSE, giftId);
  return giftCodeFromBytes(
    Uint8Array.from(atob(signature.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
      letter.charCodeAt(0),
    ),
  );
}

/** Builds the full link that opens a gift; anyone who has it may use it. */
export const giftLink = async (ctx: Context, gift: { giftId: string }): Promise<string> =>
  ctx.settings.appOrigin + giftPath(await giftCode(ctx, gift));

/**
 * Builds `giftLink` for the giver; null if our signing secret changed since. Then only the link
 * sent before still works.
 */
export async function giftLinkForGiver(
  ctx: Context,
  { giftId }: { giftId: string },
): Promise<string | null> {
  const code = await giftCode(ctx, { giftId });
  const retainedCount = await ctx.db.$count(
    gifts,
    and(eq(gifts.id, giftId), eq(gifts.codeHash, await ctx.signer.digest(code))),
  );
  return retainedCount === 1 ? ctx.settings.appOrigin + giftPath(code) : null;
}
