import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const ledgerMessages = {
  "platform.withdrawal_asked": z.object({
    moderatorIds: z.array(z.string()),
    provider: z.string(),
    amountCents: z.number(),
  }),
};

export type LedgerMessage = MessageOf<typeof ledgerMessages>;
