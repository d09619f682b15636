import { formatMoney } from "#app/domain/money.ts";
import type { NotificationRenderers, NotificationDraft } from "#app/domain/outbox.ts";
import { formatDay } from "#app/domain/time.ts";
import type { PlanMessage } from "#app/domain/plans/schema/outbox.ts";

/** Notifies that a discount ends, before the full price is paid. */
export const planNotifications: NotificationRenderers<PlanMessage> = {
  "subscription.full_price": (message) => [fullPriceNotification(message)],
};

function fullPriceNotification({
  fanId,
  subscriptionId,
  creatorName,
  planName,
  code,
  amountCents,
  beginsAt,
}: PlanMessage): NotificationDraft {
  const price = formatMoney(amountCents);
  return {
    personId: fanId,
    kind: "subscription.full_price",
    body: `O desconto do cupom ${code} termina: a partir de ${formatDay(beginsAt)}, ${creatorName} custa ${price}.`,
    path: `/settings/subscriptions/${subscriptionId}`,
    mail: {
      subject: `O desconto da sua assinatura de ${creatorName} termina em ${formatDay(beginsAt)}`,
      body: `Você pagou o plano ${planName} com o cupom ${code}. O desconto termina, e a cobrança de ${formatDay(beginsAt)} já é o preço inteiro: ${price}.\n\nSe não quiser continuar, cancele antes dessa data.`,
    },
  };
}
