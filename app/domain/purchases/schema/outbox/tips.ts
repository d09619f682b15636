import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const tipMessages = {
  "tip.given": z.object({
    tipId: z.string(),
    chargeId: z.string(),
    payerId: z.string(),
    payerName: z.string(),
    creatorId: z.string(),
    creatorName: z.string(),
    creatorUsername: z.string(),
    amountCents: z.number(),
    message: z.string(),
  }),
};

export type TipMessage = MessageOf<typeof tipMessages>;
