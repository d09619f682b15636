import type {
  AvailableReason,
  OpenPayout,
  PendingReason,
  PendingDispute,
  PendingSale,
} from "#app/domain/payouts/timeline/rules/timeline.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import { heldTextForCreator, waitTextForCreator } from "./payout-labels.ts";

export type TimelineText = {
  title: string;
  why: string;
  todo?: { to: string; label: string } | undefined;
};

const SALE_TEXTS: Record<PendingReason, (sale: PendingSale) => string> = {
  going_back: () =>
    "Volta para quem pagou: os seus documentos mostram menos de 18 anos, e para vender é preciso ter.",
  leaving_now: () => "O prazo acabou: entra no disponível nos próximos minutos.",
  gift: () =>
    "É um presente que ninguém resgatou ainda. O prazo começa quando alguém resgatar; sem resgate em um ano, volta para quem deu.",
  paid_ahead: ({ at, beginsAt }) =>
    `Foi pago adiantado: fica livre em ${formatDay(at)}, um dia depois de começar o período que paga${beginsAt === null ? "" : ` (${formatDay(beginsAt)})`}.`,
  card: ({ at }) =>
    `Fica livre em ${formatDay(at)}: no cartão o dinheiro chega cerca de 30 dias depois da venda.`,
  first_pix: ({ at }) =>
    `Fica livre em ${formatDay(at)}: o primeiro Pix de cada contrato espera 8 dias, porque quem pagou pode desistir em 7.`,
  renewal_pix: ({ at }) => `Fica livre em ${formatDay(at)}: renovação no Pix espera um dia.`,
  settlement: ({ at }) =>
    `Fica livre em ${formatDay(at)}, quando o provedor de pagamentos repassa.`,
};

/** Text of a pending sale: what was sold, and why its funds are not available yet. */
export const pendingSaleText = (sale: PendingSale, why: PendingReason): TimelineText => ({
  title: sale.description,
  why: SALE_TEXTS[why](sale),
});

/** Text of disputed funds, and what the seller can do. */
export function timelineDisputeText(
  { id, description, disputeKind, respondBy, underReviewAt }: PendingDispute,
  { mayAct, isTooLate }: { mayAct: boolean; isTooLate: boolean },
): TimelineText {
  const title = `${description}: ${disputeKind === "med" ? "devolução especial do Pix (MED)" : "contestação no cartão"}`;
  const to = `/settings/transactions/disputes/${id}`;
  if (underReviewAt !== null)
    return {
      title,
      why: "O banco está analisando. Ganha, o valor volta para você; perdida, volta para quem pagou.",
      todo: { to, label: "Ver contestação" },
    };
  if (isTooLate && respondBy !== null)
    return {
      title,
      why: `Quem pagou contestou no banco. O prazo para responder acabou em ${formatMinute(respondBy)}; falta o banco decidir.`,
      todo: { to, label: "Ver contestação" },
    };
  const until = respondBy === null ? "" : ` até ${formatMinute(respondBy)}`;
  return {
    title,
    why: `Quem pagou contestou no banco. Dá para responder${until}; sem resposta, o banco costuma devolver a quem pagou.`,
    todo: { to, label: mayAct ? "Responder" : "Ver contestação" },
  };
}

/** Text of a payout in transit, which is either claimed or sent. */
export function inTransitText({
  status,
  sentAt,
  requestedAt,
  waitsFor = null,
  waitsUntil = null,
}: OpenPayout): TimelineText {
  const title = `Saque pedido em ${formatMinute(requestedAt)}`;
  if (status === "claimed" && waitsFor !== null)
    return {
      title,
      why: `O valor já está separado. ${waitTextForCreator({ waitsFor, waitsUntil })}`,
    };
  if (status === "claimed")
    return {
      title,
      why: "Em envio: o valor já está separado e sai para o banco nos próximos minutos.",
    };
  return {
    title,
    why: `Enviado${sentAt === null ? "" : ` em ${formatMinute(sentAt)}`}: falta o banco confirmar. Quase sempre são minutos; se ele recusar, o valor volta para o disponível.`,
  };
}

const METHOD = { to: "/settings/withdrawal-method", label: "Para onde vai o dinheiro" };
const TRANSFERS = { to: "/settings/transfers", label: "Ir para os saques" };
const DOCUMENTS = { to: "/settings/check-documents", label: "Ver documentos" };
const BY_STAFF = "A nossa equipe está conferindo os seus saques. O dinheiro continua no seu saldo.";
const WEEKLY = "toda segunda-feira";
const MONTHLY = "todo dia 1º";

