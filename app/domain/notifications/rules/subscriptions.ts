import { formatMoney } from "#app/domain/money.ts";
import type { Told } from "#app/domain/notifications/schema.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import { formatDay } from "#app/domain/time.ts";

const LIFE = ["subscription.canceled", "subscription.reactivated", "subscription.paused", "subscription.resumed", "subscription.renewal_due", "subscription.past_due"] as const;

type LifeMessage = Extract<OutboxMessage, { type: (typeof LIFE)[number] }>;
type Words = Pick<Told, "body" | "mail">;

export const isOfSubscriptionLife = (message: OutboxMessage): message is LifeMessage => LIFE.some((type) => type === message.type);

/** What somebody did with their subscription, as proof for them and for whoever else has their account. */
export function subscriptionLifeTold(message: LifeMessage): Told {
  return { personId: message.fanId, kind: message.type, path: `/settings/subscriptions/${message.subscriptionId}`, ...wordsOf(message) };
}

function wordsOf(message: LifeMessage): Words {
  switch (message.type) {
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
    case "subscription.past_due":
      return pastDueWords(message);
  }
}

/** The code goes in the letter: whoever reads it on a phone copies it there. */
function renewalDueWords({ subscriptionId, chargeId, creatorName, planName, amountCents, dueAt, payUntil, pixCode, appOrigin }: Extract<LifeMessage, { type: "subscription.renewal_due" }>): Words {
  const body = `A sua assinatura ${planName}, de ${creatorName}, renova em ${formatDay(dueAt)}: ${formatMoney(amountCents)}, por Pix.`;
  return {
    body,
    mail: {
      subject: `Renove sua assinatura de ${creatorName}: ${formatMoney(amountCents)} até ${formatDay(dueAt)}`,
      body: [
        `${body} Nada sai da sua conta sozinho.`,
        `Pix Copia e Cola:\n${pixCode}`,
        `Ou pague por aqui: ${appOrigin}/checkout/${chargeId}`,
        `O código vale até ${formatDay(payUntil)}; sem o pagamento, a assinatura termina nesse dia. Para pausar ou cancelar: ${appOrigin}/settings/subscriptions/${subscriptionId}`,
      ].join("\n\n"),
    },
  };
}

function pastDueWords({ subscriptionId, creatorName, planName, amountCents, method, isAutomatic = false, accessUntil, appOrigin }: Extract<LifeMessage, { type: "subscription.past_due" }>): Words {
  const what = isAutomatic ? `O Pix Automático ainda não pagou ${formatMoney(amountCents)} da assinatura ${planName}, de ${creatorName}.` : method === "pix" ? `O Pix de ${formatMoney(amountCents)} da assinatura ${planName}, de ${creatorName}, ainda não chegou.` : `O cartão não pagou ${formatMoney(amountCents)} da assinatura ${planName}, de ${creatorName}.`;
  const body = `${what} Você continua vendo tudo até ${formatDay(accessUntil)}.`;
  return {
    body,
    mail: { subject: `Sua assinatura de ${creatorName} está em atraso`, body: `${body} Depois disso ela termina, e nada mais é cobrado.\n\nVeja como fica: ${appOrigin}/settings/subscriptions/${subscriptionId}` },
  };
}

function pausedWords({ creatorName, planName, resumesAt, nextChargeAt }: Extract<LifeMessage, { type: "subscription.paused" }>): Words {
  const body = `A sua assinatura ${planName}, de ${creatorName}, está pausada e volta em ${formatDay(resumesAt)}.`;
  return {
    body,
    mail: {
      subject: `Assinatura de ${creatorName} pausada até ${formatDay(resumesAt)}`,
      body: `${body} Até lá nada é cobrado e nada abre. Os dias que você já pagou voltam inteiros, e a próxima cobrança passa para ${formatDay(nextChargeAt)}.\n\nPara voltar antes, é em Ajustes, Assinaturas.`,
    },
  };
}

function resumedWords({ creatorName, planName, nextChargeAt }: Extract<LifeMessage, { type: "subscription.resumed" }>): Words {
  const body = `A sua assinatura ${planName}, de ${creatorName}, voltou: está tudo aberto de novo.`;
  return { body, mail: { subject: `Sua assinatura de ${creatorName} voltou`, body: `${body} A próxima cobrança é em ${formatDay(nextChargeAt)}.` } };
}

function canceledWords({ creatorName, planName, protocol, accessUntil, undoUrl }: Extract<LifeMessage, { type: "subscription.canceled" }>): Words {
  const until = accessUntil === null ? "" : ` Você continua vendo tudo até ${formatDay(accessUntil)}.`;
  const body = `Você cancelou a assinatura ${planName}, de ${creatorName}. Protocolo ${protocol}.`;
  return {
    body,
    mail: {
      subject: `Assinatura de ${creatorName} cancelada · protocolo ${protocol}`,
      body: [`Você cancelou a assinatura ${planName}, de ${creatorName}: ela não renova mais e nada mais é cobrado.${until}`, `Protocolo: ${protocol}`, `Mudou de ideia, ou não foi você? Desfaça aqui: ${undoUrl}`].join("\n\n"),
    },
  };
}

function reactivatedWords({ creatorName, planName, nextChargeAt, amountCents, method, isAutomatic = false, isMethodMoved }: Extract<LifeMessage, { type: "subscription.reactivated" }>): Words {
  const body = `A sua assinatura ${planName}, de ${creatorName}, continua.`;
  const how = isAutomatic ? "por Pix Automático" : method === "pix" ? "por Pix" : "no cartão";
  const moved = isMethodMoved ? " O cartão de antes não está mais guardado: mandamos um código Pix antes da renovação." : "";
  return {
    body,
    mail: { subject: `Sua assinatura de ${creatorName} continua`, body: `${body} A próxima cobrança é de ${formatMoney(amountCents)}, ${how}, em ${formatDay(nextChargeAt)}.${moved}\n\nNão foi você? Cancele de novo em Ajustes, Assinaturas.` },
  };
}
