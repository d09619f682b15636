import { z } from "zod";
import type { MessageOf } from "#app/domain/outbox.ts";
import { aboutSubscription } from "./about.ts";

export const compMessages = {
  "comp.given": z.object({ ...aboutSubscription, endsAt: z.number() }),
  "comp.ended": z.object({ ...aboutSubscription, creatorUsername: z.string() }),
};

export type CompMessage = MessageOf<typeof compMessages>;
