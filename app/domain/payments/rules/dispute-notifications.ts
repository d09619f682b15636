import type { Told } from "#app/domain/outbox.ts";

export type DisputeWords = { subject: string; body: string };

/**
 * What happens to a disputed payment, as its seller hears it: each time with what they may do, and
 * until when.
 */
export const disputeTold = (
  message: { type: string; creatorId: string; disputeId: string; description: string },
  { subject, body }: DisputeWords,
): Told => ({
  personId: message.creatorId,
  kind: message.type,
  path: `/settings/transactions/disputes/${message.disputeId}`,
  body,
  mail: {
    subject,
    body: `${message.description}.\n\n${body}\n\nPara ver e responder: Ajustes, Extrato, Contestações.`,
  },
});
