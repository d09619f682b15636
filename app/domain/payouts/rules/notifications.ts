import { formatMoney } from "#app/domain/money.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import { formatMinute } from "#app/domain/time.ts";
import type { PayoutMessage } from "#app/domain/payouts/schema/outbox.ts";

/** Notifications about a creator's payouts, and about payouts that moderators must approve. */
export const payoutNotifications: NotificationRenderers<PayoutMessage> = {
  "payout.paid": (message) => [
    payoutNotification(
      message,
      `Seu saque de ${formatMoney(message.amountCents)} caiu na sua conta.`,
      "Seu saque foi pago",
    ),
  ],
  "payout.failed": (message) => [
    payoutNotification(
      message,
      `Seu saque de ${formatMoney(message.amountCents)} falhou e voltou para o saldo. Confira a chave Pix ou a conta.`,
      "Seu saque falhou",
    ),
  ],
  "payout.returned": (message) => [
    payoutNotification(
      message,
      `O banco devolveu seu saque de ${formatMoney(message.amountCents)}. O valor voltou para o saldo.`,
      "O banco devolveu seu saque",
    ),
  ],
  "payout.held": (message) => [
    payoutNotification(
      message,
      `Seu saque está retido: ${heldText(message)} O dinheiro continua no seu saldo.`,
      "Seu saque está retido",
    ),
  ],
  "payouts.held": (message) => [
    payoutNotification(
      message,
      `Seus saques estão retidos: ${withFullStop(message.reason)} O dinheiro continua no seu saldo. Nada sai até a nossa equipe liberar, e você recebe um aviso quando isso acontecer. Se pedimos algo, mande; se não, você não precisa fazer nada.`,
      "Seus saques estão retidos",
    ),
  ],
  "payouts.released": (message) => [
    payoutNotification(
      message,
      "Seus saques estão liberados. O que já estava pedido segue agora. Se nada estava pedido, peça um saque ou espere o próximo da sua agenda.",
      "Seus saques estão liberados",
    ),
  ],
  "payout.canceled": (message) => [
    payoutNotification(
      message,
      `Seu saque foi cancelado pela nossa equipe: ${withFullStop(message.reason)} O dinheiro continua no seu saldo.`,
      "Seu saque foi cancelado",
    ),
  ],
  "payout.ended": (message) => [
    payoutNotification(
      { ...message, type: "payout.canceled" },
      `Seu saque foi cancelado. ${message.reason}`,
      "Seu saque foi cancelado",
    ),
  ],
  "payout.approval_asked": (message) => {
    const body = `Um saque de ${formatMoney(message.amountCents)} espera a aprovação da moderação.`;
    return message.moderatorIds.map((personId) => ({
      personId,
      kind: message.type,
      body,
      path: `/admin/payouts/${message.payoutId}`,
      mail: null,
    }));
  },
  "withdrawal.changed": (message) => [withdrawalNotification(message)],
  "payout.requested": (message) => {
    const body = `${message.memberName} pediu um saque em nome da sua página. O dinheiro vai para a sua chave Pix ou conta.`;
    const undo = "Não era para pedir? Tire essa permissão em Equipes.";
    return [
      {
        personId: message.creatorId,
        kind: message.type,
        body,
        path: "/settings/transfers",
        mail: {
          subject: `${message.memberName} pediu um saque da sua página`,
          body: `${body}\n\n${undo}`,
        },
      },
    ];
  },
};

function heldText({ reason, until }: Extract<PayoutMessage, { type: "payout.held" }>): string {
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

/** Adds a full stop to a text that a person wrote, if it has none. */
const withFullStop = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

function payoutNotification(
  message: { type: NotificationDraft["kind"]; creatorId: string },
  body: string,
  subject: string,
): NotificationDraft {
  return {
    personId: message.creatorId,
    kind: message.type,
    body,
    path: "/settings/transfers",
    mail: { subject, body },
  };
}

/**
 * Notifies a creator of a changed destination, so that somebody who did not change it can act
 * during the hold.
 *
 * A thief changes the account's e-mail before its key. So the e-mails that the account had within
 * thirty days get it too, each separately. Source: issue 6, "tells the old address";
 * docs/decisions/money/verify-who-owns-a-pix-key.md.
 */
function withdrawalNotification({
  creatorId,
  pixKeyMasked,
  isAccount = false,
  holdUntil,
}: Extract<PayoutMessage, { type: "withdrawal.changed" }>): NotificationDraft {
  const what = isAccount ? "A conta" : "A chave Pix";
  const body = `${what} dos seus saques agora é ${pixKeyMasked}. Por segurança, os saques esperam até ${formatMinute(holdUntil)}.`;
  const subject = `${what} dos seus saques mudou`;
  return {
    personId: creatorId,
    kind: "withdrawal.changed",
    body,
    path: "/settings/withdrawal-method",
    mail: {
      subject,
      body: `${body}\n\nNão foi você? Entre na sua conta, encerre as outras sessões em Acesso e segurança e troque de volta: a espera recomeça.`,
    },
    formerMail: (leftAt) => ({
      subject,
      body: `${body}\n\nEscrevemos para este endereço porque ele foi o e-mail principal da conta até ${formatMinute(leftAt)}. Foi você quem trocou o e-mail e o destino? Então não precisa fazer nada. Não foi? Fale com o suporte agora: nada sai antes do fim da espera.`,
    }),
  };
}
