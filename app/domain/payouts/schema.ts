import { z } from "zod";
import { sellerTaxId } from "#app/domain/documents/rules.ts";
import { documentsFormSchema } from "#app/domain/documents/schema.ts";
import type { Cents } from "#app/domain/money.ts";
import { accountKinds, pixKeyKinds } from "#app/domain/payments/schema.ts";
import type { PixKeyKind } from "#app/domain/payments/schema.ts";
import type { Instant } from "#app/domain/time.ts";
import { isOthersDocument } from "#app/domain/payouts/destinations/rules/keys.ts";
import { parsePixKey } from "#app/domain/payouts/destinations/rules/keys.ts";
import { encodeAccount } from "#app/domain/payouts/destinations/rules/accounts.ts";
import { bankLabel, findBank } from "#app/domain/payouts/destinations/rules/banks.ts";
import { isDigitDoubtful } from "#app/domain/payouts/destinations/rules/check-digits.ts";
import type { Destination, DestinationKind, PixKey } from "./schema/destinations.ts";

export const payoutStatuses = [
  "requested",
  "held",
  "claimed",
  "sent",
  "paid",
  "failed",
  "returned",
  "canceled",
] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

export const payoutSchedules = ["manual", "weekly", "monthly"] as const;
export type PayoutSchedule = (typeof payoutSchedules)[number];

/**
 * Why a payout is held: documents not approved, a changed destination, a moderator's hold, or an
 * amount above the limit. `owner_differs`: the key owner differs from the documents.
 */
export const heldReasons = [
  "documents",
  "changed_method",
  "moderation",
  "approval",
  "owner_differs",
] as const;
export type HeldReason = (typeof heldReasons)[number];

/**
 * The owner of a bank account, by the documents at the claim; null for a Pix key and before the
 * claim.
 */
export type AccountOwner = { ownerName: string | null; ownerTaxId: string | null };

/**
 * What a payout that may leave waits for: bank hours, money at the provider, the provider to accept
 * our account again, or the key owner.
 */
export type PayoutWaitReason = "business_day" | "balance" | "provider" | "key_owner";

/** Portuguese message for a text that is no key of the chosen kind. */
const NO_SUCH_KEY: Record<PixKeyKind, string> = {
  cpf: "Confira o CPF: são 11 números",
  cnpj: "Confira o CNPJ: são 14 letras e números",
  email: "Confira o e-mail, como voce@exemplo.com.br",
  phone: "Confira o celular: DDD e 9 números",
  evp: "Confira a chave aleatória: 32 letras e números, como o seu banco mostra",
};

/**
 * Parses a typed Pix key into its canonical form. The chosen kind decides how it is read, and check
 * digits must match.
 */
const pixKeySchema = z
  .object({
    typed: z
      .string({ error: "Informe a chave Pix" })
      .trim()
      .min(1, "Informe a chave Pix")
      .max(77, "Uma chave Pix tem até 77 letras"),
    kind: z.enum(pixKeyKinds, { error: "Escolha o tipo da chave" }),
  })
  .transform(({ typed, kind }, check): PixKey => {
    const key = parsePixKey(kind, typed);
    if (key) return key;
    check.addIssue({ code: "custom", message: NO_SUCH_KEY[kind] });
    return z.NEVER;
  });

const fieldOf = (fields: unknown, name: string): unknown => Reflect.get(Object(fields), name);

/**
 * Joins the two form fields of a key, its kind and its text, into the one that shows the problems
 * of both.
 */
const keyOf = (fields: unknown) => ({
  ...Object(fields),
  pixKey: { typed: fieldOf(fields, "pixKey"), kind: fieldOf(fields, "keyKind") },
});

const PERSON_MISMATCH =
  "A chave CPF precisa ser a sua, e a CNPJ só vale para empresa: o dinheiro vai para quem enviou os documentos";
const COMPANY_MISMATCH =
  "A chave precisa ser o CNPJ da empresa, ou um e-mail, celular ou chave aleatória da conta dela";

const detailsFormOf = (key: z.ZodType<PixKey | null>) =>
  z
    .preprocess(keyOf, documentsFormSchema({ pixKey: key }))
    .transform(({ fullName, cpf, birthDate, contests, pixKey, ...rest }) => ({
      fullName,
      cpf,
      birthDate,
      contests,
      pixKey,
      company: rest.kind === "company" ? { name: rest.companyName, cnpj: rest.cnpj } : null,
    }))
    .superRefine(({ pixKey, ...details }, check) => {
      if (pixKey !== null && isOthersDocument(pixKey, sellerTaxId(details)))
        check.addIssue({
          code: "custom",
          path: ["pixKey"],
          message: details.company ? COMPANY_MISMATCH : PERSON_MISMATCH,
        });
    });

/**
 * The minimal form that a seller fills before the first plan is active. `company` is null for a
 * person.
 */
export const sellerDetailsSchema = detailsFormOf(pixKeySchema);

/**
 * The same form for a seller who already has a destination: without a key (null), that destination
 * stays.
 */
export const sellerDetailsAgainSchema = detailsFormOf(
  z.preprocess((key) => (fieldOf(key, "typed") ? key : null), pixKeySchema.nullable()),
);

/**
 * Parses a typed bank account into its line. A digit that does not match the bank's own rule must
 * be confirmed once (`digitSure`); it is not refused.
 */
