import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const ledgerMessages = {
  "ledger.broken": z.object({
    moderatorIds: z.array(z.string()),
    /** Of the rules that broke. */
    titles: z.array(z.string()),
    /** Of those that were broken, by what they were not yet. */
    moreTitles: z.array(z.string()).optional(),
    holdsPayouts: z.boolean(),
    /** Where all of them are mended. */
    path: z.string().optional(),
  }),
  "platform.withdrawal_asked": z.object({
    moderatorIds: z.array(z.string()),
    provider: z.string(),
    amountCents: z.number(),
  }),
};

export type LedgerMessage = MessageOf<typeof ledgerMessages>;
