import { formatMoney } from "#app/domain/money.ts";
import type { NotificationDraft } from "#app/domain/outbox.ts";
import type { LifecycleMessage } from "#app/domain/subscriptions/schema/outbox/lifecycle.ts";
import { formatDay } from "#app/domain/time.ts";
import { newSubscriberNotification } from "./new-subscriber.ts";

/** Notifies both sides of the later start of a subscription paid during a gift or comp. */
export function upcomingNotifications(
  message: Extract<LifecycleMessage, { type: "subscription.started" }> & { beginsAt: number },
): NotificationDraft[] {
  const {
    type: kind,
    subscriptionId,
    fanId,
    fanName,
    creatorName,
    planName,
    amountCents,
    beginsAt,
  } = message;
  const day = formatDay(beginsAt);
  return [
    {
      personId: fanId,
      kind,
      body: `Sua assinatura ${planName}, de ${creatorName}, está paga e começa em ${day}.`,
      path: `/settings/subscriptions/${subscriptionId}`,
      mail: {
        subject: `Sua assinatura de ${creatorName} começa em ${day}`,
        body: [
          `Recebemos ${formatMoney(amountCents)} pelo plano ${planName}. O que você ganhou vale até ${day}, e a sua assinatura segue dali, sem intervalo.`,
          "Se mudar de ideia antes de começar, ou nos 7 primeiros dias, devolvemos tudo: é em Ajustes, Assinaturas.",
        ].join("\n\n"),
      },
    },
    newSubscriberNotification(message, `${fanName} assinou ${planName}, para começar em ${day}`),
  ];
}

/**
 * Notifies both sides that it will not start; neither learns of a block. When a refund is on its
 * way, its own email says the rest.
 */
export function upcomingCanceledNotifications({
  type: kind,
  subscriptionId,
  fanId,
  fanName,
  creatorId,
  creatorName,
  planName,
  refundCents,
  beginsAt,
}: Extract<LifecycleMessage, { type: "subscription.called_off" }>): NotificationDraft[] {
  const body = `Sua assinatura ${planName}, de ${creatorName}, não vai começar.`;
  return [
    {
      personId: fanId,
      kind,
      body:
        refundCents > 0
          ? `${body} Devolvemos ${formatMoney(refundCents)}: tudo o que você pagou por ela.`
          : body,
      path: `/settings/subscriptions/${subscriptionId}`,
      mail:
        refundCents > 0
          ? null
          : {
              subject: `Sua assinatura de ${creatorName} não vai começar`,
              body: `${body} Nada mais será cobrado.`,
            },
    },
    {
      personId: creatorId,
      kind,
      about: "subscriber",
      body: `A assinatura de ${fanName}, ${planName}, que ia começar em ${formatDay(beginsAt)}, não vai começar: o valor voltou para quem pagou.`,
      path: "/analytics",
      mail: null,
    },
  ];
}
