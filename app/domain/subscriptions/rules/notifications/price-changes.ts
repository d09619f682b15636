import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import { formatDay } from "#app/domain/time.ts";
import type { PriceChangeMessage } from "#app/domain/subscriptions/schema/outbox/price-changes.ts";

type Asked = Extract<PriceChangeMessage, { type: "subscription.price_asked" }>;

/**
 * Notifications about price changes to the subscriber: what is asked, that nothing changes without
 * an answer, and what was answered.
 */
export const priceChangeNotifications: NotificationRenderers<PriceChangeMessage> = {
  "subscription.price_asked": (message) => [priceChangeNotification(message)],
  "subscription.price_lowered": (message) => [priceChangeNotification(message)],
  "subscription.price_answered": (message) => [priceChangeNotification(message)],
};

function priceChangeNotification(message: PriceChangeMessage): NotificationDraft {
  const {
    subscriptionId,
    fanId: personId,
    type: kind,
    creatorName,
    planName,
    fromPrice,
    toPrice,
  } = message;
  const draft = { personId, kind, path: `/settings/subscriptions/${subscriptionId}` };
  switch (message.type) {
    case "subscription.price_asked":
      return {
        ...draft,
        path: `${draft.path}/price`,
        body: `${creatorName} pergunta se você aceita pagar ${toPrice} pelo plano ${planName} a partir de ${formatDay(message.takesEffectAt)}. Sem resposta, continua ${fromPrice}.`,
        mail: askedMail(message),
      };
    case "subscription.price_lowered": {
      const body = `O plano ${planName}, de ${creatorName}, ficou mais barato: em vez de ${fromPrice}, você paga ${toPrice}${message.beginsAt === null ? "" : `, a partir da próxima cobrança que ainda não foi pedida`}.`;
      return {
        ...draft,
        body,
        mail: {
          subject: `Sua assinatura de ${creatorName} ficou mais barata`,
          body: `${body}\n\nVocê não precisa fazer nada.`,
        },
      };
    }
    case "subscription.price_answered": {
      const { isAccepted, takesEffectAt } = message;
      const day = formatDay(takesEffectAt);
      const body = isAccepted
        ? `Você aceitou o preço novo de ${planName}, de ${creatorName}: ${toPrice}, nos períodos que começam a partir de ${day}.`
        : `Você manteve o preço de ${planName}, de ${creatorName}: ${fromPrice}.`;
      const next =
        isAccepted && message.needsMandate
          ? `Para o Pix Automático pagar o valor novo, falta autorizar de novo. Até lá o preço continua ${fromPrice}: ${message.appOrigin}${draft.path}/payment-method/automatic`
          : "";
      const changes = `Mudou de ideia, ou não foi você? Até a cobrança com o preço novo ser feita, dá para trocar a resposta em Ajustes, Assinaturas.`;
      return {
        ...draft,
        body,
        mail: {
          subject: isAccepted
            ? `Preço novo da sua assinatura de ${creatorName}`
            : `Sua assinatura de ${creatorName} mantém o preço`,
          body: [body, next, changes].filter((part) => part !== "").join("\n\n"),
        },
      };
    }
  }
}

function askedMail({
  creatorName,
  planName,
  fromPrice,
  toPrice,
  takesEffectAt,
  needsMandate,
  movesToPix,
  isReminder,
  url,
  linkUntil,
}: Asked): NotificationDraft["mail"] {
  const day = formatDay(takesEffectAt);
  return {
    subject: isReminder
      ? `Lembrete: ${creatorName} pediu um preço novo`
      : `${creatorName} pede um preço novo para a sua assinatura`,
    body: [
      `${creatorName} mudou o preço do plano ${planName}. Você paga ${fromPrice}, e o pedido é que passe a pagar ${toPrice} nos períodos que começam a partir de ${day}.`,
      `A escolha é sua: aceitar ou manter ${fromPrice}. Se você não responder, nada muda, e você não perde nada.`,
      ...(needsMandate
        ? [
            "O Pix Automático que você autorizou não é para esse valor: quem aceita autoriza de novo no banco, e até lá o preço continua o de hoje.",
          ]
        : []),
      ...(movesToPix
        ? [
            "Valores abaixo de R$\u00a010,00 se pagam só com Pix: quem aceita passa a pagar por Pix.",
          ]
        : []),
      `Responda aqui, sem entrar na conta: ${url}`,
      `O link vale até ${formatDay(linkUntil)}. ${isReminder ? "Não mandamos outro lembrete." : "Depois, a resposta fica em Ajustes, Assinaturas."}`,
    ].join("\n\n"),
  };
}
