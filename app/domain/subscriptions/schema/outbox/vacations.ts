import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";
import { aboutSubscription } from "./about.ts";

export const vacationMessages = {
  "vacation.began": z.object({
    ...aboutSubscription,
    /** The return that is announced. */
    until: z.number(),
    days: z.number(),
    accessUntil: z.number(),
    /** Null for what does not renew. */
    nextChargeAt: z.number().nullable(),
  }),
  "vacation.cut_short": z.object({
    ...aboutSubscription,
    /** What is left of the days that its period was extended by. */
    days: z.number(),
    accessUntil: z.number(),
    nextChargeAt: z.number().nullable(),
  }),
};

export type VacationMessage = MessageOf<typeof vacationMessages>;
