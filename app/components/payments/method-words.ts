import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { GRACE_DAYS } from "#app/domain/subscriptions/renewals/rules/calendar.ts";

/** Texts that differ by payment method. Names of methods are in `paymentMethods`. */
type MethodText = {
  /** Label of a method that a Pix mandate debits. */
  debitedLabel: string;
  /** Button that pays for a purchase. */
  payLabel: string;
  /** Button that pays a tip. */
  tipLabel: string;
  /** Button that retries an expired charge. */
  retryLabel: string;
  /** Texts of an expired charge. */
  expired: { title: string; text: string };
  /** How soon a payment that was just made is confirmed. */
  paidLate: string;
  /** When the funds become available to the creator. */
  release: string;
  /** How renewals are paid. */
  renewal: string;
  /** Text of a renewal that is due. */
  renewalOwed: string;
  /** How a reactivated subscription is charged: now, or on its renewal date. */
  reactivated: { now: string; later: string };
  /** How the subscription renews after prepaid periods. */
  afterPrepaid: string;
  /** How the subscription continues after a trial without a charge. */
  afterTrial: string;
  /**
   * Label of the choice for the next renewals, with and without one due. Null where the payer
   * chooses a saved card instead.
   */
  nextRenewals: { owed: string; later: string } | null;
  /** Where and when a refund arrives. */
  refundedTo: string;
  /** Where and when a cooling-off refund arrives. */
  coolingOffRefundedTo: string;
};

const { renewalLeadDays } = paymentMethods.pix;

export const methodTexts: Record<PaymentMethod, MethodText> = {
  pix: {
    debitedLabel: "Pix Automático",
    payLabel: "Pagar com Pix",
    tipLabel: "Apoiar com Pix",
    retryLabel: "Gerar novo código",
    expired: {
      title: "O código expirou",
      text: "Ninguém pagou este código a tempo, e nada foi cobrado.",
    },
    paidLate: "Se você pagou agora há pouco, o dinheiro é reconhecido assim que chegar.",
    release: "Renovação no Pix: dia seguinte.",
    renewal: `A cada renovação mandamos um código Pix ${renewalLeadDays} dias antes. Nada sai da sua conta sozinho: se não pagar, você ainda tem ${GRACE_DAYS} dias de acesso e a assinatura termina.`,
    renewalOwed: "A renovação ainda não foi paga.",
    reactivated: {
      now: "por Pix.",
      later: `por Pix: mandamos o código ${renewalLeadDays} dias antes.`,
    },
    afterPrepaid: "Um código da renovação que você ainda não pagou é trocado por este.",
    afterTrial: "Pague o código Pix que mandamos antes",
    nextRenewals: {
      owed: "Você recebe o código agora.",
      later: `Mandamos um código ${renewalLeadDays} dias antes de cada renovação.`,
    },
    refundedTo: "pelo Pix, em minutos, para a conta que pagou",
    coolingOffRefundedTo: "no mesmo Pix, em minutos",
  },
  card: {
    debitedLabel: "Cartão",
    payLabel: "Pagar com cartão",
    tipLabel: "Apoiar com cartão",
    retryLabel: "Tentar de novo",
    expired: {
      title: "O tempo acabou",
      text: "O pagamento com cartão não foi concluído a tempo, e nada foi cobrado.",
    },
    paidLate:
      "Se você confirmou no banco agora há pouco, o pagamento é reconhecido assim que ele responder.",
    release: "Cartão: cerca de 30 dias.",
    renewal:
      "A renovação é cobrada neste cartão. O número dele fica só com quem processa o pagamento; o Coreto guarda apenas uma referência.",
    renewalOwed: "A renovação não passou no cartão.",
    reactivated: { now: "no mesmo cartão.", later: "no mesmo cartão." },
    afterPrepaid: "Depois, o seu cartão volta a ser cobrado.",
    afterTrial: "Assine quando terminar",
    nextRenewals: null,
    refundedTo: "para o mesmo cartão, na próxima fatura",
    coolingOffRefundedTo: "na próxima fatura do cartão",
  },
};
