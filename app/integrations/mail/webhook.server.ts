import { Webhook } from "standardwebhooks";
import { z } from "zod";
import type { MailEvent } from "#app/domain/notifications/rules/addresses.ts";

const ADDRESS_MAX = 320;

const eventSchema = z.object({
  type: z.enum(["email.bounced", "email.complained"]),
  timestamp: z.iso.datetime({ offset: true }),
  data: z.object({
    email: z.email().max(ADDRESS_MAX),
    /** A bounce that the service does not try again. */
    permanent: z.boolean().default(true),
  }),
});

/**
 * Verifies a webhook of the email service: signed as Standard Webhooks say, with any of `secrets`,
 * within five minutes of now. Returns its event; `null` for other events of email, such as a
 * delivery; `"refused"` for a wrong signature, or an unexpected shape.
 */
export function verifyMailWebhook(
  secrets: readonly string[],
  headers: Headers,
  rawBody: string,
): MailEvent | null | "refused" {
  const body = verified(secrets, headers, rawBody);
  const kind = z.object({ type: z.string().startsWith("email.") }).safeParse(body);
  if (!kind.success) return "refused";
  if (kind.data.type !== "email.bounced" && kind.data.type !== "email.complained") return null;
  const event = eventSchema.safeParse(body);
  if (!event.success) return "refused";
  const { type, timestamp, data } = event.data;
  return {
    type: type === "email.bounced" ? "bounced" : "complained",
    address: data.email,
    isPermanent: data.permanent,
    occurredAt: Date.parse(timestamp),
  };
}

/** The bytes that the local inbox signs, as the email service would. */
export function signedMailEvent(
  secret: string,
  { id, type, address, isPermanent, occurredAt }: MailEvent & { id: string },
): { headers: Record<string, string>; body: string } {
  const sentAt = new Date(occurredAt);
  const body = JSON.stringify({
    type: `email.${type}`,
    timestamp: sentAt.toISOString(),
    data: { email: address, permanent: isPermanent },
  });
  return {
    body,
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(occurredAt / 1_000)),
      "webhook-signature": new Webhook(secret).sign(id, sentAt, body),
    },
  };
}

function verified(secrets: readonly string[], headers: Headers, rawBody: string): unknown {
  const signed = Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [
      name,
      headers.get(name) ?? "",
    ]),
  );
  for (const secret of secrets) {
    try {
      return new Webhook(secret).verify(rawBody, signed);
    } catch {
      // Another of the secrets may have signed it.
    }
  }
  return undefined;
}
