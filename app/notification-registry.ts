import { analyticsNotifications } from "#app/domain/analytics/rules/notifications.ts";
import { analyticsMessages } from "#app/domain/analytics/schema/outbox.ts";
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
import { eventNotifications } from "#app/domain/events/rules/notifications.ts";
import { eventMessages } from "#app/domain/events/schema/outbox.ts";
import { auditNotifications } from "#app/domain/audit/rules/notifications.ts";
import { auditMessages } from "#app/domain/audit/schema/outbox.ts";
import { ledgerNotifications } from "#app/domain/ledger/rules/notifications.ts";
import { ledgerMessages } from "#app/domain/ledger/schema/outbox.ts";
import { conversationNotifications } from "#app/domain/messages/rules/notifications.ts";
import { conversationMessages } from "#app/domain/messages/schema/outbox.ts";
import { moderationNotifications } from "#app/domain/moderation/rules/notifications.ts";
import { moderationMessages } from "#app/domain/moderation/schema/outbox.ts";
import { addressNotifications } from "#app/domain/notifications/rules/notifications.ts";
import { addressMessages } from "#app/domain/notifications/schema/outbox.ts";
import type { NotificationKind } from "#app/domain/notifications/rules/kinds.ts";
import { goesToMany } from "#app/domain/outbox.ts";
import type {
  MessageOf,
  NotificationRenderers,
  Rendered,
  RenderedNotifications,
} from "#app/domain/outbox.ts";
import { paymentNotifications } from "#app/domain/payments/rules/notifications.ts";
import { paymentMessages } from "#app/domain/payments/schema/outbox.ts";
import { payoutNotifications } from "#app/domain/payouts/rules/notifications.ts";
import { payoutMessages } from "#app/domain/payouts/schema/outbox.ts";
import { planNotifications } from "#app/domain/plans/rules/notifications.ts";
import { planMessages } from "#app/domain/plans/schema/outbox.ts";
import { postNotifications } from "#app/domain/posts/rules/notifications.ts";
import { postMessages } from "#app/domain/posts/schema/outbox.ts";
import { productNewsNotifications } from "#app/domain/product-news/rules/notifications.ts";
import { productNewsMessages } from "#app/domain/product-news/schema/outbox.ts";
import { profileNotifications } from "#app/domain/profiles/rules/notifications.ts";
import { profileMessages } from "#app/domain/profiles/schema/outbox.ts";
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
  ...addressMessages,
  ...analyticsMessages,
  ...broadcastMessages,
  ...commentMessages,
  ...conversationMessages,
  ...deletionMessages,
  ...disputeMessages,
  ...documentMessages,
  ...eventMessages,
  ...fiscalMessages,
  ...auditMessages,
  ...ledgerMessages,
  ...moderationMessages,
  ...paymentMessages,
  ...payoutMessages,
  ...planMessages,
  ...postMessages,
  ...productNewsMessages,
  ...profileMessages,
  ...purchaseMessages,
  ...reconciliationMessages,
  ...subscriptionMessages,
  ...teamMessages,
};

export type OutboxMessage = MessageOf<typeof MESSAGES>;
type MessageType = OutboxMessage["type"];

export const RENDERERS: NotificationRenderers<OutboxMessage> = {
  ...addressNotifications,
  ...analyticsNotifications,
  ...broadcastNotifications,
  ...commentNotifications,
  ...conversationNotifications,
  ...deletionNotifications,
  ...disputeNotifications,
  ...documentNotifications,
  ...eventNotifications,
  ...fiscalNotifications,
  ...auditNotifications,
  ...ledgerNotifications,
  ...moderationNotifications,
  ...paymentNotifications,
  ...payoutNotifications,
  ...planNotifications,
  ...postNotifications,
  ...productNewsNotifications,
  ...profileNotifications,
  ...purchaseNotifications,
  ...reconciliationNotifications,
  ...subscriptionNotifications,
  ...teamNotifications,
};

