import type { Told } from "#app/domain/notifications/schema.ts";
import { formatMoney, formatPercent } from "#app/domain/money.ts";
import type { OutboxMessage } from "#app/domain/outbox.server.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";

type Message = Extract<
  OutboxMessage,
  {
    type:
      | "payout.paid"
      | "payout.failed"
      | "payout.returned"
      | "payout.held"
      | "payouts.held"
      | "payouts.released"
      | "payout.canceled"
      | "payout.ended"
      | "payout.approval_asked"
      | "withdrawal.changed"
      | "fee.changed"
      | "debt.paid";
  }
>;

export function payoutTold(message: Message): Told[] {
  switch (message.type) {
    case "payout.paid":
      return [
        told(
          message,
          `Seu saque de ${formatMoney(message.amountCents)} caiu na sua conta.`,
          "Seu saque foi pago",
        ),
      ];
    case "payout.failed":
      return [
        told(
          message,
          `Seu saque de ${formatMoney(message.amountCents)} falhou e voltou para o saldo. Confira a chave Pix ou a conta.`,
          "Seu saque falhou",
        ),
      ];
    case "payout.returned":
      return [
        told(
          message,
          `O banco devolveu seu saque de ${formatMoney(message.amountCents)}. O valor voltou para o saldo.`,
          "O banco devolveu seu saque",
        ),
      ];
    case "payout.held":
      return [
        told(
          message,
          `Seu saque está retido: ${heldWords(message)} O dinheiro continua no seu saldo.`,
          "Seu saque está retido",
        ),
      ];
    case "payouts.held":
      return [
        told(
          message,
          `Seus saques estão retidos: ${sentence(message.reason)} O dinheiro continua no seu saldo. Nada sai até a nossa equipe liberar, e você recebe um aviso quando isso acontecer. Se pedimos algo, mande; se não, você não precisa fazer nada.`,
          "Seus saques estão retidos",
        ),
      ];
    case "payouts.released":
      return [
        told(
          message,
          "Seus saques estão liberados. O que já estava pedido segue agora. Se nada estava pedido, peça um saque ou espere o próximo da sua agenda.",
          "Seus saques estão liberados",
        ),
      ];
    case "payout.canceled":
      return [
        told(
          message,
          `Seu saque foi cancelado pela nossa equipe: ${sentence(message.reason)} O dinheiro continua no seu saldo.`,
          "Seu saque foi cancelado",
        ),
      ];
    case "payout.ended":
      return [
        told(
          { ...message, type: "payout.canceled" },
          `Seu saque foi cancelado. ${message.reason}`,
          "Seu saque foi cancelado",
        ),
      ];
    case "payout.approval_asked": {
      const body = `Um saque de ${formatMoney(message.amountCents)} espera a aprovação da moderação.`;
      return message.moderatorIds.map((personId) => ({
        personId,
        kind: message.type,
        body,
        path: `/admin/payouts/${message.payoutId}`,
        mail: null,
      }));
    }
    case "withdrawal.changed":
      return [withdrawalTold(message)];
    case "debt.paid": {
      const left =
        message.leftCents > 0
          ? ` Ainda faltam ${formatMoney(message.leftCents)}.`
          : " Não há mais nada a descontar.";
      return [
        told(
          message,
          `Recebemos ${formatMoney(message.amountCents)} do valor a descontar.${left}`,
          "Recebemos o seu Pix",
        ),
      ];
    }
    case "fee.changed": {
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
    }
  }
}

function heldWords({ reason, until }: Extract<Message, { type: "payout.held" }>): string {
  switch (reason) {
    case "documents":
      return "ele sai assim que os seus documentos forem aprovados.";
    case "changed_method":
      return `a chave ou a conta mudou há pouco, e por segurança ele espera${until === null ? "" : ` até ${formatMinute(until)}`}.`;
    case "approval":
      return "pelo valor, uma pessoa da nossa equipe confere antes de enviar. Não precisa fazer nada.";
    case "owner_differs":
      return "no Pix, a chave não está no nome de quem enviou os documentos, ou não existe mais. Troque por uma chave ou conta sua em Para onde vai o dinheiro.";
  }
}

/** A person's own words, ended as a sentence. */
const sentence = (words: string): string => (/[.!?…]$/.test(words) ? words : `${words}.`);

function told(
  message: { type: Told["kind"]; creatorId: string },
  body: string,
  subject: string,
): Told {
  return {
    personId: message.creatorId,
    kind: message.type,
    body,
    path: "/settings/transfers",
    mail: { subject, body },
  };
}

/**
 * The mail is for whoever did not change it: the hold is the time they have. Who stole an account
 * changes its e-mail before its key: the e-mails that it had within thirty days are written to as
 * well (`former`), each apart. Source: issue 6, "tells the old address";
 * docs/decisions/money/verify-who-owns-a-pix-key.md.
 */
export function withdrawalToldTo(
  message: Extract<Message, { type: "withdrawal.changed" }>,
  former: readonly { email: string; leftAt: number }[],
): Told[] {
  const own = withdrawalTold(message);
  const letters = former.map(({ email, leftAt }): Told => ({
    ...own,
    personId: null,
    email,
    mail: own.mail && {
      subject: own.mail.subject,
      body: `${own.body}\n\nEscrevemos para este endereço porque ele foi o e-mail principal da conta até ${formatMinute(leftAt)}. Foi você quem trocou o e-mail e o destino? Então não precisa fazer nada. Não foi? Fale com o suporte agora: nada sai antes do fim da espera.`,
    },
  }));
  return [own, ...letters];
}

function withdrawalTold({
  creatorId,
  pixKeyMasked,
  isAccount = false,
  holdUntil,
}: Extract<Message, { type: "withdrawal.changed" }>): Told {
  const what = isAccount ? "A conta" : "A chave Pix";
  const body = `${what} dos seus saques agora é ${pixKeyMasked}. Por segurança, os saques esperam até ${formatMinute(holdUntil)}.`;
  return {
    personId: creatorId,
    kind: "withdrawal.changed",
    body,
    path: "/settings/withdrawal-method",
    mail: {
      subject: `${what} dos seus saques mudou`,
      body: `${body}\n\nNão foi você? Entre na sua conta, encerre as outras sessões em Conta e troque de volta: a espera recomeça.`,
    },
  };
}
