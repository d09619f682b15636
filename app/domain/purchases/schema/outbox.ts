import type { MessageOf } from "#app/domain/outbox.ts";
import { giftMessages } from "./outbox/gifts.ts";
import { singlePurchaseMessages } from "./outbox/singles.ts";
import { tipMessages } from "./outbox/tips.ts";

export const purchaseMessages = {
  ...giftMessages,
  ...singlePurchaseMessages,
  ...tipMessages,
};

export type PurchaseMessage = MessageOf<typeof purchaseMessages>;
