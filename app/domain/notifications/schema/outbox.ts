import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const addressMessages = {
  "address.stopped": z.object({
    personId: z.string(),
    reason: z.enum(["bounced", "complained"]),
  }),
};

export type AddressMessage = MessageOf<typeof addressMessages>;
