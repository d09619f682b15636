import { formatDay } from "#app/domain/time.ts";

const BRANDS: Record<string, string> = {
  visa: "Visa",
  mastercard: "Mastercard",
  elo: "Elo",
  amex: "American Express",
  hipercard: "Hipercard",
};

/** Formats a card: "Visa •••• 4242". Shows since when it is saved while its details are unknown. */
export function cardLabel({
  brand,
  last4,
  createdAt,
}: {
  brand: string | null;
  last4: string | null;
  createdAt: number;
}): string {
  if (last4 === null) return `Cartão guardado em ${formatDay(createdAt)}`;
  return `${BRANDS[brand?.toLowerCase() ?? ""] ?? "Cartão"} •••• ${last4}`;
}
