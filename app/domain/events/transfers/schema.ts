import { z } from "zod";
import { emailSchema, usernameSchema } from "#app/domain/identity/schema.ts";
import type { EventStatus } from "#app/domain/events/rules.ts";
import type { Instant } from "#app/domain/time.ts";

/** Who gets a ticket: a member, or whoever opens the link that is sent to an address. */
export type Receiver = { username: string } | { email: string };

/** The form "Passar adiante". A name with an @ in its middle is an address. */
export const transferSchema = z.object({
  to: z
    .string()
    .trim()
    .default("")
    .transform((text, check): Receiver => {
      const isAddress = text.includes("@", 1);
      const parsed = isAddress
        ? emailSchema.safeParse(text)
        : usernameSchema.safeParse(text.replace(/^@/, ""));
      if (parsed.success) return isAddress ? { email: parsed.data } : { username: parsed.data };
      check.addIssue({
        code: "custom",
        message:
          text === ""
            ? "Campo obrigatório"
            : "Escreva um nome de usuário, como @bia, ou um e-mail.",
      });
      return z.NEVER;
    }),
});

/** A ticket that somebody passes on, as its receiver sees it. */
export type Transfer = {
  id: string;
  eventId: string;
  eventTitle: string;
  startsAt: Instant;
  endsAt: Instant;
  timeZone: string;
  place: string;
  status: EventStatus;
  kindName: string | null;
  giverId: string;
  giverName: string;
  isOpen: boolean;
};
