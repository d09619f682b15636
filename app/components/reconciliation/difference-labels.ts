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

/** Badge with the status of a difference. */
export const differenceBadge = ({ state, isAsked }: { state: DifferenceState; isAsked: boolean }) =>
  isAsked
    ? ({ label: "Espera acordo", tone: "attention" } as const)
    : DIFFERENCE_STATE_LABELS[state];

/**
 * Labels of statuses for both sides: ours and the provider's share a label where they mean the
 * same.
 */
const SIDE_TEXTS: Record<string, string> = {
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

/** Labels of mandate statuses, where they differ from those of a payment. */
const AGREED_TEXTS: Record<string, string> = {
  created: "Aguardando o banco",
  active: "Autorizado",
  rejected: "Recusado no banco",
  canceled: "Encerrado",
  expired: "Expirou",
};

export function sideStatusLabel(object: ComparedObject, status: string): string {
  if (object === "authorisation") return AGREED_TEXTS[status] ?? status;
  const payoutStatus =
    object === "transfer" ? payoutStatuses.find((one) => one === status) : undefined;
  return payoutStatus ? payoutLabel(payoutStatus) : (SIDE_TEXTS[status] ?? status);
}

/** What staff should do about each kind of difference. */
export const KIND_HINTS: Record<DifferenceKind, string> = {
  ours_missing:
    "O provedor tem isto e nós não. Pode ser outro uso da mesma conta: confira na página do provedor antes de explicar.",
  theirs_missing:
    "Nós contamos com isto e o provedor diz que não existe. Confira se a conta e o ambiente são os certos.",
  amount: "Os dois lados têm isto, com valores que não batem.",
  state: "Os dois lados têm isto, em situações que não combinam, e perguntar de novo não resolveu.",
};
