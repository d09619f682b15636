import { z } from "zod";
import { EVENT_MESSAGE_MAX } from "#app/domain/events/rules.ts";
import { cleanText } from "#app/domain/text.ts";

/** The message to everybody who comes. `messageId` is of the form: sent again, it is one message. */
export const eventMessageSchema = z.object({
  messageId: z.string().regex(/^[0-9a-f]{32}$/),
  text: z
    .string()
    .default("")
    .transform((text) => cleanText(text).trim())
    .pipe(
      z.string().min(1, "Campo obrigatório").max(EVENT_MESSAGE_MAX, "Use até 1.000 caracteres."),
    ),
});
