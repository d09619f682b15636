import type { ButtonVariant } from "#app/components/ui/button.tsx";
import { renewsBySavedMethod } from "#app/domain/payments/methods/rules.ts";
import { isPaymentDue } from "#app/domain/subscriptions/rules.ts";
import type { SubscriptionAction } from "#app/domain/subscriptions/overview/rules.ts";
import type { Subscription } from "#app/domain/subscriptions/schema.ts";
import type { Instant } from "#app/domain/time.ts";

type Acted = Pick<Subscription, "id" | "planId" | "interval" | "status" | "method"> & {
  openChargeId: string | null;
  /** Its first payment waits for confirmation at the payer's bank. */
  isToConfirm: boolean;
  awayUntil: Instant | null;
};

type Way = { label: string; to: string; variant: ButtonVariant };

/** Path and label of a subscription action. */
export function subscriptionActionLink(
  act: SubscriptionAction,
  { id, planId, interval, openChargeId, isToConfirm, status, method, awayUntil }: Acted,
): Way {
  const { label, path, variant } = WAYS[act];
  const to = `/settings/subscriptions/${id}/${path}`;
  if (act === "pay")
    return {
      label: isToConfirm ? "Terminar o pagamento" : label,
      to: `/checkout/${openChargeId ?? ""}`,
      variant,
    };
  if (act === "follow")
    return {
      label,
      to: `/checkout?${new URLSearchParams({ plan: planId, interval }).toString()}`,
      variant,
    };
  // A subscription that no longer renews can only be given up within the cooling-off period.
  if (act === "cancel" && status === "canceled")
    return { label: "Desistir e receber tudo de volta", to, variant };
  // An unpaid card leaves no open charge: the payer chooses another method, or the same card again.
  if (
    act === "payment_method" &&
    isPaymentDue(status) &&
    renewsBySavedMethod(method) &&
    openChargeId === null &&
    awayUntil === null
  )
    return { label: "Pagar agora", to: `${to}/change`, variant: "primary" };
  return { label, to, variant };
}

/** Each action has its own page, and opening the page does nothing. */
const WAYS: Record<SubscriptionAction, { label: string; path: string; variant: ButtonVariant }> = {
  follow: { label: "Continuar depois", path: "", variant: "primary" },
  pay: { label: "Pagar agora", path: "", variant: "primary" },
  pay_by_code: { label: "Pagar com código Pix", path: "pix-code", variant: "primary" },
  reactivate: { label: "Reativar", path: "reactivation", variant: "primary" },
  resume: { label: "Voltar agora", path: "resumption", variant: "primary" },
  pay_ahead: { label: "Pagar adiantado", path: "ahead", variant: "outline" },
  pause: { label: "Pausar 1 mês", path: "pause", variant: "outline" },
  subscribe_again: { label: "Voltar a assinar", path: "again", variant: "primary" },
  change_plan: { label: "Mudar de plano", path: "plan", variant: "outline" },
  payment_method: { label: "Forma de pagamento", path: "payment-method", variant: "outline" },
  leave_comp: { label: "Deixar a cortesia", path: "comp", variant: "ghost" },
  cancel: { label: "Cancelar assinatura", path: "cancellation", variant: "ghost" },
};
