import { quoted } from "#app/domain/text.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import { purchasedContentPath } from "#app/domain/purchases/rules.ts";
import type { SinglePurchaseMessage } from "#app/domain/purchases/schema/outbox/singles.ts";

/** Notifications about a bought post, collection or message, to its buyer and its seller. */
export const singlePurchaseNotifications: NotificationRenderers<SinglePurchaseMessage> = {
  "purchase.bought": boughtNotifications,
};

function boughtNotifications(message: SinglePurchaseMessage): NotificationDraft[] {
  return [
    {
      personId: message.buyerId,
      kind: message.type,
      body: `Você comprou ${quoted(message.title)}, de ${message.creatorName}.`,
      path: purchasedContentPath(message.kind, message.targetId),
      mail: {
        subject: `Sua compra de ${message.creatorName}`,
        body: [
          `Recebemos ${formatMoney(message.amountCents)} por ${quoted(message.title)}, de ${message.creatorName}.`,
          "É um pagamento só: não renova, e o que você comprou continua seu.",
          "Nos 7 primeiros dias, se mudar de ideia, devolvemos tudo: é em Ajustes, Compras.",
        ].join("\n\n"),
      },
    },
    {
      personId: message.creatorId,
      kind: message.type,
      about: "sale",
      body: `${message.buyerName} comprou ${quoted(message.title)} por ${formatMoney(message.amountCents)}.`,
      path: `/settings/transactions/${message.chargeId}`,
      mail: null,
    },
  ];
}
