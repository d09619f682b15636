import { formatMoney } from "#app/domain/money.ts";
import type { LedgerMessage } from "#app/domain/ledger/schema/outbox.ts";
import type { NotificationRenderers } from "#app/domain/outbox.ts";

/** Notifications to moderators about the platform's own money. */
export const ledgerNotifications: NotificationRenderers<LedgerMessage> = {
  "platform.withdrawal_asked": (message) => {
    const body = `Uma retirada da plataforma de ${formatMoney(message.amountCents)}, do provedor ${message.provider}, espera outra pessoa aprovar.`;
    return message.moderatorIds.map((personId) => ({
      personId,
      kind: message.type,
      body,
      path: "/admin/ledger/platform",
      mail: null,
    }));
  },
};
