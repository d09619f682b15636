import type { StaffAction } from "#app/domain/payouts/staff-review/queries/staff-review.server.ts";
import { payoutLabel } from "#app/domain/payouts/rules.ts";
import type { BatchFilter, ReviewView } from "#app/domain/payouts/staff-review/rules.ts";
import { HELD_LABELS } from "#app/components/payouts/payout-labels.ts";

export const REVIEW_VIEW_LABELS: Record<ReviewView, { label: string; empty: string }> = {
  approval: { label: "Para aprovar", empty: "Nenhum saque espera aprovação." },
  held: { label: "Retidos", empty: "Nenhum saque está retido." },
  short: {
    label: "Esperam o provedor",
    empty: "Nenhum saque espera saldo nem a nossa conta no provedor.",
  },
  under_way: { label: "Em envio", empty: "Nenhum saque está a caminho." },
  back: { label: "Falharam ou voltaram", empty: "Nenhum saque falhou nem voltou." },
  all: { label: "Todos", empty: "Nenhum saque foi pedido ainda." },
};

/** Label of a group of a batch: the hold reason of held payouts, the status of others. */
export function batchGroupLabel({ status, heldReason }: BatchFilter): string {
  if (status === "held" && heldReason) return `${payoutLabel(status)}: ${HELD_LABELS[heldReason]}`;
  if (status === "claimed" || status === "sent")
    return `${payoutLabel(status)}: ${status === "claimed" ? "separado" : "com o banco"}`;
  return payoutLabel(status);
}

export const STAFF_ACTION_LABELS: Record<StaffAction["act"], string> = {
  approve: "aprovou",
  cancel: "cancelou",
  retry: "pediu de novo",
  ask: "perguntou ao provedor",
  hold: "reteve os saques",
  release: "liberou os saques",
  record: "registrou que o banco pagou",
};
