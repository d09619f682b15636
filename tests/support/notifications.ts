import { goesToMany } from "#app/domain/outbox.ts";
import type { NotificationDraft } from "#app/domain/outbox.ts";
import { renderNotifications } from "#app/notification-registry.ts";
import type { OutboxMessage } from "#app/notification-registry.ts";

/** The notifications of an outbox message. Empty for those that go to many. */
export function notificationsFor(message: OutboxMessage): readonly NotificationDraft[] {
  const rendered = renderNotifications(message);
  return goesToMany(rendered) ? [] : rendered;
}
