import type { Choice } from "#app/components/ui/fields/choice.tsx";
import { paymentMethods, takesCardDetails } from "#app/domain/payments/methods/rules.ts";
import { savedCardChoice, PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";

/** Saved card of a payer; the default card comes first. */
export type SavedCardOption = { id: string; label: string; isDefault: boolean };

/** Payment options: Pix, Pix Automático where offered, each saved card, and a new card. */
export function methodChoices({
  methods,
  debited = [],
  cards,
  cardHint,
  hasWallets = false,
}: Partial<Offered> &
  Pick<Offered, "cards" | "cardHint"> & { methods: PaymentMethod[] }): Choice[] {
  return methods.flatMap((method) => choicesOf[method]({ debited, cards, cardHint, hasWallets }));
}

type Offered = {
  debited: Choice[];
  cards: SavedCardOption[];
  cardHint: string;
  /** The page where a card is typed takes Apple Pay and Google Pay too. */
  hasWallets: boolean;
};

const choicesOf: Record<PaymentMethod, (offered: Offered) => Choice[]> = {
  pix: ({ debited }) => [
    { value: "pix", label: paymentMethods.pix.label, hint: "Na hora, pelo app do seu banco." },
    ...debited,
  ],
  card: ({ cards, cardHint, hasWallets }) => [
    ...cards.map(({ id, label, isDefault }) => ({
      value: savedCardChoice(id),
      label,
      ...(isDefault ? { hint: "Seu cartão principal." } : {}),
    })),
    typedCardChoice({ cards, hint: cardHint, hasWallets }),
  ],
};

/** Option of a new card. */
export const typedCardChoice = ({
  cards,
  hint,
  hasWallets = false,
}: {
  cards: readonly unknown[];
  hint: string;
  hasWallets?: boolean;
}): Choice => ({
  value: "card",
  label: `${cards.length > 0 ? "Usar outro cartão" : "Cartão de crédito"}${hasWallets ? ", Apple Pay ou Google Pay" : ""}`,
  hint,
});

/** True if the choice is a new card, with details to type. */
export const isTypedCard = (choice: string): boolean =>
  PAYMENT_METHODS.some((method) => method === choice && takesCardDetails(method));

/** The earlier choice if it is still available; else the first. */
export const selectedMethod = (choices: Choice[], before: string | undefined): string =>
  (choices.find(({ value }) => value === before) ?? choices[0])?.value ?? "pix";
