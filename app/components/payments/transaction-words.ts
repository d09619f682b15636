import type {
  Face,
  PaymentKind,
  TransactionKind,
  TransactionState,
} from "#app/domain/billing/schema.ts";

export const FACE_WORDS: Record<Face, string> = { paid: "O que paguei", received: "O que recebi" };

export const STATE_WORDS: Record<TransactionState, string> = {
  paid: "Pago",
  returned: "Devolvido, todo ou em parte",
  disputed: "Em contestação",
  lost: "Contestação perdida",
  waiting: "Esperando pagamento",
  unpaid: "Não foi pago",
};

/** What was received was paid for: nothing waits and nothing failed. */
export const STATES_OF: Record<Face, TransactionState[]> = {
  paid: ["paid", "returned", "disputed", "lost", "waiting", "unpaid"],
  received: ["paid", "returned", "disputed", "lost"],
};

export const KIND_WORDS: Record<TransactionKind, string> = {
  subscription: "Assinatura",
  plan_change: "Mudança de plano",
  post: "Publicação",
  collection: "Coleção",
  tip: "Apoio",
  gift: "Presente",
};

/** The same of any payment. */
export const kindWord = (kind: PaymentKind): string =>
  kind === "debt" ? "Quitação do valor a descontar" : KIND_WORDS[kind];
