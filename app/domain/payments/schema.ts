import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";
import { PAYMENT_METHODS } from "#app/domain/payments/rules/choices.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";

export const pixKeyKinds = ["cpf", "cnpj", "email", "phone", "evp"] as const;
export type PixKeyKind = (typeof pixKeyKinds)[number];

/** The five intervals of Pix Automático. */
export const pixMandateIntervals = [
  "weekly",
  "monthly",
  "quarterly",
  "semiannual",
  "annual",
] as const;
export type PixMandateInterval = (typeof pixMandateIntervals)[number];

/**
 * Capabilities that a provider may have. A provider refuses a missing one with ProviderUnsupported.
 * Pages do not offer it.
 */
export const capabilities = [
  ...PAYMENT_METHODS,
  "saved_card",
  // Apple Pay and Google Pay on the page where a card is typed. No adapter offers them yet.
  "card_wallets",
  "recurring_pix",
  "transfer_to_pix_key",
  "transfer_to_bank_account",
  "pix_key_owner",
  "dispute_evidence",
  "dispute_acceptance",
] as const;
export type Capability = (typeof capabilities)[number];

/** A charge as the provider reports it, in our terms. `amountCents` is the amount captured. */
export type ProviderCharge = {
  id: string;
  /**
   * Our charge id, as we sent it. Null for a charge that is not ours, or that the provider created
   * from a mandate by itself.
   */
  reference: string | null;
  status:
    | "awaiting_payment"
    | "requires_action"
    | "processing"
    | "succeeded"
    | "failed"
    | "expired"
    | "canceled";
  amountCents: Cents;
  refundedCents: Cents;
  /** BR Code to copy, for a Pix charge that awaits payment. */
  pixCode: string | null;
  /** Where the payer confirms (3DS) or types the card; an absolute address at the provider. */
  nextActionUrl: string | null;
  expiresAt: Instant | null;
  failureCode: string | null;
  /** When the provider settles the money; null while unknown. */
  settlesAt: Instant | null;
  /** Token of the card saved with the payer's consent; it pays renewals. */
  savedMethodId: string | null;
  /** The provider's cost of this charge; null until the provider reports it. */
  costCents: Cents | null;
  /** The Pix mandate that the charge is debited from. */
  recurringPixId: string | null;
};

/**
 * `costCents`: the provider's cost of this operation, on top of earlier costs. Below zero where the
 * provider returns some. Null or absent until it is reported.
 */
type WithCost = { costCents?: Cents | null };

export type ProviderRefund = {
  id: string;
  /** Our refund id. */ reference: string | null;
  chargeId: string;
  status: "processing" | "succeeded" | "failed";
  amountCents: Cents;
} & WithCost;

export type ProviderTransfer = WithCost & {
  id: string;
  /** Our id of a payout or a refund transfer. */
  reference: string | null;
  status: "processing" | "paid" | "failed" | "returned";
  amountCents: Cents;
  failureCode: string | null;
};

export type ProviderDispute = WithCost & {
  id: string;
  chargeId: string;
  kind: "card" | "med";
  status: "needs_response" | "under_review" | "won" | "lost";
  amountCents: Cents;
  /** Deadline for an answer; null where the provider does not give one. */
  respondBy: Instant | null;
};

/** What a file of evidence shows. An answer has at most one file of each kind. */
export const evidenceKinds = ["receipt", "conversation", "access", "policy", "other"] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

export const evidenceTypes = ["application/pdf", "image/jpeg", "image/png"] as const;
export type EvidenceType = (typeof evidenceTypes)[number];

/**
 * The one answer to a dispute: the seller's text, the data of the sale, and the files that prove
 * it.
 */
export type EvidenceRequest = {
  /** The provider's id of the dispute. */
  disputeId: string;
  /** Our id; the permanent idempotency key. */
  answerId: string;
  text: string;
  product: string;
  customerName: string;
  customerEmail: string | null;
  boughtAt: Instant;
  /** How the payer used the purchase, in words; empty when unknown. */
  accessLog: string;
  /** `bytes` reads one file at a time, so that no two are in memory. */
  files: {
    id: string;
    kind: EvidenceKind;
    name: string;
    contentType: EvidenceType;
    bytes(): Promise<ArrayBuffer>;
  }[];
};

/** A saved card. It stays `requires_action` until its owner confirms at `nextActionUrl`. */
export type ProviderSavedMethod = {
  id: string;
  status: "requires_action" | "ready" | "failed" | "removed";
  brand: string | null;
  last4: string | null;
  nextActionUrl: string | null;
  failureCode: string | null;
};

/** A Pix mandate. The payer's bank makes it `active`, `rejected` or, at any time, `canceled`. */
export type ProviderPixMandate = {
  id: string;
  /** Our mandate id. */
  reference: string | null;
  status: "created" | "active" | "rejected" | "canceled" | "expired";
  interval: PixMandateInterval;
  /** Amount of each debit; null when it varies below the ceiling. */
  amountCents: Cents | null;
  /**
   * BR Code of the consent, including the first payment where the provider joins them. Null once
   * the payer answered.
   */
  pixCode: string | null;
  expiresAt: Instant | null;
  /** Id of the charge that the same code pays, if any. */
  firstChargeId: string | null;
};

