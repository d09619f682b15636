import { z } from "zod";
import { methodSchema } from "#app/domain/payments/schema.ts";
import type { PaymentMethod } from "#app/domain/payments/schema.ts";
import type { DayNumber } from "#app/domain/time.ts";
import { cleanLine } from "#app/domain/text.ts";

/**
 * The two sides of a person's statement: what they paid (each attempt), and what was really
 * received.
 */
export const statementSides = ["paid", "received"] as const;
export type StatementSide = (typeof statementSides)[number];

/**
 * How a payment stands, as one filters by it; several states of a charge are one of these
 * (`stateOf`).
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

/** What may have been paid for. */
export const transactionKinds = [
  "subscription",
  "plan_change",
  "post",
  "collection",
  "tip",
  "gift",
] as const;
export type TransactionKind = (typeof transactionKinds)[number];

/** What any payment was made for: what a creator pays of what they owe (`debt`) was not sold. */
export type PaymentKind = TransactionKind | "debt";

/** What of a statement is asked for; null asks for everything. `from` and `until` are both counted. */
export type TransactionFilter = {
  from: DayNumber | null;
  until: DayNumber | null;
  state: TransactionState | null;
  method: PaymentMethod | null;
  kind: TransactionKind | null;
  /** The username of who paid, or who was paid. */
  person: string | null;
  /**
   * The id of the one subscription that is paid for, its changes of plan with it; asked only of
   * what was paid.
   */
  subscription: string | null;
};

export const unfilteredStatement: TransactionFilter = {
  from: null,
  until: null,
  state: null,
  method: null,
  kind: null,
  person: null,
  subscription: null,
};

/**
 * Words of an address that are not one of these are not asked for: a broken link shows more, never
 * an error.
 */
export const statementChoicesSchema = z.object({
  face: z.enum(statementSides).nullable().catch(null),
  state: z.enum(transactionStates).nullable().catch(null),
  method: methodSchema.nullable().catch(null),
  kind: z.enum(transactionKinds).nullable().catch(null),
});

/**
 * A refund that who sells decides. `refundId` was made with the form, so that sending it twice
 * gives back once.
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
