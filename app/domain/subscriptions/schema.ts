import { z } from "zod";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

export const subscriptionStatuses = [
  "incomplete",
  "upcoming",
  "trialing",
  "active",
  "requires_action",
  "past_due",
  "paused",
  "canceled",
  "expired",
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export type Subscription = {
  id: string;
  fanId: string;
  creatorId: string;
  planId: string;
  planPriceId: string;
  interval: Interval;
  amountCents: Cents;
  method: PaymentMethod;
  status: SubscriptionStatus;
  startedAt: Instant | null;
  /** Where periods are counted from, when not from the start. */
  anchorAt: Instant | null;
  currentPeriodStartsAt: Instant | null;
  currentPeriodEndsAt: Instant | null;
  accessUntil: Instant | null;
  /** When its trial was to end; null when it started without one. */
  trialEndsAt: Instant | null;
  canceledAt: Instant | null;
  pausedAt: Instant | null;
  resumesAt: Instant | null;
  holdsSeat: boolean;
  savedMethodId: string | null;
  /** The Pix mandate that its renewals are debited from. */
  recurringPixId: string | null;
  /** When its comp ends; null when it is paid. */
  compEndsAt: Instant | null;
  /** Who paid for it once, as a gift; null when its own fan pays. */
  giftedBy: string | null;
  /** The gift or comp after which it starts; null, or left out, when it starts once paid. */
  beginsAfter?: string | null;
  createdAt: Instant;
};

/** How many periods one payment covers. */
export const periodsSchema = z
  .enum(["1", "3", "6", "12"], { error: "Escolha quanto pagar agora" })
  .default("1")
  .transform(Number);

/** Why a member canceled, asked only afterwards and never required. */
export const cancellationReasons = {
  price: "Ficou caro para mim",
  content: "O que recebo não é o que eu esperava",
  time: "Não tenho tido tempo de ver",
  seldom: "Há pouca novidade",
  trouble: "Tive um problema com o site ou o pagamento",
  other: "Outro motivo",
} as const;
const leavingReasons = ["price", "content", "time", "seldom", "trouble", "other"] as const;
export type CancellationReason = (typeof leavingReasons)[number];

export const cancellationReasonSchema = z.object({
  reason: z.enum(leavingReasons, { error: "Escolha um motivo, ou pule" }),
});

/** Reasons for automatic refunds, as the payer reads them. */
export const subscriptionRefundReasons = {
  already_subscribed: "Você já assinava esta página. Devolvemos este pagamento.",
  no_seat: "O plano lotou antes do pagamento chegar. Devolvemos tudo.",
  coupon_gone: "O cupom deixou de valer antes do pagamento chegar. Devolvemos tudo.",
  not_sold: "O plano saiu de venda antes do pagamento chegar. Devolvemos tudo.",
  creator_away:
    "A página entrou de férias antes do pagamento chegar. Devolvemos tudo; a sua assinatura fica como está.",
  payer_leaving: "Você pediu para excluir a conta antes do pagamento chegar. Devolvemos tudo.",
  debit_stopped: "O banco debitou uma renovação que já não valia. Devolvemos tudo.",
  ended_early: "A assinatura foi encerrada antes deste pagamento chegar. Devolvemos tudo.",
  renewed_late:
    "O banco confirmou a renovação no cartão só depois do fim da assinatura. Devolvemos tudo.",
  change_over:
    "A assinatura terminou antes deste pagamento chegar, e a mudança de plano não aconteceu. Devolvemos tudo.",
  amount_differs: "O valor pago não era o da cobrança. Devolvemos tudo.",
} as const;

/** Reasons for refunds of unused days, as the payer reads them. */
export const subscriptionClosingRefundReasons = {
  fan_left: "Você excluiu a sua conta: devolvemos os dias que não usou.",
  creator_left: "A página encerrou no Coreto: devolvemos os dias que você não usou.",
  blocked: "A sua assinatura não vai começar: devolvemos tudo o que você pagou por ela.",
  gift_fan_left:
    "Quem resgatou o seu presente excluiu a conta: devolvemos os dias que não foram usados.",
  gift_creator_left:
    "A página encerrou no Coreto: devolvemos os dias do seu presente que não foram usados.",
  payment_returned:
    "A assinatura terminou porque outro pagamento dela voltou: devolvemos os dias que você não usou.",
} as const;

export type SubscriptionRefundReason = keyof typeof subscriptionRefundReasons;
