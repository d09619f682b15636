import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const moderationMessages = {
  "person.banned": z.object({ personId: z.string(), reason: z.string() }),
  "person.unbanned": z.object({ personId: z.string() }),
};

export type ModerationMessage = MessageOf<typeof moderationMessages>;
