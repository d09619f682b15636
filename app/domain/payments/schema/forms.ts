import { z } from "zod";
import { parseMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";
import {
  PAYMENT_METHODS,
  SAVED_CHOICE_PREFIX,
  savedMethodChosen,
} from "#app/domain/payments/rules/choices.ts";
import type { ChosenMethod } from "#app/domain/payments/rules/choices.ts";

export const methodSchema = z.enum(PAYMENT_METHODS);

const CHOICE = new RegExp(`^(${PAYMENT_METHODS.join("|")}|${SAVED_CHOICE_PREFIX}[\\w./-]{1,200})$`);

/** Payment choice of a checkout form: `pix`, `card`, or `card:<saved card>`. */
export const chosenMethodSchema = z
  .string({ error: "Escolha uma das opções." })
  .regex(CHOICE, "Escolha uma das opções.")
  .transform(
    (choice): ChosenMethod =>
      savedMethodChosen(choice) ?? { method: methodSchema.parse(choice), savedMethodId: null },
  );

/** Error message for hidden form fields that no page of ours would send. */
export const REOPEN_PAGE_MESSAGE =
  "Não deu para ler este pagamento. Nada foi cobrado. Abra a página de novo e confira.";

/** A price that a page showed, as its form sends it back. */
export const shownCentsSchema = z
  .string({ error: REOPEN_PAGE_MESSAGE })
  .regex(/^\d{1,9}$/, REOPEN_PAGE_MESSAGE)
  .transform(Number)
  .optional();

/** Card token from the provider's own field; empty when the card is typed on the provider's page. */
export const cardTokenSchema = z
  .string({ error: REOPEN_PAGE_MESSAGE })
  .max(200, REOPEN_PAGE_MESSAGE)
  .optional()
  .transform((token) => token || null);

/**
 * Form of a one-time payment. `amountCents` is the price shown. `cardToken` comes from the
 * provider's field, empty when the card is typed on its page.
 */
export const paymentFormSchema = z.object({
  method: chosenMethodSchema,
  amountCents: shownCentsSchema,
  cardToken: cardTokenSchema,
  /** Checkbox that asks to save the card typed now. */
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

/** Form that pays part of a debt by Pix, in reais. */
export const debtPaymentSchema = z.object({ amount: reaisSchema });

/** Form by which a moderator writes off a debt, with the reason. */
/** The debt that the moderator saw (centavos). A form sent twice finds another debt. */
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
 * Form that closes a quarantined event with the reviewer's note. `seenAt`: when the event was
 * quarantined, as the reviewer saw it.
 */
export const quarantineClosingSchema = z.object({
  seenAt: z.coerce.number().int(),
  note: z
    .string({ error: "Escreva o que foi feito" })
    .trim()
    .min(3, "Escreva um pouco mais: quem ler depois precisa entender")
    .max(500, "Use até 500 letras"),
});

/** A creator's fee as staff types it: "4,5", or empty for the platform's own fee. */
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
