import { methodChoices, typedCardChoice } from "./method-choices.ts";
import type { SavedCardOption } from "./method-choices.ts";
import type { Choice } from "#app/components/ui/fields/choice.tsx";
import { renewsByCode, takesCardDetails } from "#app/domain/payments/methods/rules.ts";
import { savedCardChoice } from "#app/domain/payments/rules/choices.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { PIX_MANDATE_CHOICE } from "#app/domain/subscriptions/pix-mandates/schema.ts";
import { formatDay } from "#app/domain/time.ts";

type PaymentOptions = {
  methods: PaymentMethod[];
  /** What Pix Automático would agree to; null where it is not offered. */
  automatic: object | null;
  cards: SavedCardOption[];
  planPriceId: string | null;
  trial: { endsAt: number } | null;
  hasWallets: boolean;
};

/** The ways to pay of a payment form, in its order. */
export function paymentOptions({
  methods,
  automatic,
  cards,
  planPriceId,
  trial,
  hasWallets,
}: PaymentOptions): Choice[] {
  if (trial) return trialOptions(trial, { methods, cards });
  const debited = automatic
    ? [
        {
          value: PIX_MANDATE_CHOICE,
          label: "Pix Automático",
          hint: "Você autoriza uma vez no app do seu banco, e ele paga cada renovação sozinho.",
        },
      ]
    : [];
  return methodChoices({
    methods,
    debited,
    cards,
    hasWallets,
    cardHint: planPriceId === null ? "Em uma vez." : "Renova sozinho.",
  });
}

/**
 * Options at the end of a trial: a card that gets consent now and renews automatically, or no
 * automatic charge.
 */
function trialOptions(
  { endsAt }: { endsAt: number },
  { methods, cards }: Pick<PaymentOptions, "methods" | "cards">,
): Choice[] {
  const day = formatDay(endsAt);
  const hint = `A assinatura segue sozinha em ${day}.`;
  const savedCards = cards.map(({ id, label }) => ({ value: savedCardChoice(id), label, hint }));
  const typed = typedCardChoice({ cards, hint });
  const without = {
    value: "pix",
    label: "Sem cartão",
    hint: methods.some(renewsByCode)
      ? `Mandamos um código Pix antes do fim. Se você não pagar, termina em ${day}.`
      : `Termina sozinho em ${day}.`,
  };
  return methods.some(takesCardDetails) ? [...savedCards, typed, without] : [without];
}