/** One order to the payer's bank to debit one charge of a mandate. */
export type ProviderDebitInstruction = {
  id: string;
  chargeId: string;
  recurringPixId: string;
  status: "created" | "scheduled" | "settled" | "refused" | "canceled";
  /** The day of the debit, `YYYY-MM-DD` in São Paulo. */
  dueOn: string;
  failureCode: string | null;
};

/**
 * The owner that DICT (the Pix directory) names for a key. `taxId` is a CPF or CNPJ as received,
 * often masked: "***.456.789-**".
 */
export type PixKeyOwner = { name: string; taxId: string };

type ProviderBalance = { availableCents: Cents; pendingCents: Cents };

/** One page of a list; `next` is the provider's own cursor, null at the end. */
export type ProviderPage<Item> = { items: Item[]; next: string | null };

/** Request of reconciliation: everything made since an instant, page by page. */
export type ListRequest = { since: Instant; cursor: string | null };

/** Object types of a webhook event. */
export const eventTypes = [
  "charge",
  "refund",
  "transfer",
  "dispute",
  "recurring_pix",
  "instruction",
  "other",
] as const;

/**
 * A verified webhook event: its id and the object to look up at the provider. Its content is never
 * trusted. `other` is a type that this product does not know; it is stored for staff review.
 */
export type ProviderEvent = {
  id: string;
  type: (typeof eventTypes)[number];
  objectId: string;
};

/** The payer, as far as the provider must know. Only the name is always known. */
export type Payer = {
  name: string;
  email: string | null;
  /** CPF or CNPJ, only its characters. */
  taxId: string | null;
};

export type ChargeRequest = {
  /** Our charge id: permanent idempotency key, and the provider's `reference`. */
  chargeId: string;
  amountCents: Cents;
  description: string;
  payerName: string;
  payerEmail?: string | null;
  /** CPF or CNPJ of the payer, only its characters; some providers require it. */
  payerTaxId?: string | null;
};

export type PixMandateRequest = {
  /** Our mandate id: permanent idempotency key, and the provider's `reference`. */
  recurringPixId: string;
  interval: PixMandateInterval;
  /**
   * Amount of each debit. Null lets it vary up to the payer's own limit, which is at least
   * `leastCents`.
   */
  amountCents: Cents | null;
  leastCents: Cents;
  /** The first day on which a debit may fall, `YYYY-MM-DD` in São Paulo. */
  startsOn: string;
  endsOn: string | null;
  description: string;
  payer: Payer;
  /** The payment that the same code takes at once. */
  firstCharge: { chargeId: string; amountCents: Cents };
  /** When the code expires. */
  expiresAt: Instant;
};

export const accountKinds = ["checking", "savings", "payment"] as const;

export type AccountKind = (typeof accountKinds)[number];

export type BankAccount = {
  /** Three digits, as in the list of the Banco Central. */
  bankCode: string;
  branch: string;
  account: string;
  accountDigit: string;
  kind: AccountKind;
  ownerName: string;
  /** CPF or CNPJ, only its characters. */
  ownerTaxId: string;
};

/**
 * `payoutId`: our id of a payout or a refund transfer; permanent idempotency key, and the
 * provider's `reference`. `readyAt`: nobody requested this transfer earlier; it may be long after
 * the id was made. `asked`: first and last time of requests whose outcome is unknown. Null when no
 * such request exists, so that nothing is looked up.
 */
export type TransferRequest = {
  payoutId: string;
  amountCents: Cents;
  readyAt?: Instant | null;
  asked?: { from: Instant; until: Instant } | null;
} & ({ pixKeyKind: PixKeyKind; pixKey: string } | { bankAccount: BankAccount });

/**
 * What the product needs from a payment provider. Each call has a timeout. Each write has a
 * permanent idempotency key of ours. By design throws only ProviderRefused (ProviderUnsupported for
 * a missing capability) or ProviderUnclear.
 */
