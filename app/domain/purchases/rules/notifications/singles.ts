import { quoted } from "#app/domain/text.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import { purchasedContentPath } from "#app/domain/purchases/rules.ts";
import type { SinglePurchaseMessage } from "#app/domain/purchases/schema/outbox/singles.ts";

/** Notifications about a bought post, collection or message, to its buyer and its seller. */
export const singlePurchaseNotifications: NotificationRenderers<SinglePurchaseMessage> = {
  "purchase.bought": boughtNotifications,
};

const BOUGHT_TEXT = [
  "É um pagamento só: não renova, e o que você comprou continua seu.",
  "Nos 7 primeiros dias, se mudar de ideia, devolvemos tudo: é em Ajustes, Compras.",
];
const TICKETS_TEXT = [
  "Os ingressos, com a hora, o lugar e o QR code de cada um, estão no link abaixo. Avisamos você na véspera e um pouco antes do começo.",
  "Se não puder ir, cancele por lá: a página do evento diz até quando o dinheiro volta.",
];

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
          ...(message.kind === "event" ? TICKETS_TEXT : BOUGHT_TEXT),
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
