import { formatMoney } from "#app/domain/money.ts";
import { OTHERS_COUNT } from "#app/domain/outbox.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import type { TrialMessage } from "#app/domain/subscriptions/schema/outbox/trials.ts";
import { newSubscriberNotification } from "./new-subscriber.ts";
import { welcomeText } from "./welcome.ts";

/**
 * Notifications about trials to the fan: waiting for a bank, started, or charged. The creator is
 * also notified of the start and the first payment.
 */
export const trialNotifications: NotificationRenderers<TrialMessage> = {
  "trial.started": startedNotifications,
  "trial.charged": chargedNotifications,
  "trial.to_confirm": (message) => [toConfirmNotification(message)],
};

const pageOf = ({ subscriptionId }: { subscriptionId: string }): string =>
  `/settings/subscriptions/${subscriptionId}`;

function startedNotifications(
  message: Extract<TrialMessage, { type: "trial.started" }>,
): NotificationDraft[] {
  const {
    fanId,
    fanName,
    creatorId,
    creatorName,
    planName,
    endsAt,
    amountCents,
    intervalWords: intervalLabel,
    isByCard,
    isByPix,
    appOrigin,
  } = message;
  const price = `${formatMoney(amountCents)} ${intervalLabel}`;
  const after = isByCard
    ? `Em ${formatDay(endsAt)} cobramos ${formatMoney(amountCents)} no cartão que você autorizou, e a assinatura segue por ${price}.`
    : isByPix
      ? `Nada será cobrado sozinho: uns dias antes do fim mandamos um código Pix de ${formatMoney(amountCents)}. Sem o pagamento, termina em ${formatDay(endsAt)}.`
      : `Nada será cobrado: termina sozinho em ${formatDay(endsAt)}. Depois disso, para continuar, é só assinar por ${price}.`;
  return [
    {
      personId: fanId,
      kind: message.type,
      body: [
        `Seu período grátis de ${planName}, de ${creatorName}, vai até ${formatDay(endsAt)}.`,
        ...welcomeText(message),
      ].join(" "),
      path: pageOf(message),
      mail: {
        subject: `Seu período grátis de ${creatorName} começou`,
        body: [
          `Você vê tudo do plano ${planName} até ${formatDay(endsAt)}, e hoje não pagou nada.`,
          after,
          ...welcomeText(message),
          `Não quer continuar? Cancele quando quiser, e os dias grátis ficam com você até o fim: ${appOrigin}${pageOf(message)}/cancellation`,
        ].join("\n\n"),
      },
    },
    {
      personId: creatorId,
      kind: message.type,
      about: "subscriber",
      body: `${fanName} começou o período grátis de ${planName}.`,
      path: "/me/subscribers",
      fromId: fanId,
      mail: {
        subject: `${fanName} começou o período grátis de ${planName}`,
        body: `${fanName} começou o período grátis de ${planName}.`,
        button: "Ver quem assina",
      },
      group: {
        key: "trial",
        actorId: fanId,
        actorName: fanName,
        two: `${fanName} e mais 1 pessoa começaram um período grátis da sua página.`,
        many: `${fanName} e mais ${OTHERS_COUNT} pessoas começaram um período grátis da sua página.`,
      },
    },
  ];
}

function chargedNotifications(
  message: Extract<TrialMessage, { type: "trial.charged" }>,
): NotificationDraft[] {
  const { fanId, fanName, creatorId, creatorName, planName, amountCents, appOrigin } = message;
  const amount = formatMoney(amountCents);
  return [
    {
      personId: fanId,
      kind: message.type,
      body: `Sua assinatura de ${creatorName} segue depois do período grátis: recebemos ${amount}.`,
      path: pageOf(message),
      mail: {
        subject: `Sua assinatura de ${creatorName} começou`,
        body: [
          `O período grátis do plano ${planName} terminou, e recebemos ${amount}.`,
          "Nos 7 primeiros dias desta cobrança, se mudar de ideia, devolvemos tudo.",
          `Sua assinatura: ${appOrigin}${pageOf(message)}`,
        ].join("\n\n"),
      },
    },
    newSubscriberNotification(
      { type: message.type, creatorId, fanId, fanName },
      `${fanName} assinou ${planName} depois do período grátis`,
    ),
  ];
}

/** The trial has not started and nothing was charged, so a member who gave it up has nothing to do. */
function toConfirmNotification({
  type,
  setupId,
  personId,
  creatorName,
  planName,
  confirmUntil,
  appOrigin,
}: Extract<TrialMessage, { type: "trial.to_confirm" }>): NotificationDraft {
  const path = `/checkout/trial/${setupId}`;
  return {
    personId,
    kind: type,
    body: `Falta confirmar o seu cartão no banco para o período grátis de ${planName}, de ${creatorName}, começar.`,
    path,
    mail: {
      subject: `Falta confirmar o seu cartão para o período grátis de ${creatorName}`,
      body: `O período grátis do plano ${planName} ainda não começou: falta confirmar o cartão na página do banco. Nada foi cobrado.\n\nContinue por aqui, até ${formatMinute(confirmUntil)}:\n${appOrigin}${path}\n\nSe você já confirmou, é só esperar. Se desistiu, não precisa fazer nada: nada começa e nada é cobrado.`,
    },
  };
}
