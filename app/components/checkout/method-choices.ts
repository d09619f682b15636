import type { Choice } from "#app/components/ui/choice.tsx";
import { paymentMethods, takesCardDetails } from "#app/domain/payments/methods/rules.ts";
import { methodSchema, savedCardChoice } from "#app/domain/payments/schema.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";

/** A card that a person keeps, the main one first. */
export type SavedCardOption = { id: string; label: string; isDefault: boolean };

/**
 * The ways to pay: Pix, what is debited by it where that is offered, each kept card, and one that
 * is typed now.
 */
export function methodChoices({
  methods,
  debited = [],
  cards,
  cardHint,
}: {
  methods: PaymentMethod[];
  debited?: Choice[];
  cards: SavedCardOption[];
  cardHint: string;
}): Choice[] {
  return methods.flatMap((method) => choicesOf[method]({ debited, cards, cardHint }));
}

type Offered = { debited: Choice[]; cards: SavedCardOption[]; cardHint: string };

const choicesOf: Record<PaymentMethod, (offered: Offered) => Choice[]> = {
  pix: ({ debited }) => [
    { value: "pix", label: paymentMethods.pix.label, hint: "Na hora, pelo app do seu banco." },
    ...debited,
  ],
  card: ({ cards, cardHint }) => [
    ...cards.map(({ id, label, isDefault }) => ({
      value: savedCardChoice(id),
      label,
      ...(isDefault ? { hint: "Seu cartão principal." } : {}),
    })),
    typedCardChoice({ cards, hint: cardHint }),
  ],
};

/** The card that is typed now. */
export const typedCardChoice = ({
  cards,
  hint,
}: {
  cards: readonly unknown[];
  hint: string;
}): Choice => ({
  value: "card",
  label: cards.length > 0 ? "Usar outro cartão" : paymentMethods.card.label,
  hint,
});

/** Whether card details are typed for this choice: a card, and none that is kept. */
export const isTypedCard = (choice: string): boolean =>
  methodSchema.options.some((method) => method === choice && takesCardDetails(method));

/** What was chosen before, while it is still there; else the first. */
export const selectedMethod = (choices: Choice[], before: string | undefined): string =>
  (choices.find(({ value }) => value === before) ?? choices[0])?.value ?? "pix";
