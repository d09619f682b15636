import type { PublicSeller } from "#app/domain/identity/tax-ids/rules.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import type { Instant } from "#app/domain/time.ts";

/** One-time purchases. */
export const singleKinds = ["post", "collection", "message", "event"] as const;
export type SingleKind = (typeof singleKinds)[number];

/**
 * Why something is not sold to this person now. `open`: they can see it without paying. `upcoming`:
 * they paid, and it has not started.
 */
export type PurchaseObstacle =
  | "own"
  | "subscribed"
  | "upcoming"
  | "bought"
  | "open"
  | "full"
  | "not_sold"
  | "away";

/** What a checkout sells: a plan, a post, a collection, the file of a message or tickets. */
export type Purchasable = {
  kind: "plan" | SingleKind;
  /**
   * Form value of the checkout: the id of the plan's price, of the post, of the collection, of the
   * message or of the order of tickets.
   */
  id: string;
  title: string;
  /** Path where it is seen once paid. */
  path: string;
  creator: { id: string; name: string; username: string; avatarMediaId: string | null };
  /** The seller, as Decreto 7.962/2013 requires; null until documents were sent. */
  seller: PublicSeller | null;
  amountCents: Cents;
  /** How often it is paid; null for a one-time purchase. */
  renews: Interval | null;
  obstacle: PurchaseObstacle | null;
  /** The refund rule of an order of tickets (hours before the start); absent for other things. */
  refundHours?: number | null;
  /** End of the seller's vacation, if that is the obstacle. */
  awayUntil?: Instant | null;
};

/** Why a purchase is over; `unpaid` was never one. A trigger refuses any other value. */
const purchaseEndReasons = [
  "unpaid",
  "given_back",
  "regret",
  "refunded",
  "dispute_lost",
  "removed",
  "creator_left",
  "buyer_left",
] as const;
export type PurchaseEndReason = (typeof purchaseEndReasons)[number];

/** Reasons of automatic refunds, as the payer reads them. */
const purchaseRefundReasons = {
  already_bought: "Você já tinha comprado isto. Devolvemos este pagamento.",
  not_sold: "Isto saiu de venda antes do pagamento chegar. Devolvemos tudo.",
  payer_leaving: "Você pediu para excluir a conta antes do pagamento chegar. Devolvemos tudo.",
  amount_differs: "O valor pago não era o da cobrança. Devolvemos tudo.",
} as const;
export type PurchaseRefundReason = keyof typeof purchaseRefundReasons;

/** The reason of an automatic refund, as the payer of a purchase of this kind reads it. */
export const purchaseRefundReasonText = (kind: SingleKind, reason: PurchaseRefundReason): string =>
  kind === "event" && reason === "not_sold"
    ? "As vagas acabaram, ou o evento saiu do ar, antes do pagamento chegar. Devolvemos tudo."
    : purchaseRefundReasons[reason];

/** Reasons why an old purchase is refunded, as the payer reads them. */
const purchaseClosingRefundReasons = {
  removed: "O que você comprou saiu do ar: devolvemos o que você pagou.",
  creator_left: "A página encerrou no Coreto: devolvemos o que você pagou.",
} as const;
export type PurchaseClosingReason = keyof typeof purchaseClosingRefundReasons;

/** The reason of a closing refund, as the payer of a purchase of this kind reads it. */
export const purchaseClosingReasonText = (
  kind: SingleKind,
  reason: PurchaseClosingReason,
): string =>
  kind === "event" && reason === "removed"
    ? "O seu ingresso deixou de valer: devolvemos o que você pagou."
    : purchaseClosingRefundReasons[reason];

export type Purchase = {
  id: string;
  personId: string;
  creatorId: string;
  kind: SingleKind;
  targetId: string;
  title: string;
  chargeId: string;
  amountCents: Cents;
  createdAt: Instant;
  boughtAt: Instant | null;
  endedAt: Instant | null;
  endedReason: PurchaseEndReason | null;
};
