import { z } from "zod";
import type { MailEvent } from "#app/domain/notifications/rules/addresses.ts";

const ADDRESS_MAX = 320;
const about = {
  metadata: z.object({ eventTimestamp: z.iso.datetime({ offset: true }) }),
};
const recipient = z.string().max(ADDRESS_MAX).includes("@");

/**
 * An event of the email service, as its event subscription puts it into the queue
 * `coreto-mail-events`: a bounce, or a complaint. Other events of email are read and mean nothing
 * here. Source: Cloudflare's docs, "Email Service: Event subscriptions".
 */
export const mailServiceEvent = z
  .union([
    z.object({
      type: z.literal("cf.email.sending.message.bounced"),
      payload: z.object({
        recipient,
        eventId: z.string().max(200),
        bounce: z.object({ type: z.string() }),
      }),
      ...about,
    }),
    z.object({
      type: z.literal("cf.email.sending.message.complained"),
      payload: z.object({ recipient, eventId: z.string().max(200) }),
      ...about,
    }),
  ])
  .transform((event) => ({
    type: "mail.reported" as const,
    id: event.payload.eventId,
    event: {
      type: event.type.endsWith(".bounced") ? "bounced" : "complained",
      address: event.payload.recipient,
      // What the service does not call hard is tried again.
      isPermanent: "bounce" in event.payload && event.payload.bounce.type === "hard",
      occurredAt: Date.parse(event.metadata.eventTimestamp),
    } satisfies MailEvent,
  }));

/** Writes such an event, for the local inbox. */
export const mailServiceMessage = ({
  id,
  type,
  address,
  isPermanent,
  occurredAt,
}: MailEvent & { id: string }): object => ({
  type: `cf.email.sending.message.${type}`,
  payload: {
    recipient: address,
    eventId: id,
    ...(type === "bounced" ? { bounce: { type: isPermanent ? "hard" : "soft" } } : {}),
  },
  metadata: { eventTimestamp: new Date(occurredAt).toISOString() },
});
