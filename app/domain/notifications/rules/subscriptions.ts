import { formatMoney } from "#app/domain/money.ts";
import type { Told } from "#app/domain/notifications/schema.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import { formatDay } from "#app/domain/time.ts";
import { methodTexts } from "./method-texts.ts";
import { welcomeWords } from "./welcome.ts";

const LIFE = [
  "subscription.begun",
  "subscription.beginning_moved",
  "subscription.canceled",
  "subscription.reactivated",
  "subscription.paused",
  "subscription.resumed",
  "subscription.renewal_due",
  "subscription.tax_id_missing",
  "subscription.past_due",
  "subscription.reminded",
  "subscription.renewal_failed",
  "subscription.renewal_to_confirm",
] as const;

type LifeMessage = Extract<OutboxMessage, { type: (typeof LIFE)[number] }>;
type Words = Pick<Told, "body" | "mail">;

export const isOfSubscriptionLife = (message: OutboxMessage): message is LifeMessage =>
  LIFE.some((type) => type === message.type);

/**
 * What somebody did with their subscription, as proof for them and for whoever else has their
 * account.
 */
export function subscriptionLifeTold(message: LifeMessage): Told {
  return {
    personId: message.fanId,
    kind: message.type,
    path: `/settings/subscriptions/${message.subscriptionId}`,
    ...wordsOf(message),
  };
}

function wordsOf(message: LifeMessage): Words {
  switch (message.type) {
    case "subscription.begun":
      return begunWords(message);
    case "subscription.beginning_moved":
      return movedWords(message);
    case "subscription.canceled":
      return canceledWords(message);
    case "subscription.reactivated":
      return reactivatedWords(message);
    case "subscription.paused":
      return pausedWords(message);
    case "subscription.resumed":
      return resumedWords(message);
    case "subscription.renewal_due":
      return renewalDueWords(message);
    case "subscription.tax_id_missing":
      return taxIdMissingWords(message);
    case "subscription.past_due":
      return pastDueWords(message);
    case "subscription.reminded":
      return remindedWords(message);
    case "subscription.renewal_failed":
      return renewalFailedWords(message);
    case "subscription.renewal_to_confirm":
      return toConfirmWords(message);
  }
}

/** It was paid before, and what was given ended. */
function begunWords(message: Extract<LifeMessage, { type: "subscription.begun" }>): Words {
  const { creatorName, planName, nextChargeAt } = message;
  const body = `O que você ganhou de ${creatorName} terminou, e a sua assinatura ${planName} começou.`;
  const welcome = welcomeWords(message);
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

/** A vacation came between, or was cut short. */
function movedWords({
  creatorName,
  planName,
  beginsAt,
}: Extract<LifeMessage, { type: "subscription.beginning_moved" }>): Words {
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

/** The code goes in the letter: whoever reads it on a phone copies it there. */
function renewalDueWords({
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
}: Extract<LifeMessage, { type: "subscription.renewal_due" }>): Words {
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
  Extract<LifeMessage, { type: "subscription.reminded" }>,
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

/** Free days cannot be paused. */
function trialEndingWords({
  creatorName,
  planName,
  amountCents,
  method,
  isCharged,
  renewsAt,
  cancelUrl,
  linksUntil,
  code,
}: TrialEnding): Words {
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
        ...(code ? codeWords(code) : []),
        waysOut({ pauseUrl: null, cancelUrl, linksUntil }),
      ].join("\n\n"),
    },
  };
}

/** Of a code that was sent before and still waits. */
const codeWords = ({ pixCode, payUrl, payUntil }: NonNullable<TrialEnding["code"]>): string[] => [
  `Pix Copia e Cola:\n${pixCode}`,
  `Ou pague por aqui: ${payUrl}`,
  `O código vale até ${formatDay(payUntil)}. Nada sai da sua conta sozinho.`,
];

/** Neither asks to sign in. */
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

