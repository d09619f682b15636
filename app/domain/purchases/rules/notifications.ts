import type { NotificationRenderers } from "#app/domain/outbox.ts";
import type { PurchaseMessage } from "#app/domain/purchases/schema/outbox.ts";
import { giftNotifications } from "./notifications/gifts.ts";
import { singlePurchaseNotifications } from "./notifications/singles.ts";
import { tipNotifications } from "./notifications/tips.ts";

/** Notifications about bought posts and collections, tips and gifts. */
export const purchaseNotifications: NotificationRenderers<PurchaseMessage> = {
  ...giftNotifications,
  ...singlePurchaseNotifications,
  ...tipNotifications,
};
