import { formatMoney } from "#app/domain/money.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import { formatDay } from "#app/domain/time.ts";
import { methodTexts } from "./method-texts.ts";
import type { RenewalMessage } from "#app/domain/subscriptions/schema/outbox/renewals.ts";

type Texts = Pick<NotificationDraft, "body" | "mail">;

/** Notifications about renewals, and what the subscriber has to do for them. */
export const renewalNotifications: NotificationRenderers<RenewalMessage> = {
  "subscription.renewal_due": (message) => [renewalNotification(message, renewalDueText(message))],
  "subscription.renewal_to_confirm": (message) => [
    renewalNotification(message, toConfirmText(message)),
  ],
  "subscription.renewal_failed": (message) => [
    renewalNotification(message, renewalFailedText(message)),
  ],
  "subscription.reminded": (message) => [renewalNotification(message, remindedText(message))],
  "subscription.tax_id_missing": (message) => [
    renewalNotification(message, taxIdMissingText(message)),
  ],
  "subscription.past_due": (message) => [renewalNotification(message, pastDueText(message))],
  "subscription.renewed": (message) => [renewedNotifications(message)],
};

const renewalNotification = (message: RenewalMessage, texts: Texts): NotificationDraft => ({
  personId: message.fanId,
  kind: message.type,
  path: `/settings/subscriptions/${message.subscriptionId}`,
  ...texts,
});

function renewedNotifications(
  message: Extract<RenewalMessage, { type: "subscription.renewed" }>,
): NotificationDraft {
  return {
    personId: message.fanId,
    kind: message.type,
    body: `Sua assinatura de ${message.creatorName} renovou por ${formatMoney(message.amountCents)}.`,
    path: `/settings/subscriptions/${message.subscriptionId}`,
    mail: null,
  };
}

/** The code is in the email: whoever reads it on a phone copies it there. */
function renewalDueText({
  chargeId,
  creatorName,
  planName,
  amountCents,
  dueAt,
  payUntil,
  pixCode,
  isTrial = false,
  appOrigin,
  ...links
}: Extract<RenewalMessage, { type: "subscription.renewal_due" }>): Texts {
  const body = isTrial
    ? `Os seus dias grátis de ${planName}, de ${creatorName}, vão até ${formatDay(dueAt)}. Para continuar, pague o Pix de ${formatMoney(amountCents)}.`
    : `A sua assinatura ${planName}, de ${creatorName}, renova em ${formatDay(dueAt)}: ${formatMoney(amountCents)}, por Pix.`;
  return {
    body,
    mail: {
      subject: isTrial
        ? `Para continuar depois dos dias grátis de ${creatorName}: ${formatMoney(amountCents)} até ${formatDay(payUntil)}`
        : `Renove sua assinatura de ${creatorName}: ${formatMoney(amountCents)} até ${formatDay(dueAt)}`,
      body: [
        `${body} Nada sai da sua conta sozinho.`,
        `Pix Copia e Cola:\n${pixCode}`,
        `Ou pague por aqui: ${appOrigin}/checkout/${chargeId}`,
        `O código vale até ${formatDay(payUntil)}; sem o pagamento, ${isTrial ? "os dias grátis só terminam, e nada é cobrado" : "a assinatura termina nesse dia"}.`,
        waysOut({ ...links, linksUntil: payUntil }),
      ].join("\n\n"),
    },
  };
}

type TrialEnding = Pick<
  Extract<RenewalMessage, { type: "subscription.reminded" }>,
  | "creatorName"
  | "planName"
  | "amountCents"
  | "method"
  | "isCharged"
  | "renewsAt"
  | "cancelUrl"
  | "linksUntil"
  | "code"
>;

/** A trial cannot be paused. */
function trialEndingText({
  creatorName,
  planName,
  amountCents,
  method,
  isCharged,
  renewsAt,
  cancelUrl,
  linksUntil,
  code,
}: TrialEnding): Texts {
  const next = !isCharged
    ? "Depois, eles só terminam: nada é cobrado."
    : methodTexts[method].trialEnding(amountCents);
  const body = `Os seus dias grátis de ${planName}, de ${creatorName}, vão até ${formatDay(renewsAt)}. ${next}`;
  return {
    body,
    mail: {
      subject: `Seus dias grátis de ${creatorName} terminam em ${formatDay(renewsAt)}`,
      body: [
        body,
        ...(code ? codeText(code) : []),
        waysOut({ pauseUrl: null, cancelUrl, linksUntil }),
      ].join("\n\n"),
    },
  };
}

/** For a code that was sent before and is still open. */
const codeText = ({ pixCode, payUrl, payUntil }: NonNullable<TrialEnding["code"]>): string[] => [
  `Pix Copia e Cola:\n${pixCode}`,
  `Ou pague por aqui: ${payUrl}`,
  `O código vale até ${formatDay(payUntil)}. Nada sai da sua conta sozinho.`,
];

/** Neither link asks to sign in. */
const waysOut = ({
  pauseUrl,
  cancelUrl,
  linksUntil,
}: {
  pauseUrl: string | null;
  cancelUrl: string;
  linksUntil: number;
}): string =>
  [
    `Não quer continuar? Sem precisar entrar na conta, até ${formatDay(linksUntil)}:`,
    ...(pauseUrl === null ? [] : [`Pausar por 1 mês: ${pauseUrl}`]),
    `Cancelar: ${cancelUrl}`,
  ].join("\n");