/** What each message is about. A notification to somebody else than its main reader says its own. */
const KIND_OF: Record<MessageType, NotificationKind> = {
  "address.stopped": "security",
  "analytics.week": "summary",
  "post.commented": "comment",
  "comment.replied": "reply",
  "comment.mentioned": "mention",
  "conversation.unread": "message",
  "broadcast.delivered": "message",
  "deletion.requested": "security",
  "deletion.reminded": "security",
  "deletion.canceled": "security",
  "dispute.due": "dispute",
  "dispute.answer_refused": "dispute",
  "documents.decided": "document",
  "documents.deadline": "document",
  "documents.ending": "document",
  "documents.ended": "document",
  "documents.contest_comes": "document",
  "documents.contest_over": "document",
  "documents.contest_late": "staff",
  "event.seat_taken": "event",
  "event.ticket_offered": "event",
  "event.ticket_mailed": "event",
  "event.ticket_accepted": "event",
  "event.ticket_voided": "event",
  "event.seat_offered": "event",
  "event.seat_requested": "event",
  "event.request_approved": "event",
  "event.request_refused": "event",
  "event.offer_ended": "event",
  "event.changed": "event",
  "event.canceled": "event",
  "event.message_sent": "event",
  "event.page_closed": "event",
  "event.reminded": "event",
  "fiscal.no_issuer": "staff",
  "fiscal.late": "staff",
  "ledger.broken": "staff",
  "platform.withdrawal_asked": "staff",
  "person.banned": "moderation",
  "person.unbanned": "moderation",
  "report.decided": "moderation",
  "report.appealed": "moderation",
  "content.moderated": "moderation",
  "appeal.decided": "moderation",
  "charge.to_confirm": "payment",
  "charge.refunded": "payment",
  "charge.refund_refused": "failure",
  "refund.key_asked": "failure",
  "refund.transferred": "payment",
  "charge.disputed": "dispute",
  "dispute.decided": "dispute",
  "debt.paid": "payment",
  "fee.changed": "payment",
  "payout.paid": "payout",
  "payout.failed": "failure",
  "payout.returned": "failure",
  "payout.held": "failure",
  "payouts.held": "failure",
  "payouts.released": "payout",
  "payout.canceled": "failure",
  "payout.ended": "failure",
  "payout.approval_asked": "staff",
  "withdrawal.changed": "security",
  "payout.requested": "security",
  "subscription.full_price": "payment",
  "post.published": "post",
  "post.opened": "post",
  "post.mailed": "post",
  "post.liked": "like",
  "product_news.sent": "news",
  "terms.announced": "terms",
  "profile.followed": "follow",
  "gift.bought": "payment",
  "gift.delivered": "gift",
  "gift.claimed": "gift",
  "gift.taken_back": "payment",
  "purchase.bought": "payment",
  "tip.given": "payment",
  "reconciliation.explanation_asked": "staff",
  "comp.given": "gift",
  "comp.ended": "gift",
  "subscription.started": "payment",
  "subscription.ended": "payment",
  "subscription.begun": "payment",
  "subscription.beginning_moved": "payment",
  "subscription.called_off": "payment",
  "subscription.canceled": "payment",
  "subscription.paused": "payment",
  "subscription.resumed": "payment",
  "subscription.reactivated": "payment",
  "subscription.closed": "payment",
  "subscription.debit_refused": "failure",
  "subscription.automatic": "payment",
  "subscription.plan_changed": "payment",
  "subscription.plan_change_scheduled": "payment",
  "subscription.plan_change_dropped": "payment",
  "subscription.price_asked": "payment",
  "subscription.price_lowered": "payment",
  "subscription.price_answered": "payment",
  "subscription.renewal_due": "payment",
  "subscription.renewal_to_confirm": "payment",
  "subscription.renewal_failed": "failure",
  "subscription.reminded": "payment",
  "subscription.tax_id_missing": "failure",
  "subscription.past_due": "failure",
  "subscription.renewed": "payment",
  "trial.started": "payment",
  "trial.charged": "payment",
  "trial.to_confirm": "payment",
  "vacation.began": "payment",
  "vacation.cut_short": "payment",
  "team.invited": "team",
  "team.joined": "team",
  "team.requested": "team",
  "team.request_decided": "team",
  "team.removed": "team",
  "team.billing_granted": "security",
};

/** Renders a stored message. Throws for a type that no module declares, or a missing field. */
export function renderNotifications(stored: Record<string, unknown>): RenderedNotifications {
  const { type } = stored;
  if (!isDeclared(type)) throw new Error(`no module declares the outbox message ${String(type)}`);
  const rendered = rendererOf(type)({ type, ...MESSAGES[type].parse(stored) });
  return goesToMany(rendered)
    ? rendered
    : rendered.map((draft) => ({ ...draft, about: draft.about ?? KIND_OF[type] }));
}

const isDeclared = (type: unknown): type is MessageType =>
  typeof type === "string" && Object.hasOwn(MESSAGES, type);

/** The schema and the renderer of a type belong together, which the compiler cannot see. */
const rendererOf = (type: MessageType) =>
  RENDERERS[type] as (message: { type: MessageType }) => Rendered;
