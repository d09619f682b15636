import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";
import { aboutSubscription } from "./about.ts";

export const vacationMessages = {
  "vacation.began": z.object({
    ...aboutSubscription,
    /** The announced return. */
    until: z.number(),
    days: z.number(),
    accessUntil: z.number(),
    /** Null when it does not renew. */
    nextChargeAt: z.number().nullable(),
  }),
  "vacation.cut_short": z.object({
    ...aboutSubscription,
    /** How many days of the period's extension remain. */
    days: z.number(),
    accessUntil: z.number(),
    nextChargeAt: z.number().nullable(),
  }),
};

export type VacationMessage = MessageOf<typeof vacationMessages>;
