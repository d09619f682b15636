import type { Choice } from "#app/components/ui/choice.tsx";
import { savedChoice } from "#app/domain/payments/schema.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";

/** A card that a person keeps, the main one first. */
export type KeptCard = { id: string; label: string; isDefault: boolean };

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
  cards: KeptCard[];
  cardHint: string;
}): Choice[] {
  const pix = { value: "pix", label: "Pix", hint: "Na hora, pelo app do seu banco." };
  const kept = cards.map(({ id, label, isDefault }) => ({
    value: savedChoice(id),
    label,
    ...(isDefault ? { hint: "Seu cartão principal." } : {}),
  }));
  const typed = {
    value: "card",
    label: cards.length > 0 ? "Usar outro cartão" : "Cartão",
    hint: cardHint,
  };
  return methods.flatMap((method): Choice[] =>
    method === "pix" ? [pix, ...debited] : [...kept, typed],
  );
}

/** What was chosen before, while it is still there; else the first. */
export const chosenOf = (choices: Choice[], before: string | undefined): string =>
  (choices.find(({ value }) => value === before) ?? choices[0])?.value ?? "pix";