const accountFormSchema = z
  .object({
    form: z.literal("account"),
    bank: z
      .string({ error: "Escolha o banco" })
      .trim()
      .min(1, "Escolha o banco")
      .max(120, "Escolha o banco da lista")
      .transform((typed, check) => {
        const found = findBank(typed);
        if ("bank" in found) return found.bank.code;
        check.addIssue({
          code: "custom",
          message:
            found.candidates.length > 0
              ? `Qual destes? ${found.candidates.map(bankLabel).join(", ")}. Escreva o número.`
              : "Escolha o banco da lista, pelo nome ou pelo número",
        });
        return z.NEVER;
      }),
    branch: z
      .string({ error: "Informe a agência" })
      .trim()
      .min(1, "Informe a agência")
      .regex(/^\d{1,4}(-[\dxX])?$/, "A agência tem até 4 números")
      .transform((typed) => typed.replace(/-.$/, "")),
    account: z
      .string({ error: "Informe a conta" })
      .trim()
      .min(1, "Informe a conta")
      .transform((typed) => typed.replace(/[.\s]/g, ""))
      .pipe(z.string().regex(/^\d{1,13}$/, "Só os números da conta; o dígito vai ao lado")),
    accountDigit: z
      .string({ error: "Informe o dígito" })
      .trim()
      .min(1, "Informe o dígito")
      .toUpperCase()
      .regex(/^[\dXP]$/, "Um número, X ou P"),
    accountKind: z.enum(accountKinds, { error: "Escolha o tipo de conta" }),
    digitSure: z.string().optional(),
  })
  .transform(({ bank: bankCode, accountKind: kind, digitSure, form, ...numbers }, check) => {
    const account = { bankCode, kind, ...numbers };
    if (isDigitDoubtful(account) && digitSure !== "on")
      check.addIssue({ code: "custom", path: ["accountDigit"], message: DOUBTFUL_DIGIT_MESSAGE });
    return { form, to: { kind: "bank_account" as const, key: encodeAccount(account) } };
  });

/**
 * Portuguese message beside a digit that does not match the bank's rule. The page then offers to
 * confirm it.
 */
export const DOUBTFUL_DIGIT_MESSAGE =
  "O dígito não combina com esta agência e conta. Confira os números.";

const keyFormSchema = z
  .object({ form: z.literal("key"), pixKey: pixKeySchema })
  .transform(({ form, pixKey }) => ({ form, to: pixKey as Destination }));
const scheduleFormSchema = z.object({
  form: z.literal("schedule"),
  schedule: z.enum(payoutSchedules, { error: "Escolha quando sacar" }),
});

const formOf = (fields: object): string =>
  Object.hasOwn(fields, "schedule")
    ? "schedule"
    : fieldOf(fields, "way") === "account"
      ? "account"
      : "key";

/** The forms of the withdrawal method page: another key, a bank account, or another schedule. */
export const withdrawalMethodSchema = z.preprocess(
  (fields) => ({ ...keyOf(fields), form: formOf(Object(fields)) }),
  z.discriminatedUnion("form", [keyFormSchema, accountFormSchema, scheduleFormSchema]),
);

const reasonSchema = z
  .string({ error: "Escreva o motivo" })
  .trim()
  .min(1, "Escreva o motivo")
  .max(300, "O motivo tem até 300 letras");

const holdSchema = z.object({ act: z.literal("hold"), reason: reasonSchema });
const releaseSchema = z.object({ act: z.literal("release") });

/** What a moderator does to all payouts of a person, future ones too. */
export const payeeReviewSchema = z.discriminatedUnion("act", [holdSchema, releaseSchema]);

/**
 * What a moderator does to one payout in staff review. `seenCents` is the amount that they saw, in
 * centavos. `seenPlace` is the destination signature of the page.
 */
export const staffReviewSchema = z.discriminatedUnion("act", [
  z.object({
    act: z.literal("approve"),
    seenCents: z.coerce.number().int().positive(),
    seenPlace: z.string(),
  }),
  holdSchema,
  releaseSchema,
  z.object({ act: z.literal("cancel"), reason: reasonSchema }),
  z.object({ act: z.literal("retry") }),
  z.object({ act: z.literal("ask") }),
  z.object({ act: z.literal("record") }),
]);

/** What a moderator does to a batch, page by page. `after` is where the previous page ended. */
export const batchActionSchema = z.discriminatedUnion("act", [
  z.object({ act: z.literal("retry"), after: z.string().max(64).default("") }),
  z.object({
    act: z.literal("cancel"),
    after: z.string().max(64).default(""),
    reason: reasonSchema,
  }),
]);

export type Payout = {
  id: string;
  creatorId: string;
  batchId: string | null;
  amountCents: Cents;
  status: PayoutStatus;
  pixKeyKind: DestinationKind;
  pixKey: string;
  provider: string;
  providerTransferId: string | null;
  failureCode: string | null;
  requestedAt: Instant;
  claimedAt: Instant | null;
  /** When the provider was last asked to send it; null until then. */
  sendAskedAt: Instant | null;
  /** The first of those calls with an unconfirmed outcome; null until the provider was asked. */
  unsureSince: Instant | null;
  sentAt: Instant | null;
  settledAt: Instant | null;
  actedBy: string | null;
  heldReason: HeldReason | null;
  heldUntil: Instant | null;
  approvedBy: string | null;
  approvedCents: Cents | null;
  waitsFor: PayoutWaitReason | null;
  waitsUntil: Instant | null;
  /** The provider's cost for sending it, as booked; null until the provider reports it. */
  costCents: Cents | null;
} & AccountOwner;

export type WithdrawalMethod = {
  pixKeyKind: DestinationKind;
  pixKey: string;
  schedule: PayoutSchedule;
  holdUntil: Instant | null;
  updatedAt: Instant;
};
