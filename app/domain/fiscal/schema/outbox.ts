import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const fiscalMessages = {
  "fiscal.no_issuer": z.object({
    moderatorIds: z.array(z.string()),
    /** `YYYY-MM`: the first month that waits. */
    month: z.string(),
    /** Names of the missing variables. */
    missing: z.array(z.string()).readonly(),
  }),
  "fiscal.late": z.object({
    moderatorIds: z.array(z.string()),
    /** `YYYY-MM`. */
    month: z.string(),
    why: z.enum(["not_written", "not_taken"]),
    /** ISO date. */
    dueOn: z.string(),
  }),
};

export type FiscalMessage = MessageOf<typeof fiscalMessages>;
