import { formatMoney, formatPercent } from "#app/domain/money.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import type { PaymentMessage } from "#app/domain/payments/schema/outbox.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import { disputeNotification } from "./dispute-notifications.ts";
import type { DisputeEmailText } from "./dispute-notifications.ts";

type ChargeMessage = Extract<
  PaymentMessage,
  {
    type:
      | "charge.to_confirm"
      | "charge.refunded"
      | "charge.refund_refused"
      | "refund.key_asked"
      | "refund.transferred";
  }
>;

/**
 * Notifications about a payment after it was made, to its payer or seller, and about a seller's
 * debt.
 */
export const paymentNotifications: NotificationRenderers<PaymentMessage> = {
  "charge.to_confirm": (message) => [chargeNotification(message)],
  "charge.refunded": (message) => [chargeNotification(message)],
  "charge.refund_refused": (message) => [chargeNotification(message)],
  "refund.key_asked": (message) => [chargeNotification(message)],
  "refund.transferred": (message) => [chargeNotification(message)],
  "charge.disputed": (message) => [disputeNotification(message, disputedText(message))],
  "dispute.decided": (message) => [disputeNotification(message, decidedText(message))],
  "debt.paid": (message) => {
    const left =
      message.leftCents > 0
        ? ` Ainda faltam ${formatMoney(message.leftCents)}.`
        : " Não há mais nada a descontar.";
    const body = `Recebemos ${formatMoney(message.amountCents)} do valor a descontar.${left}`;
    return [
      {
        personId: message.creatorId,
        kind: message.type,
        body,
        path: "/settings/transfers",
        mail: { subject: "Recebemos o seu Pix", body },
      },
    ];
  },
  "fee.changed": (message) => {
    const body = `A partir de ${formatDay(message.startsAt)}, a taxa do Coreto nas suas vendas é de ${formatPercent(message.basisPoints)}. O que já foi vendido não muda.`;
    return [
      {
        personId: message.creatorId,
        kind: message.type,
        body,
        path: "/settings/transfers",
        mail: { subject: "A taxa das suas vendas", body },
      },
    ];
  },
};

/** Builds the payer's notification about a payment. */
function chargeNotification(message: ChargeMessage): NotificationDraft {
  const money = formatMoney(message.amountCents);
  const base = { kind: message.type, path: `/settings/transactions/${message.chargeId}` };
  switch (message.type) {
    case "charge.to_confirm":
      return {
        ...base,
        path: `/checkout/${message.chargeId}`,
        personId: message.payerId,
        ...toConfirm(message, money),
      };
    case "charge.refunded":
      return {
        ...base,
        personId: message.payerId,
        body: `Devolvemos ${money}: ${message.description}.`,
        mail: {
          subject: `Devolvemos ${money}`,
          body: `${message.description}.\n\n${message.reason}`,
        },
      };
    case "charge.refund_refused":
      return {
        ...base,
        personId: message.payerId,
        body: `Ainda não conseguimos devolver ${money}: ${message.description}. O dinheiro é seu, e nossa equipe já foi avisada.`,
        mail: {
          subject: `A devolução de ${money} atrasou`,
          body: `${message.description}.\n\nO provedor de pagamento não aceitou a devolução agora. O dinheiro é seu: nossa equipe já foi avisada e vai devolver. Se preferir, responda a este e-mail.`,
        },
      };
    case "refund.key_asked":
      return { ...base, personId: message.payerId, ...keyAsked(message, money) };
    case "refund.transferred":
      return {
        ...base,
        personId: message.payerId,
        body: `Enviamos ${money} por Pix para a sua chave: ${message.description}.`,
        mail: {
          subject: `Devolvemos ${money} por Pix`,
          body: `${message.description}.\n\nO Pix foi para a chave que você informou. Confira na conta em que ela está cadastrada.`,
        },
      };
  }
}

/** Nothing was charged yet, and a payer who changed their mind need do nothing. */
function toConfirm(
  {
    chargeId,
    description,
    confirmUntil,
    appOrigin,
  }: Extract<ChargeMessage, { type: "charge.to_confirm" }>,
  money: string,
): Pick<NotificationDraft, "body" | "mail"> {
  return {
    body: `Falta terminar o pagamento de ${money}: ${description}.`,
    mail: {
      subject: `Falta terminar o seu pagamento de ${money}`,
      body: `${description}.\n\nO pagamento com cartão ficou pela metade, e nada foi cobrado ainda.\n\nContinue por aqui, até ${formatMinute(confirmUntil)}:\n${appOrigin}/checkout/${chargeId}\n\nSe você já terminou, é só esperar. Se desistiu, não precisa fazer nada: nada é cobrado.`,
    },
  };
}

/** A friendly text: no one made a mistake, and nothing is lost while the key is missing. */
function keyAsked(
  { url, description, isAgain, isReminder }: Extract<ChargeMessage, { type: "refund.key_asked" }>,
  money: string,
): Pick<NotificationDraft, "body" | "mail"> {
  const how = `Informe aqui, sem precisar entrar na conta:\n${url}\n\nA chave é o seu CPF ou CNPJ, cadastrado como chave Pix em qualquer banco. O dinheiro fica guardado até lá.`;
  if (isAgain) {
    return {
      body: `O Pix de ${money} não chegou à chave que você informou. Confira a chave e mandamos de novo: ${description}.`,
      mail: {
        subject: `O Pix de ${money} não chegou: confira a sua chave`,
        body: `${description}.\n\nO banco não entregou a devolução na chave que você informou. Ela precisa estar cadastrada como chave Pix, em qualquer banco.\n\n${how}`,
      },
    };
  }
  return {
    body: `${money} esperam a sua chave Pix para voltar para você: ${description}.`,
    mail: {
      subject: isReminder
        ? `${money} ainda esperam a sua chave Pix`
        : `Para onde devolvemos ${money}?`,
      body: `${description}.\n\nEste pagamento volta para você. Como o Pix foi feito há mais de 90 dias, o banco não deixa devolver pelo mesmo caminho: fazemos um Pix novo para a sua chave.\n\n${how}`,
    },
  };
}

function disputedText(
  message: Extract<PaymentMessage, { type: "charge.disputed" }>,
): DisputeEmailText {
  const money = formatMoney(message.amountCents);
  const who =
    message.disputeKind === "med" ? "pediu o Pix de volta pelo banco (MED)" : "contestou no cartão";
  const until =
    message.respondBy === null
      ? ""
      : ` Você pode responder até ${formatMinute(message.respondBy)}.`;
  const { paidCents = message.amountCents } = message;
  if (message.amountCents < paidCents)
    return {
      subject: `${money} de um pagamento foram contestados`,
      body: `Quem pagou ${formatMoney(paidCents)} ${who}: a contestação é de ${money}. Essa parte fica bloqueada até a decisão.${until}`,
    };
  return {
    subject: `Um pagamento de ${money} foi contestado`,
    body: `Quem pagou ${money} ${who}. O valor fica bloqueado até a decisão.${until}`,
  };
}

function decidedText(
  message: Extract<PaymentMessage, { type: "dispute.decided" }>,
): DisputeEmailText {
  const money = formatMoney(message.amountCents);
  return message.decision === "won"
    ? {
        subject: `Você venceu a contestação de ${money}`,
        body: `O banco decidiu a seu favor: ${formatMoney(message.netCents)} saíram do bloqueado e são seus de novo.`,
      }
    : {
        subject: `A contestação de ${money} foi perdida`,
        body: `O banco devolveu ${money} a quem pagou. Os ${formatMoney(message.netCents)} que estavam bloqueados não voltam para o saldo.`,
      };
}
