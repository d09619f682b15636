import { z } from "zod";
import { parseMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import type { Instant } from "#app/domain/time.ts";

/**
 * How something may be paid, first what is proposed first. What differs by method is in
 * rules/methods.ts.
 */
export const methodSchema = z.enum(["pix", "card"]);
export type PaymentMethod = z.infer<typeof methodSchema>;

/**
 * The page of ours that frames a provider's card field, and nothing else of that provider's in a
 * browser.
 */
export const CARD_FIELD_PATH = "/checkout/card-field";

/**
 * How a checkout is paid: a card is typed now (`cardToken`, or on the provider's page), or was kept
 * before (`savedMethodId`).
 */
export type ChosenMethod = { method: PaymentMethod; savedMethodId: string | null };

/** The method of which one may be saved. */
const SAVED_METHOD: PaymentMethod = "card";
const SAVED = `${SAVED_METHOD}:`;

/** What the form of a checkout sends for a saved card. */
export const savedCardChoice = (savedMethodId: string): string => `${SAVED}${savedMethodId}`;

/** The saved card that such a choice names; null for any other choice. */
export const savedMethodChosen = (choice: string): ChosenMethod | null =>
  choice.startsWith(SAVED)
    ? { method: SAVED_METHOD, savedMethodId: choice.slice(SAVED.length) }
    : null;

const CHOICE = new RegExp(`^(${methodSchema.options.join("|")}|${SAVED}[\\w./-]{1,200})$`);

/** The choice of a checkout's form: `pix`, `card`, or `card:<saved card>`. */
export const chosenMethodSchema = z
  .string({ error: "Escolha uma das opções." })
  .regex(CHOICE, "Escolha uma das opções.")
  .transform(
    (choice): ChosenMethod =>
      savedMethodChosen(choice) ?? { method: methodSchema.parse(choice), savedMethodId: null },
  );

/** Said of what a form carries without showing it, where it came back as no page of ours sends it. */
export const REOPEN_PAGE_MESSAGE =
  "Não deu para ler este pagamento. Nada foi cobrado. Abra a página de novo e confira.";

/** A price that a page showed, as its form sends it back. */
export const shownCentsSchema = z
  .string({ error: REOPEN_PAGE_MESSAGE })
  .regex(/^\d{1,9}$/, REOPEN_PAGE_MESSAGE)
  .transform(Number)
  .optional();

/** What the provider's own field gave of a card; empty when the card is typed on its page. */
export const cardTokenSchema = z
  .string({ error: REOPEN_PAGE_MESSAGE })
  .max(200, REOPEN_PAGE_MESSAGE)
  .optional()
  .transform((token) => token || null);

/**
 * The form that pays once: `amountCents` is what the page showed, `cardToken` what the provider's
 * own field gave, empty when the card is typed on its page.
 */
export const paymentFormSchema = z.object({
  method: chosenMethodSchema,
  amountCents: shownCentsSchema,
  cardToken: cardTokenSchema,
  /** A box that asks to keep the card that is typed now. */
  keep: z
    .string()
    .optional()
    .transform((box) => box === "on"),
});

const reaisSchema = z
  .string({ error: "Escreva o valor" })
  .trim()
  .min(1, "Escreva o valor")
  .max(30, "Escreva o valor assim: 25,00")
  .transform((text, check): Cents => {
    const cents = parseMoney(text);
    if (cents !== null && cents > 0) return cents;
    check.addIssue({ code: "custom", message: "Escreva o valor assim: 25,00" });
    return z.NEVER;
  });

/** How much of what is owed is paid by Pix, in reais. */
export const debtPaymentSchema = z.object({ amount: reaisSchema });

/** What a moderator gives up of a debt, and why. */
/**
 * `owed` is what was owed in the eyes of who decided (centavos): a form that is sent twice finds
 * another debt.
 */
export const writeOffSchema = z.object({
  owed: z.coerce.number({ error: "Abra a página de novo" }).int("Abra a página de novo"),
  amount: reaisSchema,
  reason: z
    .string({ error: "Escreva o motivo" })
    .trim()
    .min(10, "Escreva um pouco mais: quem ler depois precisa entender")
    .max(500, "Use até 500 letras"),
});

/**
 * What came of a delivery that was set aside, in the words of who looked; `seenAt`: when it had
 * been set aside, as they saw it.
 */
export const quarantineClosingSchema = z.object({
  seenAt: z.coerce.number().int(),
  note: z
    .string({ error: "Escreva o que foi feito" })
    .trim()
    .min(3, "Escreva um pouco mais: quem ler depois precisa entender")
    .max(500, "Use até 500 letras"),
});

/** A creator's fee as the staff types it: "4,5", or nothing for the platform's own. */
export const feeChangeSchema = z.object({
  username: z
    .string({ error: "Escreva o nome de usuário" })
    .trim()
    .transform((text) => text.replace(/^@/, "").toLowerCase())
    .pipe(z.string().min(1, "Escreva o nome de usuário").max(256, "Nome de usuário longo demais")),
  percent: z
    .string()
    .trim()
    .default("")
    .transform((text, check) => {
      if (text === "") return null;
      const typed = /^(\d{1,3})(?:[.,](\d{1,2}))?\s*%?$/.exec(text);
      const basisPoints = typed
        ? Number(typed[1]) * 100 + Number((typed[2] ?? "").padEnd(2, "0"))
        : Number.NaN;
      if (basisPoints <= 10_000) return basisPoints;
      check.addIssue({
        code: "custom",
        message: "Escreva um número de 0 a 100, com até duas casas",
      });
      return z.NEVER;
    }),
  startsOn: z
    .string({ error: "Escolha o dia" })
    .trim()
    .min(1, "Escolha o dia")
    .max(10, "Escreva o dia assim: 20/12/2026."),
  note: z
    .string({ error: "Escreva o motivo" })
    .trim()
    .min(1, "Escreva o motivo")
    .max(300, "O motivo tem até 300 letras"),
});

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
 * What a provider may or may not have. What it lacks it refuses with ProviderLacks, and nobody
 * should be offered.
 */
export const capabilities = [
  ...methodSchema.options,
  "saved_card",
  "recurring_pix",
  "transfer_to_pix_key",
  "transfer_to_bank_account",
  "pix_key_owner",
  "dispute_evidence",
  "dispute_acceptance",
] as const;
export type Capability = (typeof capabilities)[number];

/** What a provider says of a charge, in our words. `amountCents` is what was really taken. */
export type ProviderCharge = {
  id: string;
  /**
   * Our charge id, as we gave it; null for a charge that is not ours, or that the provider made of
   * an authorisation by itself.
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
  /** What the provider keeps for itself of this charge; null while it has not said. */
  costCents: Cents | null;
  /** The Pix Automático authorisation that it is debited from. */
  recurringPixId: string | null;
};

/**
 * `costCents`: what the provider takes for doing it, beside what it took before (below zero where
 * it gives some back); null or absent while it has not said.
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
  /** Our id of a payout, or of a Pix that gives money back. */
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
  /** Until when it takes an answer; null where the provider does not say. */
  respondBy: Instant | null;
};

