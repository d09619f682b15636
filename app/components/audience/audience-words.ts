import { methodWord } from "#app/components/payments/charge-words.ts";
import type { AudienceMethod } from "#app/domain/subscriptions/rules/audience.ts";

/** "Pix", "Cartão", or what it is that its fan does not pay. */
export function audienceMethodWord(method: AudienceMethod): string {
  if (method === "comp") return "Cortesia";
  return method === "gift" ? "Presente" : methodWord(method);
}
