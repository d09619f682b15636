import { formatMoney } from "#app/domain/money.ts";
import type { NotificationRenderers } from "#app/domain/outbox.ts";
import type { ReconciliationMessage } from "#app/domain/reconciliation/schema/outbox.ts";

/** Notifications to moderators about differences with a provider. */
export const reconciliationNotifications: NotificationRenderers<ReconciliationMessage> = {
  "reconciliation.explanation_asked": (message) => {
    const body = `A explicação de uma diferença de ${formatMoney(message.gapCents)} com um provedor espera outra pessoa concordar.`;
    return message.moderatorIds.map((personId) => ({
      personId,
      kind: message.type,
      body,
      path: `/admin/reconciliation/${message.differenceId}`,
      mail: null,
    }));
  },
};