function remindedText({
  creatorName,
  planName,
  amountCents,
  method,
  isAutomatic,
  isTrial,
  isCharged,
  renewsAt,
  code,
  ...links
}: Extract<RenewalMessage, { type: "subscription.reminded" }>): Texts {
  if (isTrial)
    return trialEndingText({
      creatorName,
      planName,
      amountCents,
      method,
      isCharged,
      renewsAt,
      ...(code ? { code } : {}),
      ...links,
    });
  const body = `A sua assinatura ${planName}, de ${creatorName}, renova em ${formatDay(renewsAt)} por ${formatMoney(amountCents)}, ${isAutomatic ? "no Pix Automático" : methodTexts[method].renewedBy}.`;
  const how = isAutomatic
    ? "O seu banco faz o débito na véspera. Se quiser continuar, não precisa fazer nada."
    : methodTexts[method].reminder;
  return {
    body,
    mail: {
      subject: `Sua assinatura de ${creatorName} renova em ${formatDay(renewsAt)}`,
      body: [body, how, waysOut(links)].join("\n\n"),
    },
  };
}

/** The provider makes no code and takes no debit without it. */
function taxIdMissingText({
  creatorName,
  planName,
  amountCents,
  renewsAt,
  isTrial,
  isAutomatic = false,
  appOrigin,
}: Extract<RenewalMessage, { type: "subscription.tax_id_missing" }>): Texts {
  const body = `Falta o seu CPF ou CNPJ para o ${isAutomatic ? "Pix Automático" : "código Pix"} da assinatura ${planName}, de ${creatorName}: ${formatMoney(amountCents)}, em ${formatDay(renewsAt)}.`;
  const how = isAutomatic
    ? "Quem faz a cobrança exige esse número de quem paga. Assim que você salvar, ela segue pelo Pix Automático; se não der mais tempo, o código Pix chega por e-mail."
    : "Quem gera o código exige esse número de quem paga. Assim que você salvar, o código chega por e-mail, e nada sai da sua conta sozinho.";
  const without = isTrial
    ? "Sem o pagamento, os dias grátis só terminam."
    : "Sem o pagamento, você ainda tem 7 dias de acesso e a assinatura termina.";
  return {
    body,
    mail: {
      subject: `Falta o seu CPF para renovar ${creatorName}`,
      body: `${body} ${how} ${without}\n\nPreencha aqui: ${appOrigin}/settings/billing/details`,
    },
  };
}

function pastDueText({
  subscriptionId,
  creatorName,
  planName,
  amountCents,
  isAutomatic = false,
  accessUntil,
  appOrigin,
}: Extract<RenewalMessage, { type: "subscription.past_due" }>): Texts {
  const body = `${isAutomatic ? "O Pix Automático ainda não pagou" : "Ainda não chegou o Pix de"} ${formatMoney(amountCents)} da assinatura ${planName}, de ${creatorName}. Você continua vendo tudo até ${formatDay(accessUntil)}.`;
  return {
    body,
    mail: {
      subject: `Sua assinatura de ${creatorName} está em atraso`,
      body: `${body} Depois disso ela termina, e nada mais é cobrado.\n\nVeja como fica: ${appOrigin}/settings/subscriptions/${subscriptionId}`,
    },
  };
}

function renewalFailedText({
  subscriptionId,
  creatorName,
  planName,
  amountCents,
  accessUntil,
  appOrigin,
  isForGood,
  retryAt,
}: Extract<RenewalMessage, { type: "subscription.renewal_failed" }>): Texts {
  const what = `O cartão não pagou ${formatMoney(amountCents)} da assinatura ${planName}, de ${creatorName}.`;
  const next = isForGood
    ? "O banco não aceita mais este cartão, e não vamos tentar nele de novo: escolha outra forma de pagar."
    : retryAt === null
      ? "Não vamos tentar de novo neste cartão."
      : `Tentamos de novo em ${formatDay(retryAt)}.`;
  const body = `${what} ${next} Você continua vendo tudo até ${formatDay(accessUntil)}.`;
  return {
    body,
    mail: {
      subject: isForGood
        ? `Escolha outra forma de pagar a assinatura de ${creatorName}`
        : `O cartão não pagou a sua assinatura de ${creatorName}`,
      body: `${body} Se nada for pago até lá, ela termina, e nada mais é cobrado.\n\nPara pagar com outro cartão ou com Pix, agora mesmo: ${appOrigin}/settings/subscriptions/${subscriptionId}/payment-method`,
    },
  };
}

function toConfirmText({
  chargeId,
  creatorName,
  planName,
  amountCents,
  accessUntil,
  appOrigin,
}: Extract<RenewalMessage, { type: "subscription.renewal_to_confirm" }>): Texts {
  const body = `O seu banco pede que você confirme o pagamento de ${formatMoney(amountCents)} da assinatura ${planName}, de ${creatorName}. Você continua vendo tudo até ${formatDay(accessUntil)}.`;
  return {
    body,
    mail: {
      subject: `Confirme o pagamento da assinatura de ${creatorName}`,
      body: `${body} Sem a confirmação ela termina nesse dia.\n\nConfirme por aqui: ${appOrigin}/checkout/${chargeId}`,
    },
  };
}
