import { closeGift, deliverGift } from "#app/domain/purchases/commands/end-gift.server.ts";
import { giftsToClose, giftsToDeliver } from "#app/domain/purchases/queries/gifts.server.ts";
import { DAY_MS } from "#app/domain/time.ts";
import { eachDue } from "#workers/steps.ts";
import type { Step } from "#workers/steps.ts";

const GIFTS_LIMIT = 200;

/**
 * What the calendar asks of gifts: those whose day came are delivered; those that nobody claimed in
 * time, or whose page closed, are given back.
 */
export const GIFT_STEPS: readonly Step[] = [
  eachDue("renewals.gift_delivery_failed", {
    due: (ctx, now) => giftsToDeliver(ctx, { now, limit: GIFTS_LIMIT }),
    each: (ctx, giftId) => deliverGift(ctx, { giftId }),
  }),
  eachDue("renewals.gift_close_failed", {
    due: (ctx, now) => giftsToClose(ctx, { now, bannedBefore: now - DAY_MS, limit: GIFTS_LIMIT }),
    each: (ctx, giftId) => closeGift(ctx, { giftId }),
  }),
];
