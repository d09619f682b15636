import type { NotificationRenderers } from "#app/domain/outbox.ts";
import type { ProductNewsMessage } from "#app/domain/product-news/schema/outbox.ts";

/** Lists a piece of news for everybody who did not switch news off. */
export const productNewsNotifications: NotificationRenderers<ProductNewsMessage> = {
  "product_news.sent": ({ type: kind, newsId, text, path }) => ({ newsId, kind, body: text, path }),
};
