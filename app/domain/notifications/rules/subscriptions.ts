import { formatMoney } from "#app/domain/money.ts";
import type { Told } from "#app/domain/notifications/schema.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import { formatDay } from "#app/domain/time.ts";

const LIFE = ["subscription.canceled", "subscription.reactivated", "subscription.paused", "subscription.resumed"] as const;

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
  }
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

function reactivatedWords({ creatorName, planName, nextChargeAt, amountCents, method, isMethodMoved }: Extract<LifeMessage, { type: "subscription.reactivated" }>): Words {
  const body = `A sua assinatura ${planName}, de ${creatorName}, continua.`;
  const how = method === "pix" ? "por Pix" : "no cartão";
  const moved = isMethodMoved ? " O cartão de antes não está mais guardado: mandamos um código Pix antes da renovação." : "";
  return {
    body,
    mail: { subject: `Sua assinatura de ${creatorName} continua`, body: `${body} A próxima cobrança é de ${formatMoney(amountCents)}, ${how}, em ${formatDay(nextChargeAt)}.${moved}\n\nNão foi você? Cancele de novo em Ajustes, Assinaturas.` },
  };
}
