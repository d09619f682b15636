import { quoted } from "#app/domain/text.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { MailText, NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import type { TipMessage } from "#app/domain/purchases/schema/outbox/tips.ts";

/** Notifications about a tip, to its giver and its receiver. */
export const tipNotifications: NotificationRenderers<TipMessage> = {
  "tip.given": draftTipNotifications,
};

function draftTipNotifications({ type: kind, chargeId, ...tip }: TipMessage): NotificationDraft[] {
  const path = `/settings/transactions/${chargeId}`;
  const amount = formatMoney(tip.amountCents);
  const received = `${tip.payerName} apoiou você com ${amount}`;
  const withMessage = `${received}${tip.message ? `: ${quoted(tip.message)}` : "."}`;
  return [
    {
      personId: tip.payerId,
      kind,
      body: `Seu apoio de ${amount} chegou a ${tip.creatorName}.`,
      path,
      mail: {
        subject: `Seu apoio a ${tip.creatorName}`,
        body: [
          `Recebemos ${amount} para ${tip.creatorName}.`,
          "É um pagamento só: nada renova.",
          "Nos 7 primeiros dias, se mudar de ideia, devolvemos tudo: é em Ajustes, Extrato.",
        ].join("\n\n"),
      },
    },
    {
      personId: tip.creatorId,
      kind,
      about: "sale",
      body: withMessage,
      path,
      mail: receivedMail(received, withMessage),
      ifBlocked: {
        fromId: tip.payerId,
        body: `${received}.`,
        mail: receivedMail(received, `${received}.`),
      },
    },
  ];
}

const receivedMail = (subject: string, first: string): MailText => ({
  subject,
  body: [first, "Veja quanto fica com você e quando fica livre em Ajustes, Extrato."].join("\n\n"),
});