/** What a file of an answer shows; an answer has at most one of each. */
export const evidenceKinds = ["receipt", "conversation", "access", "policy", "other"] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];

export const evidenceTypes = ["application/pdf", "image/jpeg", "image/png"] as const;
export type EvidenceType = (typeof evidenceTypes)[number];

/**
 * The one answer to a dispute: what its seller says, what we know of the sale, and the files that
 * show it.
 */
export type EvidenceRequest = {
  /** The provider's id of the dispute. */
  disputeId: string;
  /** Ours: permanent idempotency key. */
  answerId: string;
  text: string;
  product: string;
  customerName: string;
  customerEmail: string | null;
  boughtAt: Instant;
  /** What the payer did with what they paid for, in words; empty when nothing is known. */
  accessLog: string;
  /** `bytes` reads one file when it is its turn, so that no two are in memory. */
  files: {
    id: string;
    kind: EvidenceKind;
    name: string;
    contentType: EvidenceType;
    bytes(): Promise<ArrayBuffer>;
  }[];
};

/** A card kept for later. `requires_action` until its owner confirms at `nextActionUrl`. */
export type ProviderSavedMethod = {
  id: string;
  status: "requires_action" | "ready" | "failed" | "removed";
  brand: string | null;
  last4: string | null;
  nextActionUrl: string | null;
  failureCode: string | null;
};

