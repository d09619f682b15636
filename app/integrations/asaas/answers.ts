import { z } from "zod";

/**
 * Asaas's answers (API v3), as far as the product reads them. Anything else is an unclear answer.
 * Money is reais with two decimals.
 */
const reais = z.number();
const id = z.string().min(1).max(255);
const day = z.iso.date();

const refundItem = z.object({
  status: z.string(),
  value: reais,
  description: z.string().nullish(),
  dateCreated: z.string().nullish(),
});
export type RefundItem = z.infer<typeof refundItem>;

export const payment = z.object({
  object: z.literal("payment"),
  id,
  customer: id,
  value: reais,
  netValue: reais.nullish(),
  billingType: z.string(),
  status: z.string(),
  deleted: z.boolean().default(false),
  externalReference: z.string().nullish(),
  conciliationIdentifier: z.string().nullish(),
  pixAutomaticAuthorizationId: id.nullish(),
  creditDate: day.nullish(),
  estimatedCreditDate: day.nullish(),
  refunds: z.array(refundItem).nullish(),
});
export type PaymentAnswer = z.infer<typeof payment>;

export const pixQrCode = z.object({ payload: z.string().min(1) });
export const removed = z.object({ deleted: z.boolean(), id });
export const customer = z.object({ object: z.literal("customer"), id });
export const refundList = z.object({ data: z.array(refundItem) });

export const authorization = z.object({
  id,
  status: z.enum(["CREATED", "ACTIVE", "CANCELLED", "REFUSED", "EXPIRED"]),
  frequency: z.enum(["WEEKLY", "MONTHLY", "QUARTERLY", "SEMIANNUALLY", "ANNUALLY"]),
  contractId: z.string().nullish(),
  customerId: id,
  value: reais.nullish(),
  payload: z.string().nullish(),
  immediateQrCode: z.object({ conciliationIdentifier: z.string().nullish() }).nullish(),
});
export type AuthorizationAnswer = z.infer<typeof authorization>;

export const instruction = z.object({
  id,
  status: z.enum(["AWAITING_REQUEST", "SCHEDULED", "DONE", "REFUSED", "CANCELLED"]),
  dueDate: day,
  paymentId: id,
  authorization: z.object({ id }),
  refusalReason: z.string().nullish(),
});
export type InstructionAnswer = z.infer<typeof instruction>;

export const transfer = z.object({
  object: z.literal("transfer"),
  id,
  value: reais,
  transferFee: reais.nullish(),
  status: z.string(),
  externalReference: z.string().nullish(),
  failReason: z.string().nullish(),
});
export type TransferAnswer = z.infer<typeof transfer>;

const keyOwner = z.object({ name: z.string().min(1), cpfCnpj: z.string().min(1) });
/** The owner of a Pix key; the tax id is masked. Seen with the owner in an object and without. */
export const externalKey = z.union([
  z.object({ owner: keyOwner }),
  keyOwner.transform((owner) => ({ owner })),
]);

export const chargeback = z.object({
  id,
  payment: id,
  value: reais,
  status: z.string(),
  disputeStartDate: day.nullish(),
  deadlineToSendDisputeDocuments: day.nullish(),
  creditCard: z.unknown().nullish(),
});
export type ChargebackAnswer = z.infer<typeof chargeback>;

/** One row of the account's statement. */
export const movement = z.object({
  object: z.literal("financialTransaction"),
  id,
  value: reais,
  type: z.string(),
  date: day.nullish(),
  paymentId: id.nullish(),
});

export const balance = z.object({ balance: reais });
export const statistics = z.object({ netValue: reais });

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ object: z.literal("list"), hasMore: z.boolean(), data: z.array(item) });

export const errorAnswer = z.object({
  errors: z.array(z.object({ code: z.string(), description: z.string().optional() })).min(1),
});

/**
 * Maps an error message about our own account there to a code; null for others. Asaas's codes are
 * too general ("invalid_action"), and the recipient cannot fix such errors. An account setting can
 * require a person to confirm every transfer ("autorização crítica"). Source: Asaas, "Dúvidas
 * frequentes sobre segurança da API".
 */
export function ofOurAccount(
  message: string,
): "insufficient_balance" | "account_forbidden" | "limit_exceeded" | null {
  if (/saldo/i.test(message)) return "insufficient_balance";
  if (/autorização crítica|primeira transferência|permissão/i.test(message))
    return "account_forbidden";
  return /limite/i.test(message) ? "limit_exceeded" : null;
}

const named = z.object({ id });
export const eventBody = z.object({
  id: id.optional(),
  event: z.string().max(100),
  payment: named.optional(),
  transfer: named.optional(),
  authorization: named.optional(),
  paymentInstruction: named.optional(),
});
