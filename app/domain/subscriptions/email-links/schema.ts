import { z } from "zod";
import type { Instant } from "#app/domain/time.ts";

/** What a link of a letter does, by a button on its page, for whoever holds it. */
const linkActs = ["pause", "cancel", "resume", "reactivate"] as const;
export type LinkAction = (typeof linkActs)[number];

/** Serves one subscription, for one act, until `until`. */
export type SubscriptionLink = { subscriptionId: string; act: LinkAction; until: Instant };

/** The address of a link, as its route reads it. */
export const linkParamsSchema = z.object({
  subscriptionId: z.string().regex(/^[0-9a-z-]{1,64}$/),
  act: z.enum(linkActs),
  until: z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number),
  signature: z.string().max(128),
});
export type LinkParams = z.infer<typeof linkParamsSchema>;