/**
 * A Pix Automático authorisation. It is the payer's bank that makes it `active`, `rejected` or, at
 * any time, `canceled`.
 */
export type ProviderPixMandate = {
  id: string;
  /** Our authorisation id. */
  reference: string | null;
  status: "created" | "active" | "rejected" | "canceled" | "expired";
  interval: PixMandateInterval;
  /** Each debit's amount, or null when it varies below the ceiling. */
  amountCents: Cents | null;
  /**
   * BR Code of the consent, with the first payment in it where the provider joins them; null once
   * it was answered.
   */
  pixCode: string | null;
  expiresAt: Instant | null;
  /** The id of the charge that the same code pays, where there is one. */
  firstChargeId: string | null;
};

/** One order to the payer's bank to debit one charge of an authorisation. */
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
 * Whom the directory of Pix (DICT) names for a key. `taxId` is a CPF or CNPJ as it came, often
 * masked: "***.456.789-**".
 */
export type PixKeyOwner = { name: string; taxId: string };

type ProviderBalance = { availableCents: Cents; pendingCents: Cents };

/** One page of a list; `next` is the provider's own cursor, null at the end. */
export type ProviderPage<Item> = { items: Item[]; next: string | null };

/** What reconciliation asks for: everything made since, page by page. */
export type ListRequest = { since: Instant; cursor: string | null };

/** What a delivery may be about. */
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
 * A verified delivery: which happening, and which object to ask the provider about. Never trusted
 * for its content. `other` is what this product does not know, kept to be looked at by a human.
 */
export type ProviderEvent = {
  id: string;
  type: (typeof eventTypes)[number];
  objectId: string;
};

/** Who pays, as far as the provider must know. Only the name is always known. */
export type Payer = {
  name: string;
  email: string | null;
  /** CPF or CNPJ, only its characters. */ taxId: string | null;
};

export type ChargeRequest = {
  /** Our charge id: permanent idempotency key, and the provider's `reference`. */
  chargeId: string;
  amountCents: Cents;
  description: string;
  payerName: string;
  payerEmail?: string | null;
  /** CPF or CNPJ of who pays, only its characters; some providers ask for it. */
  payerTaxId?: string | null;
};

