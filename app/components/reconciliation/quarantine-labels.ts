import { RECONCILED_OBJECT_LABELS } from "./difference-labels.ts";
import type { BadgeTone } from "#app/components/ui/badge.tsx";
import type {
  StaffQuarantineReason,
  QuarantineState,
} from "#app/domain/payments/webhook-events/rules.ts";
import type { ProviderEvent } from "#app/domain/payments/schema.ts";

/** Why an inbox event is quarantined, and what to do about it. */
export const QUARANTINE_REASON_LABELS: Record<
  StaffQuarantineReason,
  { label: string; hint: string }
> = {
  unknown_charge: {
    label: "Cobrança que não é daqui",
    hint: "O provedor falou de uma cobrança que não temos. Pode ser outro uso da mesma conta: confira na página dele.",
  },
  unknown_refund: {
    label: "Reembolso que não é daqui",
    hint: "O provedor devolveu uma cobrança que não temos. Pode ser outro uso da mesma conta: confira na página dele.",
  },
  unknown_transfer: {
    label: "Transferência que não é daqui",
    hint: "Saiu, ou ia sair, dinheiro da conta sem um saque nem um reembolso nosso. Confira na página do provedor quem pediu.",
  },
  unknown_recurring_pix: {
    label: "Pix Automático que não é daqui",
    hint: "O provedor falou de uma autorização que não temos. Se ela está ativa, encerre na página dele: ninguém deve ser debitado por ela.",
  },
  second_payment: {
    label: "Cobrança paga duas vezes",
    hint: "Outro pagamento chegou com a referência de uma cobrança que já estava paga. Ele não está no livro-razão: devolva na página do provedor a quem pagou.",
  },
  another_transfer: {
    label: "Segunda transferência do mesmo dinheiro",
    hint: "O saque ou reembolso já tem uma transferência, e o provedor falou de outra. Confira na página dele se alguém recebeu duas vezes.",
  },
  paid_after_given_back: {
    label: "Pago depois de falhar",
    hint: "De um saque, o valor tinha voltado ao saldo, e os saques desta pessoa estão retidos: no saque, registre que o banco pagou, e libere. De um reembolso, confira quanto quem pagou recebeu.",
  },
  amount_differs: {
    label: "Contestação de um valor que não bate",
    hint: "O banco contesta um valor que não cabe no que resta da cobrança, e nada foi reservado. Compare com a página do provedor e tente de novo.",
  },
  not_there: {
    label: "O provedor não encontra o que avisou",
    hint: "Perguntamos por dez minutos, e ele respondeu que não existe. Confira na página dele; se aparecer, tente de novo.",
  },
  foreign_currency: {
    label: "Valor que não é em reais",
    hint: "Só reais entram no livro-razão. Resolva na página do provedor e anote o que foi feito.",
  },
  provider_refused: {
    label: "O provedor recusou a pergunta",
    hint: "Ele avisou, mas não quis dizer como está. O código abaixo é a resposta dele.",
  },
  fault: {
    label: "Erro nosso ao aplicar",
    hint: "Tentamos dez vezes e o erro é nosso. Leve o nome da falha a quem cuida do código; depois de consertada, tente de novo.",
  },
};

export const QUARANTINE_STATE_LABELS: Record<QuarantineState, { label: string; tone: BadgeTone }> =
  {
    waiting: { label: "Espera alguém", tone: "attention" },
    queued: { label: "Na fila de novo", tone: "neutral" },
    applied: { label: "Aplicado", tone: "good" },
    closed: { label: "Encerrado", tone: "neutral" },
  };

/** Short label of an inbox event's type. */
export const EVENT_TYPE_LABELS: Record<ProviderEvent["type"], string> = {
  charge: RECONCILED_OBJECT_LABELS.charge,
  refund: RECONCILED_OBJECT_LABELS.refund,
  transfer: RECONCILED_OBJECT_LABELS.transfer,
  dispute: RECONCILED_OBJECT_LABELS.dispute,
  recurring_pix: RECONCILED_OBJECT_LABELS.authorisation,
  instruction: "Ordem de débito",
  other: "Outro assunto",
};