/** Why available funds were not paid out, and what to do. `holdReason` is a moderator's own text. */
export function availableMoneyText(
  wait: AvailableReason,
  { holdReason }: { holdReason: string | null },
): TimelineText {
  switch (wait.why) {
    case "banned":
      return {
        title: "Conta suspensa",
        why: "Enquanto a conta estiver suspensa, nada sai. Fale com o suporte.",
      };
    case "underage":
      return {
        title: "Volta para quem pagou",
        why: "Os seus documentos mostram que você ainda não tem 18 anos, e para vender é preciso ter. O que ainda não saiu volta para quem pagou; o que sobrar sem uma venda a devolver fica guardado aqui até você fazer 18 anos e mandar documentos de novo.",
        todo: DOCUMENTS,
      };
    case "leaving":
      return {
        title: "A conta vai ser excluída",
        why: "O saldo é pago no fim do prazo da exclusão, sem valor mínimo.",
      };
    case "books":
      return {
        title: "Estamos conferindo as contas",
        why: "Todos os saques esperam um pouco. O dinheiro continua seu e sai assim que terminarmos.",
      };
    case "held":
      return {
        title: "Saque retido",
        why: heldTextForCreator({ ...wait, holdReason }),
        ...(wait.reason === "documents"
          ? { todo: DOCUMENTS }
          : wait.reason === "owner_differs"
            ? { todo: METHOD }
            : {}),
      };
    case "requested":
      return {
        title: `Saque pedido em ${formatMinute(wait.at)}`,
        why: "Na fila: sai nos próximos minutos.",
      };
    case "waits":
      return { title: `Saque pedido em ${formatMinute(wait.at)}`, why: waitTextForCreator(wait) };
    case "no_method":
      return {
        title: "Falta dizer para onde vai",
        why: "Envie os documentos e diga a chave que recebe o dinheiro.",
        todo: DOCUMENTS,
      };
    case "documents":
      return {
        title: "Faltam os documentos",
        why: "O saque abre assim que os seus documentos forem aprovados.",
        todo: DOCUMENTS,
      };
    case "already_open":
      return {
        title: "Chegou depois do último saque",
        why: "Já há um saque a caminho. O que entrou depois sai no próximo.",
      };
    case "no_provider":
      return { title: "Saques fora do ar", why: "Voltam em breve. O saldo continua seu." };
    case "held_by_staff":
      return { title: "Saques retidos", why: holdReason ?? BY_STAFF };
    case "method_on_hold":
      return {
        title: "O destino mudou há pouco",
        why: `Por segurança, os saques voltam ${wait.until === null ? "24 horas depois da mudança" : `depois de ${formatMinute(wait.until)}`}.`,
      };
    case "below_minimum":
      return {
        title: "Abaixo do mínimo",
        why: `O saque mínimo é R$\u00a010,00. ${wait.until === null ? "O que fica parado por 30 dias pode ser sacado em qualquer valor." : `A partir de ${formatDay(wait.until)} pode ser sacado em qualquer valor.`}`,
      };
    case "asked_by_hand":
      return {
        title: "Espera você pedir",
        why: "Os seus saques são manuais: o dinheiro sai quando você pedir.",
        todo: TRANSFERS,
      };
    case "scheduled":
      return {
        title: `Sai em ${formatDay(wait.at)}`,
        why: `A sua agenda saca ${wait.schedule === "weekly" ? WEEKLY : MONTHLY}. Não precisa fazer nada.`,
        todo: METHOD,
      };
  }
}

/**
 * Why no payout can be requested, for the creator or for a team member of `of`. Team members cannot
 * correct documents or keys.
 */
export function payoutObstacleText(
  wait: AvailableReason,
  { holdReason, of }: { holdReason: string | null; of: string | null },
): TimelineText {
  const { title, why, todo } = availableMoneyText(wait, { holdReason });
  if (of === null) return { title, why, todo };
  const reason = wait.why === "held" ? wait.reason : wait.why;
  if (reason === "no_method" || reason === "documents")
    return {
      title: "Faltam os documentos",
      why: `O saque abre quando os documentos de ${of} estiverem aprovados.`,
    };
  if (reason === "owner_differs")
    return {
      title,
      why: `No Pix, a chave não está no nome de ${of}, ou não existe mais: o saque espera outra.`,
    };
  if (reason === "underage")
    return { title, why: `O que ainda não saiu da página de ${of} volta para quem pagou.` };
  return { title, why };
}

export const OWED_TEXT: TimelineText = {
  title: "A descontar",
  why: "Voltou para quem pagou quando não havia de onde tirar. Sai de até metade de cada novo valor liberado, até zerar.",
};

export const UNEXPLAINED_TEXT: TimelineText = {
  title: "Em conferência",
  why: "As nossas contas não fecham neste valor. A equipe já foi avisada, e os saques esperam até estar certo.",
};
