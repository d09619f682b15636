import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { z } from "zod";
import { SECOND_FACTOR_WAIT_MS } from "#app/domain/identity/sign-in/rules/second-factor.ts";
import type { Instant } from "#app/domain/time.ts";

const ticketSchema = z.object({
  purpose: z.literal("second-factor"),
  userId: z.string(),
  expiresAt: z.number(),
});

/**
 * Creates an encrypted ticket: its bearer has just typed the correct password of `userId`. It is
 * useless without a code.
 */
export function ticketFor(
  { secret, now }: { secret: string; now: Instant },
  userId: string,
): Promise<string> {
  const ticket: z.infer<typeof ticketSchema> = {
    purpose: "second-factor",
    userId,
    expiresAt: now + SECOND_FACTOR_WAIT_MS,
  };
  return symmetricEncrypt({ key: secret, data: JSON.stringify(ticket) });
}

/** The user of a ticket; null if it is forged or older than ten minutes. */
export async function userOfTicket(
  { secret, now }: { secret: string; now: Instant },
  ticket: string,
): Promise<string | null> {
  try {
    const read = ticketSchema.safeParse(
      JSON.parse(await symmetricDecrypt({ key: secret, data: ticket })),
    );
    return read.success && now < read.data.expiresAt ? read.data.userId : null;
  } catch {
    return null;
  }
}
