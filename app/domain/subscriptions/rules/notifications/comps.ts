import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import { formatDay } from "#app/domain/time.ts";
import type { CompMessage } from "#app/domain/subscriptions/schema/outbox/comps.ts";

/**
 * Notifications about a comp's start and end, without an email: nobody asked for it, and nothing is
 * to be paid.
 */
export const compNotifications: NotificationRenderers<CompMessage> = {
  "comp.given": (message) => [compNotification(message)],
  "comp.ended": (message) => [compNotification(message)],
};

function compNotification(message: CompMessage): NotificationDraft {
  const base = { personId: message.fanId, kind: message.type, mail: null };
  if (message.type === "comp.ended") {
    return {
      ...base,
      path: `/space/${message.creatorUsername}`,
      body: `A cortesia do plano ${message.planName}, de ${message.creatorName}, terminou.`,
    };
  }
  // A date this far means that it has no end.
  const until = message.endsAt > FAR ? "" : ` até ${formatDay(message.endsAt)}`;
  return {
    ...base,
    path: `/settings/subscriptions/${message.subscriptionId}`,
    body: `${message.creatorName} deu a você o plano ${message.planName} de cortesia${until}. Não custa nada, e você pode recusar.`,
  };
}

const FAR = Date.UTC(9000, 0, 1);
