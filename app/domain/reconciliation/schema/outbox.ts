import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const reconciliationMessages = {
  "reconciliation.explanation_asked": z.object({
    differenceId: z.string(),
    moderatorIds: z.array(z.string()),
    gapCents: z.number(),
  }),
};

export type ReconciliationMessage = MessageOf<typeof reconciliationMessages>;
