import type { BadgeTone } from "#app/components/ui/badge.tsx";
import type { GiftOfGiver } from "#app/domain/purchases/gifts/queries/given-gifts.server.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { formatDay } from "#app/domain/time.ts";

/** How long a gift grants access. */
export const GIFT_PERIODS: Record<Interval, string> = {
  weekly: "1 semana",
  monthly: "1 mês",
  quarterly: "3 meses",
  semiannual: "6 meses",
  annual: "1 ano",
};

type GiftState = Pick<
  GiftOfGiver,
  "state" | "chargeStatus" | "deliverAt" | "deliveredAt" | "claimedAt" | "claimerName"
>;

/** Badge with the status of a gift, as its giver reads it. */
export function giftBadge({
  state,
  chargeStatus,
  deliverAt,
  deliveredAt,
  claimedAt,
  claimerName,
}: GiftState): { label: string; tone: BadgeTone } {
  if (chargeStatus === "disputed") return { label: "Em contestação", tone: "attention" };
  if (state === "returned") return { label: "Devolvido", tone: "neutral" };
  if (state === "unclaimed") return { label: "Ninguém resgatou · devolvido", tone: "neutral" };
  if (state === "claimed")
    return {
      label: `Resgatado por ${claimerName ?? "alguém"} em ${formatDay(claimedAt ?? 0)}`,
      tone: "good",
    };
  if (state === "scheduled")
    return { label: `A entregar em ${formatDay(deliverAt ?? 0)}`, tone: "attention" };
  return deliveredAt === null
    ? { label: "A entregar", tone: "attention" }
    : { label: "Entregue, falta resgatar", tone: "attention" };
}
