import { z } from "zod";

/** The fields of nearly every message about a subscription. */
export const aboutSubscription = {
  subscriptionId: z.string(),
  fanId: z.string(),
  creatorName: z.string(),
  planName: z.string(),
};
