import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const auditMessages = {
  "ledger.broken": z.object({
    moderatorIds: z.array(z.string()),
    /** Titles of the invariants that broke. */
    titles: z.array(z.string()),
    /** Titles of those that were broken before and have new violations. */
    moreTitles: z.array(z.string()).optional(),
    holdsPayouts: z.boolean(),
    /** The page that lists them. */
    path: z.string().optional(),
  }),
};

export type AuditMessage = MessageOf<typeof auditMessages>;
