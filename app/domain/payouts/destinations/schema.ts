import { z } from "zod";
import { sellerTaxId } from "#app/domain/documents/rules.ts";
import { documentsFormSchema } from "#app/domain/documents/schema.ts";
import { accountKinds, pixKeyKinds } from "#app/domain/payments/schema.ts";
import type { PixKeyKind } from "#app/domain/payments/schema.ts";
import { isOthersDocument, parsePixKey } from "#app/domain/payouts/destinations/rules/keys.ts";
import { encodeAccount } from "#app/domain/payouts/destinations/rules/accounts.ts";
import { bankLabel, findBank } from "#app/domain/payouts/destinations/rules/banks.ts";
import { isDigitDoubtful } from "#app/domain/payouts/destinations/rules/check-digits.ts";
import type { Destination, PixKey } from "#app/domain/payouts/schema/destinations.ts";
import { payoutSchedules } from "#app/domain/payouts/schema.ts";

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
