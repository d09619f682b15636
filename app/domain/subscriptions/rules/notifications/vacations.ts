import { counted } from "#app/domain/text.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import { formatDay } from "#app/domain/time.ts";
import type { VacationMessage } from "#app/domain/subscriptions/schema/outbox/vacations.ts";

/** Notifications about a vacation's effect on each subscription, with its new dates. */
export const vacationNotifications: NotificationRenderers<VacationMessage> = {
  "vacation.began": (message) => [vacationNotification(message)],
  "vacation.cut_short": (message) => [vacationNotification(message)],
};

function vacationNotification(message: VacationMessage): NotificationDraft {
  return {
    personId: message.fanId,
    kind: message.type,
    path: `/settings/subscriptions/${message.subscriptionId}`,
    ...(message.type === "vacation.began" ? beganText(message) : cutShortText(message)),
  };
}

const daysText = (days: number): string => counted(days, "dia", "dias");
const nextText = ({ nextChargeAt, accessUntil }: VacationMessage): string =>
  nextChargeAt === null
    ? `O seu acesso vai até ${formatDay(accessUntil)}.`
    : `A próxima cobrança passa para ${formatDay(nextChargeAt)}.`;

function beganText(
  message: Extract<VacationMessage, { type: "vacation.began" }>,
): Pick<NotificationDraft, "body" | "mail"> {
  const { creatorName, planName, until, days } = message;
  const body = `${creatorName} está de férias até ${formatDay(until)}. A sua assinatura ganhou ${daysText(days)}.`;
  return {
    body,
    mail: {
      subject: `${creatorName} está de férias até ${formatDay(until)}`,
      body: `${body} Até lá nada é cobrado, e você continua vendo tudo do plano ${planName}. ${nextText(message)}\n\nVocê não precisa fazer nada. Um Pix ou um débito que já tinha sido pedido para o próximo período deixou de valer.`,
    },
  };
}

function cutShortText(
  message: Extract<VacationMessage, { type: "vacation.cut_short" }>,
): Pick<NotificationDraft, "body" | "mail"> {
  const { creatorName, planName, days } = message;
  const vacationText =
    days > 0
      ? `A sua assinatura ficou ${daysText(days)} mais longa.`
      : "A sua assinatura volta às datas de antes.";
  const body = `${creatorName} voltou das férias antes do previsto. ${vacationText}`;
  return {
    body,
    mail: {
      subject: `${creatorName} voltou das férias`,
      body: `${body} ${nextText(message)}\n\nO plano ${planName} segue como estava.`,
    },
  };
}