export type PixMandateRequest = {
  /** Our authorisation id: permanent idempotency key, and the provider's `reference`. */
  recurringPixId: string;
  interval: PixMandateInterval;
  /**
   * Each debit's amount; null lets it vary up to the payer's own limit, and no lower than
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
  /** How long the code may be answered. */
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
 * `payoutId`: ours, of a payout or of a Pix that gives money back; permanent idempotency key, and
 * the provider's `reference`. `readyAt`: before it nobody asked for this transfer, where that may
 * be long after its id was made. `asked`: when it was asked for of which it is not known what
 * became, the first and the last time; null where nothing of it can be there, so that nothing is
 * looked for.
 */
export type TransferRequest = {
  payoutId: string;
  amountCents: Cents;
  readyAt?: Instant | null;
  asked?: { from: Instant; until: Instant } | null;
} & ({ pixKeyKind: PixKeyKind; pixKey: string } | { bankAccount: BankAccount });

/**
 * What the product needs from whoever moves the money. Each call has a timeout; each write an
 * idempotency key that is ours and permanent. Throws ProviderRefused (ProviderLacks for what it
 * does not have) or ProviderUnclear, and nothing else on purpose.
 */
export type PaymentProvider = {
  name: string;
  can: ReadonlySet<Capability>;
  /** Whether it charges nobody without a CPF or CNPJ. */
  needsPayerTaxId: boolean;
  /** Where the browser gets the hosted card field; null when cards are only paid by redirect. */
  cardFieldUrl: string | null;

  createPixCharge(request: ChargeRequest & { expiresAt: Instant }): Promise<ProviderCharge>;
  /**
   * With `cardToken` of the hosted field the card is charged now; with `savedMethodId` the saved
   * one is; with neither the payer types it at `nextActionUrl`.
   */
  createCardCharge(
    request: ChargeRequest & {
      cardToken: string | null;
      savedMethodId: string | null;
      saveMethod: boolean;
      returnUrl: string;
      /** When nobody may pay it any more. */ expiresAt: Instant;
      /** Whoever owns a saved card waits in front of the page, and may confirm it (3DS). */ isPayerThere?: boolean;
    },
  ): Promise<ProviderCharge>;
  /**
   * Takes up a charge that waits for its payer's confirmation (3DS), also from another browser:
   * gives it with a fresh `nextActionUrl`, or as it is now.
   */
  confirmCharge(request: { id: string; returnUrl: string }): Promise<ProviderCharge>;
  chargeById(id: string): Promise<ProviderCharge>;
  /** The charge made under our id, or null if the provider never heard of it. */
  chargeByReference(chargeId: string): Promise<ProviderCharge | null>;
  chargesSince(request: ListRequest): Promise<ProviderPage<ProviderCharge>>;
  cancelCharge(id: string): Promise<ProviderCharge>;

  /** Keeps a card without charging it, under our id. */
  saveMethod(request: {
    savedMethodId: string;
    cardToken: string;
    payer: Payer;
    returnUrl: string;
  }): Promise<ProviderSavedMethod>;
  savedMethodById(id: string): Promise<ProviderSavedMethod>;
  /** Forgets a card: it pays nothing any more. Forgetting twice is fine. */
  removeSavedMethod(id: string): Promise<ProviderSavedMethod>;

  createRecurringPix(request: PixMandateRequest): Promise<ProviderPixMandate>;
  recurringPixById(id: string): Promise<ProviderPixMandate>;
  recurringPixByReference(recurringPixId: string): Promise<ProviderPixMandate | null>;
  recurringPixSince(request: ListRequest): Promise<ProviderPage<ProviderPixMandate>>;
  /** Ends an authorisation for good. What was already sent to the bank may still be debited. */
  cancelRecurringPix(id: string): Promise<ProviderPixMandate>;
  /**
   * Has one charge debited from an active authorisation on a day 2 to 10 days ahead; it stays
   * `processing` until the bank says.
   */
  chargeRecurringPix(
    request: ChargeRequest & { recurringPixId: string; dueOn: string },
  ): Promise<ProviderCharge>;
  /** The orders that were sent for a charge, oldest first: the first attempt and its retries. */
  instructionsOf(chargeId: string): Promise<ProviderDebitInstruction[]>;
  instructionById(id: string): Promise<ProviderDebitInstruction>;
  /** Sends the bank a refused order once more, for another day. */
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
  /** The refund made under our id, or null if the provider never heard of it. */
  refundByReference(request: {
    refundId: string;
    providerChargeId: string;
  }): Promise<ProviderRefund | null>;
  /**
   * Also those that nobody here asked for, given back on the provider's own pages: they have no
   * `reference`. One may come twice.
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
   * Whose a Pix key is, or null for a key that nobody has. `expected` is whom we take it for, and
   * tells the provider nothing that it need use: the sandbox, whose bank knows nobody, answers with
   * it.
   */
  pixKeyOwner(request: {
    kind: PixKeyKind;
    key: string;
    expected: PixKeyOwner;
  }): Promise<PixKeyOwner | null>;

  disputeById(id: string): Promise<ProviderDispute>;
  /** Answers a dispute, once and before its day. Sending the same again answers nothing new. */
  submitEvidence(request: EvidenceRequest): Promise<ProviderDispute>;
  /** Gives a dispute up: its money goes back to the payer. Giving up twice is fine. */
  acceptDispute(id: string): Promise<ProviderDispute>;
  disputesSince(request: ListRequest): Promise<ProviderPage<ProviderDispute>>;
  balance(): Promise<ProviderBalance>;
  /**
   * Checks who sent it over the raw body and, where the provider signs, its age (300 s of real
   * time), with any of the secrets in rotation. Throws WebhookRefused.
   */
  verifyWebhook(request: {
    headers: Headers;
    rawBody: string;
    at: Instant;
  }): Promise<ProviderEvent>;
};

/** Several providers at once: who takes what is new, and everybody who answers for what they took. */
type PaymentRouter = Readonly<Record<PaymentMethod, PaymentProvider>> & {
  /** Who pays creators out. */
  readonly transfers: PaymentProvider;
  /** The three above, each once, and those that only answer for what they took before. */
  readonly providers: readonly PaymentProvider[];
};

/**
 * Whom the product is paid through. What exists is only ever asked about at the provider that its
 * row names: see rules/providers.ts.
 */
export type PaymentProviders = PaymentProvider | PaymentRouter;
