import { z } from "zod";
import type { Instant } from "#app/domain/time.ts";

/** The action of an email link, by a button on its page, for whoever holds it. */
const linkActs = ["pause", "cancel", "resume", "reactivate"] as const;
export type LinkAction = (typeof linkActs)[number];

/** Valid for one subscription and one action, until `until`. */
export type SubscriptionLink = { subscriptionId: string; act: LinkAction; until: Instant };

/** The URL of a link, as its route parses it. */
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
