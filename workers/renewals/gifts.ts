import type { Context } from "#app/domain/context.ts";
import { closeGift, deliverGift } from "#app/domain/purchases/commands/end-gift.server.ts";
import { giftsToClose, giftsToDeliver } from "#app/domain/purchases/queries/gifts.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { forEachQuietly } from "#workers/consume.ts";

const GIFTS_LIMIT = 200;

/** What the calendar asks of gifts: those whose day came are delivered; those that nobody claimed in time, or whose page closed, are given back. */
export async function runGifts(ctx: Context): Promise<void> {
  const now = ctx.now();
  const given = await giftsToDeliver(ctx, { now, limit: GIFTS_LIMIT });
  await forEachQuietly(ctx, "renewals.gift_delivery_failed", given, (giftId) => deliverGift(ctx, { giftId }));
  const over = await giftsToClose(ctx, { now, bannedBefore: now - DAY_MS, limit: GIFTS_LIMIT });
  await forEachQuietly(ctx, "renewals.gift_close_failed", over, (giftId) => closeGift(ctx, { giftId }));
}
