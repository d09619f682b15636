import { formatMoney } from "#app/domain/money.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import type { LifecycleMessage } from "#app/domain/subscriptions/schema/outbox/lifecycle.ts";
import { methodTexts } from "./method-texts.ts";
import { formatDay } from "#app/domain/time.ts";
import { upcomingCanceledNotifications, upcomingNotifications } from "./upcoming.ts";
import { newSubscriberNotification } from "./new-subscriber.ts";
import { welcomeText } from "./welcome.ts";

type Texts = Pick<NotificationDraft, "body" | "mail">;

/**
 * Notifications about a subscription from its start to its end. They also prove to the member what
 * was done in their account, by them or by somebody else.
 */
export const lifecycleNotifications: NotificationRenderers<LifecycleMessage> = {
  "subscription.started": startedNotifications,
  "subscription.begun": (message) => [lifecycleNotification(message, startedText(message))],
  "subscription.beginning_moved": (message) => [lifecycleNotification(message, movedText(message))],
  "subscription.called_off": upcomingCanceledNotifications,
  "subscription.canceled": (message) => [lifecycleNotification(message, canceledText(message))],
  "subscription.reactivated": (message) => [
    lifecycleNotification(message, reactivatedText(message)),
  ],
  "subscription.paused": (message) => [lifecycleNotification(message, pausedText(message))],
  "subscription.resumed": (message) => [lifecycleNotification(message, resumedText(message))],
  "subscription.closed": (message) => [closedNotification(message)],
  "subscription.ended": endedNotifications,
};

const lifecycleNotification = (message: LifecycleMessage, texts: Texts): NotificationDraft => ({
  personId: message.fanId,
  kind: message.type,
  path: `/settings/subscriptions/${message.subscriptionId}`,
  ...texts,
});

function startedNotifications(
  message: Extract<LifecycleMessage, { type: "subscription.started" }>,
): NotificationDraft[] {
  if (message.beginsAt !== undefined)
    return upcomingNotifications({ ...message, beginsAt: message.beginsAt });
  return [
    {
      personId: message.fanId,
      kind: message.type,
      body: [
        `Você assinou ${message.planName}, de ${message.creatorName}.`,
        ...welcomeText(message),
      ].join(" "),
      path: `/space/${message.creatorUsername}`,
      mail: {
        subject: `Sua assinatura de ${message.creatorName} começou`,
        body: [
          `Recebemos ${formatMoney(message.amountCents)} pelo plano ${message.planName}.`,
          ...welcomeText(message),
          "Nos 7 primeiros dias, se mudar de ideia, devolvemos tudo.",
        ].join("\n\n"),
      },
    },
    newSubscriberNotification(message, `${message.fanName} assinou ${message.planName}`),
  ];
}

/** The paid upcoming subscription starts because the gift or comp before it ended. */
function startedText(message: Extract<LifecycleMessage, { type: "subscription.begun" }>): Texts {
  const { creatorName, planName, nextChargeAt } = message;
  const body = `O que você ganhou de ${creatorName} terminou, e a sua assinatura ${planName} começou.`;
  const welcome = welcomeText(message);
  return {
    body: [body, ...welcome].join(" "),
    mail: {
      subject: `Sua assinatura de ${creatorName} começou`,
      body: [
        `${body} Ela já estava paga.`,
        ...welcome,
        `A próxima cobrança é em ${formatDay(nextChargeAt)}. Nos 7 primeiros dias, se mudar de ideia, devolvemos tudo.`,
      ].join("\n\n"),
    },
  };
}

/** A vacation moved the start, or ended early. */
function movedText({
  creatorName,
  planName,
  beginsAt,
}: Extract<LifecycleMessage, { type: "subscription.beginning_moved" }>): Texts {
  const day = formatDay(beginsAt);
  const body = `O começo da sua assinatura ${planName}, de ${creatorName}, mudou para ${day}.`;
  return {
    body,
    mail: {
      subject: `Sua assinatura de ${creatorName} agora começa em ${day}`,
      body: `${body} Ela já está paga, e nenhum dia dela se perde.\n\nSe mudar de ideia antes de começar, ou nos 7 primeiros dias, devolvemos tudo: é em Ajustes, Assinaturas.`,
    },
  };
}

function pausedText({
  creatorName,
  planName,
  resumesAt,
  nextChargeAt,
  undoUrl,
}: Extract<LifecycleMessage, { type: "subscription.paused" }>): Texts {
  const body = `A sua assinatura ${planName}, de ${creatorName}, está pausada e volta em ${formatDay(resumesAt)}.`;
  return {
    body,
    mail: {
      subject: `Assinatura de ${creatorName} pausada até ${formatDay(resumesAt)}`,
      body: `${body} Até lá nada é cobrado e nada abre. Os dias que você já pagou voltam inteiros, e a próxima cobrança passa para ${formatDay(nextChargeAt)}.\n\nMudou de ideia, ou não foi você? Volte agora, sem precisar entrar na conta: ${undoUrl}`,
    },
  };
}