function remindedWords({
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
}: Extract<LifeMessage, { type: "subscription.reminded" }>): Words {
  if (isTrial)
    return trialEndingWords({
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

/** Who makes the codes, or takes the debits, makes none without it. */
function taxIdMissingWords({
  creatorName,
  planName,
  amountCents,
  renewsAt,
  isTrial,
  isAutomatic = false,
  appOrigin,
}: Extract<LifeMessage, { type: "subscription.tax_id_missing" }>): Words {
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

function pastDueWords({
  subscriptionId,
  creatorName,
  planName,
  amountCents,
  isAutomatic = false,
  accessUntil,
  appOrigin,
}: Extract<LifeMessage, { type: "subscription.past_due" }>): Words {
  const body = `${isAutomatic ? "O Pix Automático ainda não pagou" : "Ainda não chegou o Pix de"} ${formatMoney(amountCents)} da assinatura ${planName}, de ${creatorName}. Você continua vendo tudo até ${formatDay(accessUntil)}.`;
  return {
    body,
    mail: {
      subject: `Sua assinatura de ${creatorName} está em atraso`,
      body: `${body} Depois disso ela termina, e nada mais é cobrado.\n\nVeja como fica: ${appOrigin}/settings/subscriptions/${subscriptionId}`,
    },
  };
}

function renewalFailedWords({
  subscriptionId,
  creatorName,
  planName,
  amountCents,
  accessUntil,
  appOrigin,
  isForGood,
  retryAt,
}: Extract<LifeMessage, { type: "subscription.renewal_failed" }>): Words {
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

function toConfirmWords({
  chargeId,
  creatorName,
  planName,
  amountCents,
  accessUntil,
  appOrigin,
}: Extract<LifeMessage, { type: "subscription.renewal_to_confirm" }>): Words {
  const body = `O seu banco pede que você confirme o pagamento de ${formatMoney(amountCents)} da assinatura ${planName}, de ${creatorName}. Você continua vendo tudo até ${formatDay(accessUntil)}.`;
  return {
    body,
    mail: {
      subject: `Confirme o pagamento da assinatura de ${creatorName}`,
      body: `${body} Sem a confirmação ela termina nesse dia.\n\nConfirme por aqui: ${appOrigin}/checkout/${chargeId}`,
    },
  };
}

function pausedWords({
  creatorName,
  planName,
  resumesAt,
  nextChargeAt,
  undoUrl,
}: Extract<LifeMessage, { type: "subscription.paused" }>): Words {
  const body = `A sua assinatura ${planName}, de ${creatorName}, está pausada e volta em ${formatDay(resumesAt)}.`;
  return {
    body,
    mail: {
      subject: `Assinatura de ${creatorName} pausada até ${formatDay(resumesAt)}`,
      body: `${body} Até lá nada é cobrado e nada abre. Os dias que você já pagou voltam inteiros, e a próxima cobrança passa para ${formatDay(nextChargeAt)}.\n\nMudou de ideia, ou não foi você? Volte agora, sem precisar entrar na conta: ${undoUrl}`,
    },
  };
}

function resumedWords({
  creatorName,
  planName,
  nextChargeAt,
}: Extract<LifeMessage, { type: "subscription.resumed" }>): Words {
  const body = `A sua assinatura ${planName}, de ${creatorName}, voltou: está tudo aberto de novo.`;
  return {
    body,
    mail: {
      subject: `Sua assinatura de ${creatorName} voltou`,
      body: `${body} A próxima cobrança é em ${formatDay(nextChargeAt)}.`,
    },
  };
}

function canceledWords({
  creatorName,
  planName,
  protocol,
  accessUntil,
  undoUrl,
}: Extract<LifeMessage, { type: "subscription.canceled" }>): Words {
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

function reactivatedWords({
  creatorName,
  planName,
  nextChargeAt,
  amountCents,
  method,
  isAutomatic = false,
  isMethodMoved,
}: Extract<LifeMessage, { type: "subscription.reactivated" }>): Words {
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
