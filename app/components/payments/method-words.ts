import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import { GRACE_DAYS } from "#app/domain/subscriptions/renewals/rules/calendar.ts";

/** What screens say that differs by payment method; its name is in `paymentMethods`. */
type MethodWords = {
  /** Its name where a Pix Automático debits it. */
  debitedLabel: string;
  /** The button that pays for something. */
  payLabel: string;
  /** The button that gives a tip. */
  tipLabel: string;
  /** The button that tries again what was not paid in time. */
  retryLabel: string;
  /** A payment that was not made in time. */
  expired: { title: string; sentence: string };
  /** When a payment made a moment ago is recognised. */
  paidLate: string;
  /** When who sells gets the money. */
  release: string;
  /** How its renewals are paid. */
  renewal: string;
  /** A renewal that is owed. */
  renewalOwed: string;
  /** How a subscription that is reactivated goes on, charged now or on its day. */
  reactivated: { now: string; later: string };
  /** What becomes of the renewal after periods were prepaid. */
  afterPrepaid: string;
  /** How a subscription goes on after free days that nothing is charged for. */
  afterTrial: string;
  /**
   * Its choice for the next renewals, where one is owed and where none is; null where a saved
   * method is chosen instead.
   */
  nextRenewals: { owed: string; later: string } | null;
  /** Where a refund of a payment arrives, and when. */
  refundedTo: string;
  /** The same of a purchase that is given up. */
  regretRefundedTo: string;
};

const { renewalLeadDays } = paymentMethods.pix;

export const methodTexts: Record<PaymentMethod, MethodWords> = {
  pix: {
    debitedLabel: "Pix Automático",
    payLabel: "Pagar com Pix",
    tipLabel: "Apoiar com Pix",
    retryLabel: "Gerar novo código",
    expired: {
      title: "O código expirou",
      sentence: "Ninguém pagou este código a tempo, e nada foi cobrado.",
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
    regretRefundedTo: "no mesmo Pix, em minutos",
  },
  card: {
    debitedLabel: "Cartão",
    payLabel: "Pagar com cartão",
    tipLabel: "Apoiar com cartão",
    retryLabel: "Tentar de novo",
    expired: {
      title: "O tempo acabou",
      sentence: "O pagamento com cartão não foi concluído a tempo, e nada foi cobrado.",
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
    regretRefundedTo: "na próxima fatura do cartão",
  },
};
