import { describe, test } from "vitest";
import type { PaymentProvider, Payer } from "#app/domain/payments/schema.ts";

/** What goes wrong between us and a provider. */
export const faults = [
  "no answer",
  "a late answer",
  "429",
  "500",
  "503",
  "malformed JSON",
  "another shape",
  "a redirect",
  "a key that is not taken",
] as const;
export type Fault = (typeof faults)[number];

/** What reconciliation reads of every provider. */
export const lists = ["chargesSince", "refundsSince", "disputesSince"] as const;

/**
 * The calls of the port that a fault may wait for; `charges` are the making of a charge and the
 * reading of one.
 */
export type Call =
  | "charges"
  | (typeof lists)[number]
  | "createCardCharge"
  | "confirmCharge"
  | "cancelCharge"
  | "saveMethod"
  | "refund"
  | "refundById"
  | "disputeById"
  | "submitEvidence"
  | "balance"
  | "transfer"
  | "transferById"
  | "transfersSince"
  | "pixKeyOwner"
  | "createRecurringPix"
  | "recurringPixById"
  | "recurringPixSince"
  | "chargeRecurringPix"
  | "instructionById"
  | "retryInstruction";

export type TestCard = "approves" | "declines" | "asks_3ds";

type Delivery = { headers: Headers; rawBody: string };

/**
 * What differs between the providers: how a test plays the payer, the banks and the network. Null
 * where the provider has no such thing.
 */
export type PaymentHarness = {
  provider: PaymentProvider;
  /** The provider's present, which may be the product's moved clock. */
  now(): number;
  returnUrl: string;
  /** The payer pays a waiting Pix. */
  pay(chargeId: string): Promise<void>;
  /** A waiting Pix runs out. */
  expire(chargeId: string): Promise<void>;
  /** The payer's bank takes a paid charge back, or so many centavos of it; gives the dispute's id. */
  dispute(chargeId: string, amountCents?: number): Promise<string>;
  decide(disputeId: string, status: "won" | "lost"): Promise<void>;
  /** What the provider's field gives for a typed card. */
  cardToken(card: TestCard): Promise<string>;
  /** The payer answers what their bank asks (3DS), at the address they were sent to. */
  answer(nextActionUrl: string, decision: "approve" | "refuse"): Promise<void>;
  /** The payer's bank answers an authorisation. */
  consent(
    recurringPixId: string,
    decision: "approve" | "reject" | "expire" | "cancel",
  ): Promise<void>;
  /** The payer's bank answers an order to debit. */
  debit(instructionId: string, outcome: "settled" | "refused"): Promise<void>;
  /** The receiving bank answers a transfer. */
  receive(transferId: string, outcome: "paid" | "failed"): Promise<void>;
  /** A day `days` from now, as the provider's calendar writes it. */
  day(days: number): string;
  /**
   * The next call goes wrong in this way; `seconds` is what a 429 asks to wait. It is a call about
   * charges, or the one that is named.
   */
  break(fault: Fault, seconds: number, call?: Call): Promise<void>;
  /**
   * A delivery as the provider sends it: of an object, signed with the secret that is current or
   * with the one before, or as a forger would.
   */
  delivery(
    of: { type: "charge" | "refund" | "transfer" | "dispute" | "recurring_pix"; id: string },
    signed: "current" | "previous" | "forged",
  ): Promise<Delivery>;
  /** A verified delivery of something that this product does not know. */
  unknownDelivery(): Promise<Delivery>;
  /** How many charges the provider has under a reference of ours. */
  chargesUnder(reference: string): Promise<number>;
};

/**
 * A part of the contract that is only for providers that have the thing; for the others it is not
 * there, rather than skipped.
 */
export const describeIf = (has: boolean): ((name: string, body: () => void) => void) =>
  has ? describe : () => undefined;
export const testIf = (has: boolean): ((name: string, body: () => Promise<void>) => void) =>
  has ? test : () => undefined;

export const testId = () => crypto.randomUUID().replaceAll("-", "");

export const payer: Payer = {
  name: "Bruno Teste",
  email: "bruno@coreto.test",
  taxId: "52998224725",
};

const sale = (amountCents: number) => ({
  chargeId: testId(),
  amountCents,
  description: "Camarim, de Ana Lira",
  payerName: payer.name,
  payerEmail: payer.email,
  payerTaxId: payer.taxId,
});

export const pixSale = ({ now }: PaymentHarness, amountCents = 1_990) => ({
  ...sale(amountCents),
  expiresAt: now() + 30 * 60_000,
});

export const cardSale = (
  { returnUrl, now }: PaymentHarness,
  card: { cardToken?: string; savedMethodId?: string } = {},
  amountCents = 1_990,
) => ({
  ...sale(amountCents),
  cardToken: card.cardToken ?? null,
  savedMethodId: card.savedMethodId ?? null,
  saveMethod: true,
  expiresAt: now() + 30 * 60_000,
  returnUrl,
});

export const debitSale = (recurringPixId: string, dueOn: string, amountCents = 1_990) => ({
  ...sale(amountCents),
  recurringPixId,
  dueOn,
});

export const consentRequest = (harness: PaymentHarness, amountCents: number | null = 1_990) => ({
  recurringPixId: testId(),
  interval: "monthly" as const,
  amountCents,
  leastCents: 500,
  startsOn: harness.day(1),
  endsOn: null,
  description: "Camarim, de Ana Lira",
  payer,
  firstCharge: { chargeId: testId(), amountCents: 1_990 },
  expiresAt: harness.now() + 30 * 60_000,
});
