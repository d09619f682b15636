import { methodWord } from "#app/components/payments/charge-words.ts";
import type { AudienceMethod } from "#app/domain/subscriptions/rules/audience.ts";

/** "Pix", "Cartão", or "Cortesia" for what is not paid. */
export const audienceMethodWord = (method: AudienceMethod): string => (method === "comp" ? "Cortesia" : methodWord(method));
