import { broadcastNotifications } from "#app/domain/broadcasts/rules/notifications.ts";
import { broadcastMessages } from "#app/domain/broadcasts/schema/outbox.ts";
import { commentNotifications } from "#app/domain/comments/rules/notifications.ts";
import { commentMessages } from "#app/domain/comments/schema/outbox.ts";
import { deletionNotifications } from "#app/domain/deletion/rules/notifications.ts";
import { deletionMessages } from "#app/domain/deletion/schema/outbox.ts";
import { disputeNotifications } from "#app/domain/disputes/rules/notifications.ts";
import { disputeMessages } from "#app/domain/disputes/schema/outbox.ts";
import { documentNotifications } from "#app/domain/documents/rules/notifications.ts";
import { documentMessages } from "#app/domain/documents/schema/outbox.ts";
import { fiscalNotifications } from "#app/domain/fiscal/rules/notifications.ts";
import { fiscalMessages } from "#app/domain/fiscal/schema/outbox.ts";
import { auditNotifications } from "#app/domain/audit/rules/notifications.ts";
import { auditMessages } from "#app/domain/audit/schema/outbox.ts";
import { ledgerNotifications } from "#app/domain/ledger/rules/notifications.ts";
import { ledgerMessages } from "#app/domain/ledger/schema/outbox.ts";
import { conversationNotifications } from "#app/domain/messages/rules/notifications.ts";
import { conversationMessages } from "#app/domain/messages/schema/outbox.ts";
import { moderationNotifications } from "#app/domain/moderation/rules/notifications.ts";
import { moderationMessages } from "#app/domain/moderation/schema/outbox.ts";
import type { MessageOf, NotificationRenderers, Rendered } from "#app/domain/outbox.ts";
import { paymentNotifications } from "#app/domain/payments/rules/notifications.ts";
import { paymentMessages } from "#app/domain/payments/schema/outbox.ts";
import { payoutNotifications } from "#app/domain/payouts/rules/notifications.ts";
import { payoutMessages } from "#app/domain/payouts/schema/outbox.ts";
import { planNotifications } from "#app/domain/plans/rules/notifications.ts";
import { planMessages } from "#app/domain/plans/schema/outbox.ts";
import { postNotifications } from "#app/domain/posts/rules/notifications.ts";
import { postMessages } from "#app/domain/posts/schema/outbox.ts";
import { purchaseNotifications } from "#app/domain/purchases/rules/notifications.ts";
import { purchaseMessages } from "#app/domain/purchases/schema/outbox.ts";
import { reconciliationNotifications } from "#app/domain/reconciliation/rules/notifications.ts";
import { reconciliationMessages } from "#app/domain/reconciliation/schema/outbox.ts";
import { subscriptionNotifications } from "#app/domain/subscriptions/rules/notifications.ts";
import { subscriptionMessages } from "#app/domain/subscriptions/schema/outbox.ts";
import { teamNotifications } from "#app/domain/teams/rules/notifications.ts";
import { teamMessages } from "#app/domain/teams/schema/outbox.ts";

/**
 * The messages of all modules. A module declares its own in `schema/outbox.ts`, each a zod object
 * by its type, and announces no others. Their texts are in its `rules/notifications.ts`. The two
 * are joined only here. The union of messages is inferred, and the compiler reports a message
 * without a renderer. The notifications module knows none of them: the Context gives it
 * `renderNotifications`. A type never changes. A field that is added later has a default, so that
 * older rows can still be parsed.
 */
export const MESSAGES = {
  ...broadcastMessages,
  ...commentMessages,
  ...conversationMessages,
  ...deletionMessages,
  ...disputeMessages,
  ...documentMessages,
  ...fiscalMessages,
  ...auditMessages,
  ...ledgerMessages,
  ...moderationMessages,
  ...paymentMessages,
  ...payoutMessages,
  ...planMessages,
  ...postMessages,
  ...purchaseMessages,
  ...reconciliationMessages,
  ...subscriptionMessages,
  ...teamMessages,
};

export type OutboxMessage = MessageOf<typeof MESSAGES>;
type MessageType = OutboxMessage["type"];

export const RENDERERS: NotificationRenderers<OutboxMessage> = {
  ...broadcastNotifications,
  ...commentNotifications,
  ...conversationNotifications,
  ...deletionNotifications,
  ...disputeNotifications,
  ...documentNotifications,
  ...fiscalNotifications,
  ...auditNotifications,
  ...ledgerNotifications,
  ...moderationNotifications,
  ...paymentNotifications,
  ...payoutNotifications,
  ...planNotifications,
  ...postNotifications,
  ...purchaseNotifications,
  ...reconciliationNotifications,
  ...subscriptionNotifications,
  ...teamNotifications,
};

/** Renders a stored message. Throws for a type that no module declares, or a missing field. */
export function renderNotifications(stored: Record<string, unknown>): Rendered {
  const { type } = stored;
  if (!isDeclared(type)) throw new Error(`no module declares the outbox message ${String(type)}`);
  return rendererOf(type)({ type, ...MESSAGES[type].parse(stored) });
}

const isDeclared = (type: unknown): type is MessageType =>
  typeof type === "string" && Object.hasOwn(MESSAGES, type);

/** The schema and the renderer of a type belong together, which the compiler cannot see. */
const rendererOf = (type: MessageType) =>
  RENDERERS[type] as (message: { type: MessageType }) => Rendered;
