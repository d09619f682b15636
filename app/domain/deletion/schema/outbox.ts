import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

const aboutDeletion = z.object({
  deletionId: z.string(),
  personId: z.string(),
  dueAt: z.number(),
  lines: z.array(z.string()),
  keepUrl: z.string(),
});

export const deletionMessages = {
  "deletion.requested": aboutDeletion,
  "deletion.reminded": aboutDeletion,
  "deletion.canceled": z.object({ deletionId: z.string(), personId: z.string() }),
};

export type DeletionMessage = MessageOf<typeof deletionMessages>;
