import { formatMoney } from "#app/domain/money.ts";
import type { Told } from "#app/domain/notifications/schema.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import { formatDay } from "#app/domain/time.ts";

type LifeMessage = Extract<OutboxMessage, { type: "subscription.canceled" | "subscription.reactivated" }>;

export const isOfSubscriptionLife = (message: OutboxMessage): message is LifeMessage => message.type === "subscription.canceled" || message.type === "subscription.reactivated";

/** What somebody did with their subscription, as proof for them and for whoever else has their account. */
export function subscriptionLifeTold(message: LifeMessage): Told {
  const told = { personId: message.fanId, kind: message.type, path: `/settings/subscriptions/${message.subscriptionId}` };
  return message.type === "subscription.canceled" ? { ...told, ...canceledWords(message) } : { ...told, ...reactivatedWords(message) };
}

function canceledWords({ creatorName, planName, protocol, accessUntil, undoUrl }: Extract<LifeMessage, { type: "subscription.canceled" }>): Pick<Told, "body" | "mail"> {
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

function reactivatedWords({ creatorName, planName, nextChargeAt, amountCents, method, isMethodMoved }: Extract<LifeMessage, { type: "subscription.reactivated" }>): Pick<Told, "body" | "mail"> {
  const body = `A sua assinatura ${planName}, de ${creatorName}, continua.`;
  const how = method === "pix" ? "por Pix" : "no cartão";
  const moved = isMethodMoved ? " O cartão de antes não está mais guardado: mandamos um código Pix antes da renovação." : "";
  return {
    body,
    mail: { subject: `Sua assinatura de ${creatorName} continua`, body: `${body} A próxima cobrança é de ${formatMoney(amountCents)}, ${how}, em ${formatDay(nextChargeAt)}.${moved}\n\nNão foi você? Cancele de novo em Ajustes, Assinaturas.` },
  };
}
