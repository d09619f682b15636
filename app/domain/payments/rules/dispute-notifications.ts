import type { NotificationDraft } from "#app/domain/outbox.ts";

export type DisputeEmailText = { subject: string; body: string };

/**
 * Builds the notification of a disputed payment to its seller, with what they can do and until
 * when.
 */
export const disputeNotification = (
  message: { type: string; creatorId: string; disputeId: string; description: string },
  { subject, body }: DisputeEmailText,
): NotificationDraft => ({
  personId: message.creatorId,
  kind: message.type,
  path: `/settings/transactions/disputes/${message.disputeId}`,
  body,
  mail: {
    subject,
    body: `${message.description}.\n\n${body}\n\nPara ver e responder: Ajustes, Extrato, Contestações.`,
  },
});
