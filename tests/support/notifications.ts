import type { NotificationDraft } from "#app/domain/outbox.ts";
import { renderNotifications } from "#app/notification-registry.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";

/** Whom a message is told to by name, and in which words. */
export function toldTo(message: OutboxMessage): readonly NotificationDraft[] {
  const rendered = renderNotifications(message);
  return "postId" in rendered ? [] : rendered;
}
