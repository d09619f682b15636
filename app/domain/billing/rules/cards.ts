import { formatDay } from "#app/domain/time.ts";

const BRANDS: Record<string, string> = {
  visa: "Visa",
  mastercard: "Mastercard",
  elo: "Elo",
  amex: "American Express",
  hipercard: "Hipercard",
};

/** "Visa •••• 4242", or since when it is kept while the provider has not said what it is. */
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
