import { z } from "zod";
import { REQUEST_REPLY_MAX } from "./rules.ts";
import type { Answer } from "#app/domain/events/questions/rules.ts";
import { cleanText } from "#app/domain/text.ts";
import type { Instant } from "#app/domain/time.ts";

/** The form of an answer to a request. */
export const requestReplySchema = z.object({
  reply: z
    .string()
    .default("")
    .transform((typed) => cleanText(typed).trim())
    .pipe(z.string().max(REQUEST_REPLY_MAX, `Use até ${REQUEST_REPLY_MAX} caracteres.`)),
});

/** A request as the creator's list shows it. */
export type ListedRequest = {
  personId: string;
  name: string;
  username: string;
  quantity: number;
  kindName: string | null;
  requestedAt: Instant;
  answers: Answer[];
};
