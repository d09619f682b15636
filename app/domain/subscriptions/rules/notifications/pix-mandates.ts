import { formatMoney } from "#app/domain/money.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import { formatDay, instantOfIsoDay } from "#app/domain/time.ts";
import { methodTexts } from "./method-texts.ts";
import type { PixMandateMessage } from "#app/domain/subscriptions/schema/outbox/pix-mandates.ts";

type Texts = Pick<NotificationDraft, "body" | "mail">;

/** Notifications about what happened to a Pix mandate, and what its payer can do. */
export const pixMandateNotifications: NotificationRenderers<PixMandateMessage> = {
  "subscription.automatic": (message) => [mandateNotification(message)],
  "subscription.debit_refused": (message) => [mandateNotification(message)],
};

function mandateNotification(message: PixMandateMessage): NotificationDraft {
  const page = `/settings/subscriptions/${message.subscriptionId}`;
  return {
    personId: message.fanId,
    kind: message.type,
    path: page,
    ...textsOf(message, `${message.appOrigin}${page}`),
  };
}

function textsOf(message: PixMandateMessage, page: string): Texts {
  if (message.type === "subscription.debit_refused") return debitRefusedText(message, page);
  if (message.what === "authorised") return authorisedText(message, page);
  return message.what === "refused" ? refusedText(message, page) : endedText(message, page);
}

type Changed = Extract<PixMandateMessage, { type: "subscription.automatic" }>;

function authorisedText(
  { creatorName, planName, amountCents, ceilingCents, nextDebitOn }: Changed,
  page: string,
): Texts {
  const body = `O Pix Automático da assinatura ${planName}, de ${creatorName}, está autorizado.`;
  const limit =
    ceilingCents > amountCents ? ` Os débitos nunca passam de ${formatMoney(ceilingCents)}.` : "";
  return {
    body,
    mail: {
      subject: `Pix Automático autorizado para ${creatorName}`,
      body: `${body} O próximo débito é de ${formatMoney(amountCents)}, em ${dayOf(nextDebitOn)}, e depois na véspera de cada renovação.${limit}\n\nVocê encerra quando quiser, no app do seu banco ou aqui: ${page}/payment-method`,
    },
  };
}

function refusedText({ creatorName, planName, method }: Changed, page: string): Texts {
  const body = `O pagamento da assinatura ${planName}, de ${creatorName}, chegou, mas o Pix Automático não foi autorizado no banco.`;
  return {
    body,
    mail: {
      subject: `Sua assinatura de ${creatorName} está ativa, sem o Pix Automático`,
      body: `${body} A assinatura está ativa e nada sai da sua conta sozinho: ${methodTexts[method].renewal}\n\nPara tentar de novo: ${page}/payment-method`,
    },
  };
}

function endedText({ creatorName, planName, method }: Changed, page: string): Texts {
  const body = `O Pix Automático da assinatura ${planName}, de ${creatorName}, foi encerrado no seu banco.`;
  return {
    body,
    mail: {
      subject: `O Pix Automático de ${creatorName} foi encerrado`,
      body: `${body} A assinatura continua: ${methodTexts[method].renewal}\n\nPara autorizar de novo, ou cancelar: ${page}`,
    },
  };
}

function debitRefusedText(
  {
    creatorName,
    planName,
    amountCents,
  }: Extract<PixMandateMessage, { type: "subscription.debit_refused" }>,
  page: string,
): Texts {
  const body = `O banco não debitou ${formatMoney(amountCents)} da assinatura ${planName}, de ${creatorName}.`;
  return {
    body,
    mail: {
      subject: `O Pix Automático de ${creatorName} não passou`,
      body: `${body} Ele pode tentar de novo em até 7 dias, e a autorização continua. Se preferir, pague agora com um código Pix, e o débito é cancelado: ${page}`,
    },
  };
}

const dayOf = (isoDay: string): string => formatDay(instantOfIsoDay(isoDay));
