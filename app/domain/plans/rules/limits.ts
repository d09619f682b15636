import { formatMoney, parseMoney } from "#app/domain/money.ts";

/** Source: domain rules, "Plans". */
export const MINIMUM_PRICE_CENTS = 500;

export const MAXIMUM_PRICE_CENTS = 500_000;

export const PRICE_INVALID_MESSAGE = "Escreva o preço assim: 19,90";

export const PRICE_TOO_LOW_MESSAGE = `O preço mínimo é ${formatMoney(MINIMUM_PRICE_CENTS)}`;

export const PRICE_TOO_HIGH_MESSAGE = `O preço máximo é ${formatMoney(MAXIMUM_PRICE_CENTS)}`;

/** Source: domain rules, "Plans". */
export const MAXIMUM_TRIAL_DAYS = 90;

/** Returns why a price typed in reais is refused, or null. */
export function typedPriceProblem(text: string): string | null {
  if (text.trim() === "") return "Informe o preço";
  const cents = parseMoney(text);
  if (cents === null) return PRICE_INVALID_MESSAGE;
  if (cents < MINIMUM_PRICE_CENTS) return PRICE_TOO_LOW_MESSAGE;
  return cents > MAXIMUM_PRICE_CENTS ? PRICE_TOO_HIGH_MESSAGE : null;
}

export const VACATION_DAYS_MIN = 7;

export const VACATION_DAYS_MAX = 60;
