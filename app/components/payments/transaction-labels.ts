import type {
  StatementSide,
  PaymentKind,
  TransactionKind,
  TransactionState,
} from "#app/domain/billing/schema.ts";

export const STATEMENT_SIDE_LABELS: Record<StatementSide, string> = {
  paid: "O que paguei",
  received: "O que recebi",
};

export const TRANSACTION_STATE_LABELS: Record<TransactionState, string> = {
  paid: "Pago",
  returned: "Devolvido, todo ou em parte",
  disputed: "Em contestação",
  lost: "Contestação perdida",
  waiting: "Esperando pagamento",
  unpaid: "Não foi pago",
};

/** States to filter a statement by. Received payments were paid: none is pending or failed. */
export const STATES_BY_SIDE: Record<StatementSide, TransactionState[]> = {
  paid: ["paid", "returned", "disputed", "lost", "waiting", "unpaid"],
  received: ["paid", "returned", "disputed", "lost"],
};

export const TRANSACTION_KIND_LABELS: Record<TransactionKind, string> = {
  subscription: "Assinatura",
  plan_change: "Mudança de plano",
  post: "Publicação",
  collection: "Coleção",
  message: "Mensagem",
  event: "Ingresso",
  tip: "Apoio",
  gift: "Presente",
};

/** Label of the kind of any payment, including the settlement of a debt. */
export const transactionKindText = (kind: PaymentKind): string =>
  kind === "debt" ? "Quitação do valor a descontar" : TRANSACTION_KIND_LABELS[kind];
