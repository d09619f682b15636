import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const productNewsMessages = {
  "product_news.sent": z.object({ newsId: z.string(), text: z.string(), path: z.string() }),
  /** `from` is the day of the change in words. */
  "terms.announced": z.object({ version: z.string(), from: z.string() }),
};

export type ProductNewsMessage = MessageOf<typeof productNewsMessages>;
