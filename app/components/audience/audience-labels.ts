import { methodLabel } from "#app/components/payments/charge-labels.ts";
import type { AudienceMethod } from "#app/domain/subscriptions/audience/rules.ts";

const AUTOMATIC = "Pix Automático";

/** Payment method of a subscriber: "Pix", "Pix Automático", "Cartão", or why they pay nothing. */
export function audienceMethodLabel({
  method,
  isAutomatic,
}: {
  method: AudienceMethod;
  isAutomatic: boolean;
}): string {
  if (method === "comp") return "Cortesia";
  return method === "gift" ? "Presente" : isAutomatic ? AUTOMATIC : methodLabel(method);
}
