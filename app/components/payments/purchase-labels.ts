import type { BadgeTone } from "#app/components/ui/badge.tsx";
import type { ChargeStatus } from "#app/domain/payments/rules.ts";
import type { PurchaseEndReason, SingleKind } from "#app/domain/purchases/schema.ts";

const ENDED: Record<PurchaseEndReason, string> = {
  unpaid: "Não foi paga",
  given_back: "Devolvida",
  regret: "Você desistiu",
  refunded: "Devolvida",
  dispute_lost: "Contestada",
  removed: "Saiu do ar",
  creator_left: "A página encerrou",
  buyer_left: "Encerrada",
};

const ENDED_TICKETS: Partial<Record<PurchaseEndReason, string>> = {
  given_back: "Devolvido",
  regret: "Você cancelou",
  refunded: "Devolvido",
  dispute_lost: "Contestado",
  removed: "Cancelado e devolvido",
  buyer_left: "Encerrado",
};

/** Badge with the status of a purchase, as its buyer reads it. */
export function purchaseBadge({
  endedReason,
  chargeStatus,
  kind,
}: {
  kind?: SingleKind;
  endedReason: PurchaseEndReason | null;
  chargeStatus: ChargeStatus;
}): { label: string; tone: BadgeTone } {
  if (endedReason !== null)
    return {
      label: (kind === "event" ? ENDED_TICKETS[endedReason] : undefined) ?? ENDED[endedReason],
      tone: "neutral",
    };
  return chargeStatus === "disputed"
    ? { label: "Em contestação", tone: "attention" }
    : { label: kind === "event" ? "Pago" : "É sua", tone: "good" };
}

const SINGLE_KIND_LABELS: Record<SingleKind, string> = {
  post: "Publicação",
  collection: "Coleção",
  message: "Mensagem",
  event: "Ingresso",
};

export const singleKindLabel = (kind: SingleKind): string => SINGLE_KIND_LABELS[kind];
