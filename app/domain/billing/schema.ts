import { z } from "zod";
import { methodSchema } from "#app/domain/payments/schema/forms.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import type { DayNumber } from "#app/domain/time.ts";
import { cleanLine } from "#app/domain/text.ts";

/**
 * The two sides of a person's statement: their charges, paid or not, and the payments that they
 * received.
 */
export const statementSides = ["paid", "received"] as const;
export type StatementSide = (typeof statementSides)[number];

/**
 * The status of a payment as a filter shows it. Several charge statuses map to one of these
 * (`transactionStateOf`).
 */
export const transactionStates = [
  "paid",
  "returned",
  "disputed",
  "lost",
  "waiting",
  "unpaid",
] as const;
export type TransactionState = (typeof transactionStates)[number];

/** What a payment can be for. */
export const transactionKinds = [
  "subscription",
  "plan_change",
  "post",
  "collection",
  "message",
  "event",
  "tip",
  "gift",
] as const;
export type TransactionKind = (typeof transactionKinds)[number];

/** What any payment was for. A creator's payment of a debt (`debt`) is no sale. */
export type PaymentKind = TransactionKind | "debt";

/** The filter of a statement. Null selects everything. `from` and `until` are inclusive. */
export type TransactionFilter = {
  from: DayNumber | null;
  until: DayNumber | null;
  state: TransactionState | null;
  method: PaymentMethod | null;
  kind: TransactionKind | null;
  /** The username of the payer or the payee. */
  person: string | null;
  /**
   * The id of the one subscription that was paid for, with its plan changes. Only for the paid
   * side.
   */
  subscription: string | null;
  /** The id of a plan, or `NO_PART` for single sales. Only for the received side, as the next. */
  plan: string | null;
  /** The slug of the creator's link that the payer came by, or `NO_PART` for all others. */
  link: string | null;
  /** The id of the post, collection, message or event that was sold once. */
  item: string | null;
  /** Only payments of which something was refunded or disputed. */
  refunds: "any" | null;
};

/** A filter's value for what has no plan, or came by no link. No id and no slug is written so. */
export const NO_PART = "-";

export const unfilteredStatement: TransactionFilter = {
  from: null,
  until: null,
  state: null,
  method: null,
  kind: null,
  person: null,
  subscription: null,
  plan: null,
  link: null,
  item: null,
  refunds: null,
};

/**
 * Parses the choices of the URL. An unknown value is ignored: a broken link shows more, never an
 * error.
 */
export const statementChoicesSchema = z.object({
  face: z.enum(statementSides).nullable().catch(null),
  state: z.enum(transactionStates).nullable().catch(null),
  method: methodSchema.nullable().catch(null),
  kind: z.enum(transactionKinds).nullable().catch(null),
  refunds: z.literal("any").nullable().catch(null),
});

/**
 * A refund that the seller decides. `refundId` was made with the form, so sending it twice refunds
 * once.
 */
export const refundSchema = z.object({
  refundId: z.string().regex(/^[0-9a-f]{32}$/, "Abra a devolução de novo"),
  amountCents: z.coerce.number().int().positive(),
  reason: z
    .string()
    .default("")
    .transform(cleanLine)
    .pipe(z.string().max(200, "Use até 200 letras")),
});
