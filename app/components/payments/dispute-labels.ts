import type { BadgeTone } from "#app/components/ui/badge.tsx";
import type { DisputeState } from "#app/domain/disputes/schema.ts";
import type { EvidenceKind } from "#app/domain/payments/schema.ts";

type Answer = "draft" | "submitted" | "by_hand" | "sent" | "refused" | null;

const STATES: Record<DisputeState, { label: string; tone: BadgeTone }> = {
  needs_response: { label: "Aberta", tone: "attention" },
  under_review: { label: "Aberta · em análise", tone: "neutral" },
  too_late: { label: "Aberta · prazo acabou", tone: "neutral" },
  won: { label: "Ganha", tone: "good" },
  lost: { label: "Perdida", tone: "refusal" },
};

export const disputeStateLabel = (state: DisputeState): { label: string; tone: BadgeTone } =>
  STATES[state];

export const disputeKindLabel = (kind: "card" | "med"): string =>
  kind === "med" ? "MED do Pix" : "Contestação do cartão";

export const EVIDENCE_LABELS: Record<EvidenceKind, string> = {
  receipt: "Comprovante ou recibo",
  conversation: "Conversa com quem pagou",
  access: "Acesso ou entrega do que foi comprado",
  policy: "Regras de cancelamento combinadas",
  other: "Outra coisa",
};

/** Explains a dispute to a seller who never had one. */
export function disputeExplanation(kind: "card" | "med"): string {
  return kind === "med"
    ? "Quem pagou por Pix disse ao banco que houve fraude ou engano e pediu o dinheiro de volta. É o Mecanismo Especial de Devolução (MED), do Banco Central. O dinheiro fica bloqueado enquanto os bancos analisam."
    : "Quem pagou disse ao banco do cartão que não reconhece a compra, ou que não recebeu o que comprou. O dinheiro fica bloqueado até a bandeira do cartão decidir.";
}

/** Status of the seller's answer; null while there is none. */
export function disputeAnswerText(
  answer: Answer,
  { isAcceptance }: { isAcceptance: boolean },
): string | null {
  switch (answer) {
    case null:
      return null;
    case "draft":
      return "Sua resposta está guardada, mas ainda não foi enviada.";
    case "submitted":
      return isAcceptance
        ? "Você aceitou a perda. Estamos avisando o provedor de pagamento."
        : "Recebemos a sua resposta e estamos enviando ao provedor de pagamento.";
    case "by_hand":
      return "Recebemos a sua resposta. Nossa equipe envia ao banco antes do prazo.";
    case "sent":
      return isAcceptance
        ? "Você aceitou a perda."
        : "Sua resposta foi enviada. Agora o banco decide, e avisamos você.";
    case "refused":
      return "A resposta não foi aceita pelo provedor de pagamento, ou chegou depois da decisão.";
  }
}
