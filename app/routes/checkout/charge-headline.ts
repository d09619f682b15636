import { unpaidText } from "#app/components/checkout/charge/unpaid-text.ts";
import { isRefundable } from "#app/domain/payments/rules.ts";
import { formatDay } from "#app/domain/time.ts";
import type { ChargeView } from "./charge-view.server.ts";

/** The heading of the page, which is its title too: what became of the payment. */
export function chargeHeadline(charge: ChargeView): string {
  if (charge.boughtPath) return "Você já comprou";
  if (charge.pix) return pixHeadline(charge);
  if (isRefundable(charge.status)) return paidHeadline(charge);
  if (charge.status === "expired" || charge.status === "canceled")
    return unpaidText({ status: charge.status, method: charge.method }).title;
  const titles: Partial<Record<ChargeView["status"], string>> = {
    requires_action: charge.renewsSubscriptionId
      ? "Confirme no banco"
      : "Falta terminar o pagamento",
    failed: "O pagamento não passou",
    refunded: "Devolvemos o seu dinheiro",
    disputed: "Pagamento em contestação",
    dispute_lost: "Pagamento contestado",
  };
  return titles[charge.status] ?? "Estamos confirmando";
}

function pixHeadline({ kind, automatic, renewsSubscriptionId, beginsAt }: ChargeView): string {
  if (kind === "tip") return "Pague com Pix, e o apoio chega na hora";
  if (automatic) return "Pague e autorize no app do seu banco";
  if (renewsSubscriptionId) return "Pague com Pix e siga assinando";
  if (kind === "gift") return "Pague com Pix, e o presente fica pronto";
  if (kind === "change") return "Pague a diferença, e o plano muda na hora";
  if (beginsAt) return "Pague com Pix, e siga sem intervalo";
  if (kind === "event") return "Pague com Pix, e a vaga é sua";
  return kind === "plan" ? "Pague com Pix e já pode entrar" : "Pague com Pix, e é sua";
}

function paidHeadline(charge: ChargeView): string {
  if (charge.isReturning)
    return charge.isRefundRefused ? "A devolução atrasou" : "Estamos devolvendo o seu dinheiro";
  if (charge.kind === "tip") return `Pronto, ${charge.firstName}: seu apoio chegou`;
  if (charge.kind === "change") return `Pronto, ${charge.firstName}: agora é ${charge.title}`;
  if (charge.paid?.kind === "paused" || charge.paid?.kind === "over") return "Pagamento confirmado";
  if (charge.renewsSubscriptionId) return `Pronto, ${charge.firstName}: está pago`;
  if (charge.beginsAt)
    return `Pronto, ${charge.firstName}: começa em ${formatDay(charge.beginsAt)}`;
  return `Pronto, ${charge.firstName}: pode entrar`;
}
