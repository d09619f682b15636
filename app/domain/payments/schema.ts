import { z } from "zod";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

export const methodSchema = z.enum(["pix", "card"]);
export type PaymentMethod = z.infer<typeof methodSchema>;

export const pixKeyKinds = ["cpf", "cnpj", "email", "phone", "evp"] as const;
export type PixKeyKind = (typeof pixKeyKinds)[number];

/** What a provider says of a charge, in our words. `amountCents` is what was really taken. */
export type ProviderCharge = {
  id: string;
  /** Our charge id, as we gave it; null for a charge that is not ours. */
  reference: string | null;
  status: "awaiting_payment" | "requires_action" | "processing" | "succeeded" | "failed" | "expired" | "canceled";
  amountCents: Cents;
  refundedCents: Cents;
  /** BR Code to copy, for a Pix charge that waits. */
  pixCode: string | null;
  /** Where the payer confirms (3DS) or types the card; an absolute address at the provider. */
  nextActionUrl: string | null;
  expiresAt: Instant | null;
  failureCode: string | null;
  /** When the provider hands the money over; null while unknown. */
  settlesAt: Instant | null;
  /** Token of the card, kept with the payer's consent, that pays renewals. */
  savedMethodId: string | null;
};

export type ProviderRefund = { id: string; /** Our refund id. */ reference: string | null; chargeId: string; status: "processing" | "succeeded" | "failed"; amountCents: Cents };

export type ProviderTransfer = {
  id: string;
  /** Our payout id. */
  reference: string | null;
  status: "processing" | "paid" | "failed" | "returned";
  amountCents: Cents;
  failureCode: string | null;
};

export type ProviderDispute = {
  id: string;
  chargeId: string;
  kind: "card" | "med";
  status: "open" | "won" | "lost";
  amountCents: Cents;
};

/** A verified delivery: which happening, and which object to ask the provider about. Never trusted for its content. */
export type ProviderEvent = {
  id: string;
  type: "charge" | "refund" | "transfer" | "dispute";
  objectId: string;
};

export type ChargeRequest = {
  /** Our charge id: permanent idempotency key, and the provider's `reference`. */
  chargeId: string;
  amountCents: Cents;
  description: string;
  payerName: string;
};

/**
 * What the product needs from whoever moves the money. Each call has a timeout; each write an idempotency key that is
 * ours and permanent. Throws ProviderRefused or ProviderUnclear, and nothing else on purpose.
 */
export type PaymentProvider = {
  name: string;
  /** Where the browser gets the hosted card field; null when cards are only paid by redirect. */
  cardFieldUrl: string | null;
  createPixCharge(request: ChargeRequest & { expiresAt: Instant }): Promise<ProviderCharge>;
  /** With `cardToken` of the hosted field the card is charged now; with `savedMethodId` the saved one is; with neither the payer types it at `nextActionUrl`. */
  createCardCharge(
    request: ChargeRequest & { cardToken: string | null; savedMethodId: string | null; saveMethod: boolean; returnUrl: string },
  ): Promise<ProviderCharge>;
  chargeById(id: string): Promise<ProviderCharge>;
  /** The charge made under our id, or null if the provider never heard of it. */
  chargeByReference(chargeId: string): Promise<ProviderCharge | null>;
  cancelCharge(id: string): Promise<ProviderCharge>;
  refund(request: { refundId: string; providerChargeId: string; amountCents: Cents }): Promise<ProviderRefund>;
  refundById(id: string): Promise<ProviderRefund>;
  transfer(request: { payoutId: string; amountCents: Cents; pixKeyKind: PixKeyKind; pixKey: string }): Promise<ProviderTransfer>;
  transferById(id: string): Promise<ProviderTransfer>;
  transferByReference(payoutId: string): Promise<ProviderTransfer | null>;
  disputeById(id: string): Promise<ProviderDispute>;
  /** Checks the signature over the raw body and its age (300 s of real time). Throws WebhookRefused. */
  verifyWebhook(request: { headers: Headers; rawBody: string; at: Instant }): Promise<ProviderEvent>;
};
