import { formatMoney } from "#app/domain/money.ts";
import type { Told } from "#app/domain/notifications/schema.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import { formatMinute } from "#app/domain/time.ts";

type ChargeMessage = Extract<
  OutboxMessage,
  {
    type:
      | "charge.to_confirm"
      | "charge.refunded"
      | "charge.refund_refused"
      | "refund.key_asked"
      | "refund.transferred";
  }
>;

/** What happened to a payment after it was made: its payer hears of its money. */
export function chargeTold(message: ChargeMessage): Told {
  const money = formatMoney(message.amountCents);
  const told = { kind: message.type, path: `/settings/transactions/${message.chargeId}` };
  switch (message.type) {
    case "charge.to_confirm":
      return {
        ...told,
        path: `/checkout/${message.chargeId}`,
        personId: message.payerId,
        ...toConfirm(message, money),
      };
    case "charge.refunded":
      return {
        ...told,
        personId: message.payerId,
        body: `Devolvemos ${money}: ${message.description}.`,
        mail: {
          subject: `Devolvemos ${money}`,
          body: `${message.description}.\n\n${message.reason}`,
        },
      };
    case "charge.refund_refused":
      return {
        ...told,
        personId: message.payerId,
        body: `Ainda não conseguimos devolver ${money}: ${message.description}. O dinheiro é seu, e nossa equipe já foi avisada.`,
        mail: {
          subject: `A devolução de ${money} atrasou`,
          body: `${message.description}.\n\nO provedor de pagamento não aceitou a devolução agora. O dinheiro é seu: nossa equipe já foi avisada e vai devolver. Se preferir, responda a este e-mail.`,
        },
      };
    case "refund.key_asked":
      return { ...told, personId: message.payerId, ...keyAsked(message, money) };
    case "refund.transferred":
      return {
        ...told,
        personId: message.payerId,
        body: `Enviamos ${money} por Pix para a sua chave: ${message.description}.`,
        mail: {
          subject: `Devolvemos ${money} por Pix`,
          body: `${message.description}.\n\nO Pix foi para a chave que você informou. Confira na conta em que ela está cadastrada.`,
        },
      };
  }
}

/** Nothing was taken yet, and nothing has to be done by who gave it up. */
function toConfirm(
  {
    chargeId,
    description,
    confirmUntil,
    appOrigin,
  }: Extract<ChargeMessage, { type: "charge.to_confirm" }>,
  money: string,
): Pick<Told, "body" | "mail"> {
  return {
    body: `Falta confirmar no banco o pagamento de ${money}: ${description}.`,
    mail: {
      subject: `Falta confirmar o seu pagamento de ${money}`,
      body: `${description}.\n\nO pagamento com cartão ficou pela metade: falta confirmar na página do banco, e nada foi cobrado ainda.\n\nContinue por aqui, até ${formatMinute(confirmUntil)}:\n${appOrigin}/checkout/${chargeId}\n\nSe você já confirmou, é só esperar. Se desistiu, não precisa fazer nada: nada é cobrado.`,
    },
  };
}

/** Said kindly: nobody did anything wrong, and nothing is lost while no key is given. */
function keyAsked(
  { url, description, isAgain, isReminder }: Extract<ChargeMessage, { type: "refund.key_asked" }>,
  money: string,
): Pick<Told, "body" | "mail"> {
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
