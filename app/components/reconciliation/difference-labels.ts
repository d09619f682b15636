import { payoutLabel } from "#app/domain/payouts/rules.ts";
import { payoutStatuses } from "#app/domain/payouts/schema.ts";
import type {
  ComparedObject,
  DifferenceKind,
  DifferenceState,
} from "#app/domain/reconciliation/schema.ts";

export const RECONCILED_OBJECT_LABELS: Record<ComparedObject, string> = {
  charge: "Cobrança",
  refund: "Reembolso",
  transfer: "Transferência",
  dispute: "Contestação",
  authorisation: "Pix Automático",
};

export const DIFFERENCE_KIND_LABELS: Record<DifferenceKind, string> = {
  ours_missing: "Falta aqui",
  theirs_missing: "Falta no provedor",
  amount: "Valores diferentes",
  state: "Situações diferentes",
};

export const DIFFERENCE_STATE_LABELS: Record<
  DifferenceState,
  { label: string; tone: "attention" | "good" | "neutral" }
> = {
  open: { label: "Aberta", tone: "attention" },
  repaired: { label: "Resolvida", tone: "good" },
  explained: { label: "Explicada", tone: "neutral" },
};

/** Where a difference stands, as its badge says it. */
export const differenceBadge = ({ state, isAsked }: { state: DifferenceState; isAsked: boolean }) =>
  isAsked
    ? ({ label: "Espera acordo", tone: "attention" } as const)
    : DIFFERENCE_STATE_LABELS[state];

/**
 * The words of both sides for a state: ours and the providers' are the same where they mean the
 * same.
 */
const SIDE_WORDS: Record<string, string> = {
  created: "Criada",
  awaiting_payment: "Aguardando pagamento",
  requires_action: "Falta confirmar",
  processing: "Em processamento",
  succeeded: "Confirmado",
  failed: "Falhou",
  expired: "Expirou",
  canceled: "Cancelado",
  partially_refunded: "Devolvido em parte",
  refunded: "Devolvido",
  disputed: "Contestado",
  dispute_won: "Contestação ganha",
  dispute_lost: "Contestação perdida",
  requested: "Pedido",
  returned: "Devolvido",
  paid: "Pago",
  open: "Aberta",
  needs_response: "Espera resposta",
  under_review: "Em análise",
  won: "Ganha",
  lost: "Perdida",
};

/** An authorisation, in words that a payment has otherwise. */
const AGREED_WORDS: Record<string, string> = {
  created: "Aguardando o banco",
  active: "Autorizado",
  rejected: "Recusado no banco",
  canceled: "Encerrado",
  expired: "Expirou",
};

export function sideStatusLabel(object: ComparedObject, status: string): string {
  if (object === "authorisation") return AGREED_WORDS[status] ?? status;
  const known = object === "transfer" ? payoutStatuses.find((one) => one === status) : undefined;
  return known ? payoutLabel(known) : (SIDE_WORDS[status] ?? status);
}

/** What to do about it, for who looks. */
export const KIND_HINTS: Record<DifferenceKind, string> = {
  ours_missing:
    "O provedor tem isto e nós não. Pode ser outro uso da mesma conta: confira na página do provedor antes de explicar.",
  theirs_missing:
    "Nós contamos com isto e o provedor diz que não existe. Confira se a conta e o ambiente são os certos.",
  amount: "Os dois lados têm isto, com valores que não batem.",
  state: "Os dois lados têm isto, em situações que não combinam, e perguntar de novo não resolveu.",
};
