import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";

export const profileMessages = {
  "profile.followed": z.object({
    creatorId: z.string(),
    followerId: z.string(),
    followerName: z.string(),
  }),
};

export type ProfileMessage = MessageOf<typeof profileMessages>;
