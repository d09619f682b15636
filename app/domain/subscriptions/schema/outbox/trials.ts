import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";
import { aboutSubscription } from "./about.ts";

export const trialMessages = {
  "trial.started": z.object({
    ...aboutSubscription,
    fanName: z.string(),
    creatorId: z.string(),
    welcomeMessage: z.string(),
    days: z.number(),
    endsAt: z.number(),
    amountCents: z.number(),
    /** "por mês". */
    intervalWords: z.string(),
    isByCard: z.boolean(),
    isByPix: z.boolean(),
    appOrigin: z.string(),
  }),
  "trial.charged": z.object({
    ...aboutSubscription,
    fanName: z.string(),
    creatorId: z.string(),
    amountCents: z.number(),
    appOrigin: z.string(),
  }),
  "trial.to_confirm": z.object({
    setupId: z.string(),
    personId: z.string(),
    creatorName: z.string(),
    planName: z.string(),
    /** When it expires. */
    confirmUntil: z.number(),
    appOrigin: z.string(),
  }),
};

export type TrialMessage = MessageOf<typeof trialMessages>;
