import { notifyUnread } from "./notify.server.ts";
import type { Step } from "#app/domain/retry-backoff/commands/steps.server.ts";

export const conversationSteps = {
  notifyUnread: {
    name: "messages.notify_unread",
    event: "notifications.messages_failed",
    run: notifyUnread,
  },
} satisfies Record<string, Step>;
