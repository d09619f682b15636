import { describe, test } from "vitest";
import type { PaymentProvider, Payer } from "#app/domain/payments/schema.ts";

/** Faults between us and a provider. */
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

/** The lists that reconciliation reads from every provider. */
export const lists = ["chargesSince", "refundsSince", "disputesSince"] as const;

/** The calls of the port that a fault can break. `charges` covers creating and reading a charge. */
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
 * The provider-specific parts: how a test plays the payer, the banks and the network. Null where
 * the provider lacks it.
 */
export type PaymentHarness = {
  provider: PaymentProvider;
  /** The provider's current time, which may be the product's moved clock. */
  now(): number;
  returnUrl: string;
  /** Pays a pending Pix as the payer. */
  pay(chargeId: string): Promise<void>;
  /** Expires a pending Pix. */
  expire(chargeId: string): Promise<void>;
  /**
   * Disputes a paid charge, or so many centavos of it, as the payer's bank. Returns the dispute's
   * id.
   */
  dispute(chargeId: string, amountCents?: number): Promise<string>;
  decide(disputeId: string, status: "won" | "lost"): Promise<void>;
  /** Returns the token that the provider's card field creates for a typed card. */
  cardToken(card: TestCard): Promise<string>;
  /** Answers the bank's authentication (3DS) as the payer, at the address of the redirect. */
  answer(nextActionUrl: string, decision: "approve" | "refuse"): Promise<void>;
  /** Answers a Pix mandate as the payer's bank. */
  consent(
    recurringPixId: string,
    decision: "approve" | "reject" | "expire" | "cancel",
  ): Promise<void>;
  /** Answers a debit instruction as the payer's bank. */
  debit(instructionId: string, outcome: "settled" | "refused"): Promise<void>;
  /** Answers a transfer as the receiving bank. */
  receive(transferId: string, outcome: "paid" | "failed"): Promise<void>;
  /** Returns the day `days` from now, in the format of the provider's calendar. */
  day(days: number): string;
  /**
   * Breaks the next call with `fault`. `seconds` is the wait that a 429 asks for. `call` defaults
   * to a call about charges.
   */
  break(fault: Fault, seconds: number, call?: Call): Promise<void>;
  /**
   * Returns a webhook event of an object as the provider sends it. It is signed with the current
   * secret or the previous one, or forged.
   */
  delivery(
    of: { type: "charge" | "refund" | "transfer" | "dispute" | "recurring_pix"; id: string },
    signed: "current" | "previous" | "forged",
  ): Promise<Delivery>;
  /** Returns a verified webhook event about something that this product does not know. */
  unknownDelivery(): Promise<Delivery>;
  /** Returns how many charges the provider has under a reference of ours. */
  chargesUnder(reference: string): Promise<number>;
};

/**
 * Describes a part of the contract for providers that support it. For the others it does not exist,
 * rather than being skipped.
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
