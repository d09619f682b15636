import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";

/** The texts of a notification that differ by payment method. */
type MethodTexts = {
  /** What pays a renewal, within a sentence. */
  renewedBy: string;
  /** How renewals continue without a Pix mandate. */
  renewal: string;
  /** What is done for the renewal of a reminder. */
  reminder: string;
  /** How the next charge is paid, within a sentence. */
  nextCharge: string;
  /** How a subscription continues when its trial ends. */
  trialEnding: (amountCents: Cents) => string;
};

export const methodTexts: Record<PaymentMethod, MethodTexts> = {
  pix: {
    renewedBy: "no Pix",
    renewal: "a cada renovação mandamos um código Pix, e você paga se quiser.",
    reminder: "Mandamos o código Pix 3 dias antes; nada sai da sua conta sozinho.",
    nextCharge: "por Pix",
    trialEnding: (amountCents) =>
      `Para continuar, pague o Pix de ${formatMoney(amountCents)}; sem ele, eles só terminam.`,
  },
  card: {
    renewedBy: "no cartão",
    renewal: "a renovação segue no cartão, como antes.",
    reminder:
      "A cobrança é feita nesse dia, no cartão guardado. Se quiser continuar, não precisa fazer nada.",
    nextCharge: "no cartão",
    trialEnding: (amountCents) =>
      `Nesse dia cobramos ${formatMoney(amountCents)} no cartão guardado, como você autorizou.`,
  },
};