function resumedText({
  creatorName,
  planName,
  nextChargeAt,
}: Extract<LifecycleMessage, { type: "subscription.resumed" }>): Texts {
  const body = `A sua assinatura ${planName}, de ${creatorName}, voltou: está tudo aberto de novo.`;
  return {
    body,
    mail: {
      subject: `Sua assinatura de ${creatorName} voltou`,
      body: `${body} A próxima cobrança é em ${formatDay(nextChargeAt)}.`,
    },
  };
}

function canceledText({
  creatorName,
  planName,
  protocol,
  accessUntil,
  undoUrl,
}: Extract<LifecycleMessage, { type: "subscription.canceled" }>): Texts {
  const until =
    accessUntil === null ? "" : ` Você continua vendo tudo até ${formatDay(accessUntil)}.`;
  const body = `Você cancelou a assinatura ${planName}, de ${creatorName}. Protocolo ${protocol}.`;
  return {
    body,
    mail: {
      subject: `Assinatura de ${creatorName} cancelada · protocolo ${protocol}`,
      body: [
        `Você cancelou a assinatura ${planName}, de ${creatorName}: ela não renova mais e nada mais é cobrado.${until}`,
        `Protocolo: ${protocol}`,
        `Mudou de ideia, ou não foi você? Desfaça aqui, sem precisar entrar na conta: ${undoUrl}`,
      ].join("\n\n"),
    },
  };
}

function reactivatedText({
  creatorName,
  planName,
  nextChargeAt,
  amountCents,
  method,
  isAutomatic = false,
  isMethodMoved,
}: Extract<LifecycleMessage, { type: "subscription.reactivated" }>): Texts {
  const body = `A sua assinatura ${planName}, de ${creatorName}, continua.`;
  const how = isAutomatic ? "por Pix Automático" : methodTexts[method].nextCharge;
  const moved = isMethodMoved
    ? " O cartão de antes não está mais guardado: mandamos um código Pix antes da renovação."
    : "";
  return {
    body,
    mail: {
      subject: `Sua assinatura de ${creatorName} continua`,
      body: `${body} A próxima cobrança é de ${formatMoney(amountCents)}, ${how}, em ${formatDay(nextChargeAt)}.${moved}\n\nNão foi você? Cancele de novo em Ajustes, Assinaturas.`,
    },
  };
}

/** When a refund is on its way, its own email says the rest. */
function closedNotification({
  subscriptionId,
  fanId,
  creatorName,
  planName,
  refundCents,
}: Extract<LifecycleMessage, { type: "subscription.closed" }>): NotificationDraft {
  const body = `A página de ${creatorName} encerrou, e com ela a sua assinatura ${planName}.`;
  return {
    personId: fanId,
    kind: "subscription.closed",
    body:
      refundCents > 0
        ? `${body} Devolvemos ${formatMoney(refundCents)} dos dias que você não usou.`
        : body,
    path: `/settings/subscriptions/${subscriptionId}`,
    mail:
      refundCents > 0
        ? null
        : {
            subject: `A página de ${creatorName} encerrou`,
            body: `${body} Nenhum dia pago ficou sem uso, e nada mais será cobrado.`,
          },
  };
}

function endedNotifications(
  message: Extract<LifecycleMessage, { type: "subscription.ended" }>,
): NotificationDraft[] {
  if (message.isGift) return message.isFollowed ? [] : [giftEndedNotification(message)];
  return [
    {
      personId: message.fanId,
      kind: message.type,
      body: `Sua assinatura ${message.planName}, de ${message.creatorName}, terminou.`,
      path: `/space/${message.creatorUsername}`,
      mail: {
        subject: `Sua assinatura de ${message.creatorName} terminou`,
        body: `O plano ${message.planName} não renovou e o acesso terminou. Para voltar, é só assinar de novo.`,
      },
    },
  ];
}

/** A gift ended as planned: the fan is only asked whether they want to continue. */
function giftEndedNotification({
  type: kind,
  fanId: personId,
  subscriptionId,
  creatorName,
  planName,
}: Extract<LifecycleMessage, { type: "subscription.ended" }>): NotificationDraft {
  return {
    personId,
    kind,
    body: `O seu presente, o plano ${planName}, de ${creatorName}, terminou. Quer continuar? É só assinar.`,
    path: `/settings/subscriptions/${subscriptionId}/again`,
    mail: {
      subject: `O seu presente de ${creatorName} terminou`,
      body: `O plano ${planName}, de ${creatorName}, que você ganhou de presente, terminou hoje. Nada foi cobrado de você. Quer continuar? É só assinar, em Ajustes, Assinaturas.`,
    },
  };
}
