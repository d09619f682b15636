import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";

/** What a notification says that differs by payment method. */
type MethodTexts = {
  /** What pays a renewal, inside a sentence. */
  renewedBy: string;
  /** How renewals go on without a Pix Automático. */
  renewal: string;
  /** What is done for the renewal that a reminder is about. */
  reminder: string;
  /** How the next charge is paid, inside a sentence. */
  nextCharge: string;
  /** How a subscription goes on when its free days end. */
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