export type PaymentProvider = {
  name: string;
  can: ReadonlySet<Capability>;
  /** Whether the provider requires the payer's CPF or CNPJ. */
  needsPayerTaxId: boolean;
  /** Address of the hosted card field, to frame; null when cards are only paid by redirect. */
  cardFieldUrl: string | null;

  createPixCharge(request: ChargeRequest & { expiresAt: Instant }): Promise<ProviderCharge>;
  /**
   * Charges a card. With `cardToken` of the hosted field it charges now; with `savedMethodId` it
   * charges the saved card. With neither, the payer types the card at `nextActionUrl`.
   */
  createCardCharge(
    request: ChargeRequest & {
      cardToken: string | null;
      savedMethodId: string | null;
      saveMethod: boolean;
      returnUrl: string;
      /** When the charge can no longer be paid. */
      expiresAt: Instant;
      /** The saved card's owner is at the page and can confirm (3DS). */
      isPayerThere?: boolean;
    },
  ): Promise<ProviderCharge>;
  /**
   * Resumes a charge that waits for the payer's confirmation (3DS), also from another browser.
   * Returns it with a fresh `nextActionUrl`, or in its current status.
   */
  confirmCharge(request: { id: string; returnUrl: string }): Promise<ProviderCharge>;
  chargeById(id: string): Promise<ProviderCharge>;
  /** Returns the charge made under our id; null if the provider does not know it. */
  chargeByReference(chargeId: string): Promise<ProviderCharge | null>;
  chargesSince(request: ListRequest): Promise<ProviderPage<ProviderCharge>>;
  cancelCharge(id: string): Promise<ProviderCharge>;

  /** Saves a card without charging it, under our id. */
  saveMethod(request: {
    savedMethodId: string;
    cardToken: string;
    payer: Payer;
    returnUrl: string;
  }): Promise<ProviderSavedMethod>;
  savedMethodById(id: string): Promise<ProviderSavedMethod>;
  /** Removes a saved card, which then pays nothing. Removing it twice is fine. */
  removeSavedMethod(id: string): Promise<ProviderSavedMethod>;

  createRecurringPix(request: PixMandateRequest): Promise<ProviderPixMandate>;
  recurringPixById(id: string): Promise<ProviderPixMandate>;
  recurringPixByReference(recurringPixId: string): Promise<ProviderPixMandate | null>;
  recurringPixSince(request: ListRequest): Promise<ProviderPage<ProviderPixMandate>>;
  /** Cancels a mandate for good. Debits already sent to the bank may still happen. */
  cancelRecurringPix(id: string): Promise<ProviderPixMandate>;
  /**
   * Debits one charge from an active mandate on a day 2 to 10 days ahead. The charge stays
   * `processing` until the bank answers.
   */
  chargeRecurringPix(
    request: ChargeRequest & { recurringPixId: string; dueOn: string },
  ): Promise<ProviderCharge>;
  /** Lists the debit instructions of a charge, oldest first: the first attempt and its retries. */
  instructionsOf(chargeId: string): Promise<ProviderDebitInstruction[]>;
  instructionById(id: string): Promise<ProviderDebitInstruction>;
  /** Sends the bank a refused debit instruction again, for another day. */
  retryInstruction(request: {
    instructionId: string;
    dueOn: string;
  }): Promise<ProviderDebitInstruction>;

  refund(request: {
    refundId: string;
    providerChargeId: string;
    amountCents: Cents;
  }): Promise<ProviderRefund>;
  refundById(id: string): Promise<ProviderRefund>;
  /** Returns the refund made under our id; null if the provider does not know it. */
  refundByReference(request: {
    refundId: string;
    providerChargeId: string;
  }): Promise<ProviderRefund | null>;
  /**
   * Lists refunds, including external ones made on the provider's own pages, which have no
   * `reference`. One may appear twice.
   */
  refundsSince(request: ListRequest): Promise<ProviderPage<ProviderRefund>>;

  transfer(request: TransferRequest): Promise<ProviderTransfer>;
  transferById(id: string): Promise<ProviderTransfer>;
  transferByReference(
    payoutId: string,
    since?: Pick<TransferRequest, "readyAt" | "asked">,
  ): Promise<ProviderTransfer | null>;
  transfersSince(request: ListRequest): Promise<ProviderPage<ProviderTransfer>>;
  /**
   * Returns the owner of a Pix key; null for a key that nobody has. `expected` is the owner that we
   * assume; a provider may ignore it. The sandbox, whose bank knows nobody, returns it.
   */
  pixKeyOwner(request: {
    kind: PixKeyKind;
    key: string;
    expected: PixKeyOwner;
  }): Promise<PixKeyOwner | null>;

  disputeById(id: string): Promise<ProviderDispute>;
  /** Answers a dispute, once and before its deadline. Sending the same answer again changes nothing. */
  submitEvidence(request: EvidenceRequest): Promise<ProviderDispute>;
  /** Concedes a dispute: its money is refunded to the payer. Conceding twice is fine. */
  acceptDispute(id: string): Promise<ProviderDispute>;
  disputesSince(request: ListRequest): Promise<ProviderPage<ProviderDispute>>;
  balance(): Promise<ProviderBalance>;
  /**
   * Verifies the sender over the raw body with any secret in rotation. Where the provider signs,
   * checks the age too (300 s of real time). Throws WebhookRefused.
   */
  verifyWebhook(request: {
    headers: Headers;
    rawBody: string;
    at: Instant;
  }): Promise<ProviderEvent>;
};

/**
 * Several providers at once: the acquirers of new charges, and every provider that still answers
 * for its old ones.
 */
type PaymentRouter = Readonly<Record<PaymentMethod, PaymentProvider>> & {
  /** The provider that pays creators out. */
  readonly transfers: PaymentProvider;
  /** The three above, each once, and those that only answer for objects they made before. */
  readonly providers: readonly PaymentProvider[];
};

/**
 * The payment providers of the product. An existing object is only looked up at the provider that
 * its row names: see providers/rules/providers.ts.
 */
export type PaymentProviders = PaymentProvider | PaymentRouter;
