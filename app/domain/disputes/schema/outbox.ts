import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const disputeMessages = {
  "dispute.due": z.object({
    disputeId: z.string(),
    creatorId: z.string(),
    amountCents: z.number(),
    description: z.string(),
    respondBy: z.number(),
  }),
  "dispute.answer_refused": z.object({
    disputeId: z.string(),
    creatorId: z.string(),
    amountCents: z.number(),
    description: z.string(),
  }),
};

export type DisputeMessage = MessageOf<typeof disputeMessages>;
