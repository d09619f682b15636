import { methodWord } from "#app/components/payments/charge-words.ts";
import { renewsBySavedMethod } from "#app/domain/payments/rules/methods.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
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

type Paid = { method: PaymentMethod; recurringPixId: string | null; savedMethodId: string | null };

/** How a subscription is paid; of a card that its person keeps, which one. */
export function paidByWords(
  { method, recurringPixId, savedMethodId }: Paid,
  cards: readonly ({ id: string } & Parameters<typeof cardLabel>[0])[],
): string {
  const card = renewsBySavedMethod(method)
    ? cards.find(({ id }) => id === savedMethodId)
    : undefined;
  return card ? cardLabel(card) : methodWord(method, recurringPixId);
}
