import type {
  ProviderCharge,
  ProviderDispute,
  ProviderDebitInstruction,
  ProviderPixMandate,
  ProviderTransfer,
  PixMandateInterval,
} from "#app/domain/payments/schema.ts";
import { addDays, instantOfIsoDay } from "#app/domain/time.ts";
import { ofOurAccount } from "./answers.ts";
import type {
  AuthorizationAnswer,
  ChargebackAnswer,
  InstructionAnswer,
  PaymentAnswer,
  TransferAnswer,
} from "./answers.ts";
import { centsOf } from "./client.server.ts";

export const FREQUENCIES = {
  weekly: "WEEKLY",
  monthly: "MONTHLY",
  quarterly: "QUARTERLY",
  semiannual: "SEMIANNUALLY",
  annual: "ANNUALLY",
} as const satisfies Record<PixMandateInterval, AuthorizationAnswer["frequency"]>;

const INTERVALS: Record<AuthorizationAnswer["frequency"], PixMandateInterval> = {
  WEEKLY: "weekly",
  MONTHLY: "monthly",
  QUARTERLY: "quarterly",
  SEMIANNUALLY: "semiannual",
  ANNUALLY: "annual",
};

/**
 * Paid, including later refunds and disputes, which have their own objects. Source: Asaas, "Events
 * for payments".
 */
const PAID = new Set([
  "RECEIVED",
  "CONFIRMED",
  "RECEIVED_IN_CASH",
  "REFUND_REQUESTED",
  "REFUND_IN_PROGRESS",
  "REFUNDED",
  "CHARGEBACK_REQUESTED",
  "CHARGEBACK_DISPUTE",
  "AWAITING_CHARGEBACK_REVERSAL",
]);
const WAITING = new Set(["PENDING"]);
const OVERDUE = new Set(["OVERDUE", "DUNNING_REQUESTED"]);

/** The result of an open debit, which only its orders have. */
export type DebitOutcome = Pick<ProviderCharge, "status" | "failureCode">;

export function toCharge(
  answer: PaymentAnswer,
  more: Partial<Pick<ProviderCharge, "pixCode" | "expiresAt" | "recurringPixId">> & {
    debit?: DebitOutcome | null;
  } = {},
): ProviderCharge {
  const { debit = null, ...existing } = more;
  const isPaid = PAID.has(answer.status);
  const settlesOn = answer.creditDate ?? answer.estimatedCreditDate;
  const refunds = answer.refunds ?? [];
  return {
    id: answer.id,
    reference: answer.externalReference || null,
    status: statusOf(answer),
    amountCents: centsOf(answer.value),
    refundedCents: refunds
      .filter(({ status }) => status === "DONE")
      .reduce((sum, { value }) => sum + centsOf(value), 0),
    pixCode: null,
    nextActionUrl: null,
    expiresAt: null,
    failureCode: null,
    settlesAt: isPaid && settlesOn ? instantOfIsoDay(settlesOn) : null,
    savedMethodId: null,
    costCents:
      isPaid && typeof answer.netValue === "number"
        ? centsOf(answer.value) - centsOf(answer.netValue)
        : null,
    recurringPixId: answer.pixAutomaticAuthorizationId ?? null,
    ...(isDebit(answer) && isAwaitingPaymentAnswer(answer) ? debit : null),
    ...existing,
  };
}

function statusOf(answer: PaymentAnswer): ProviderCharge["status"] {
  if (PAID.has(answer.status)) return "succeeded";
  if (answer.deleted) return "canceled";
  if (isDebit(answer)) return "processing";
  if (WAITING.has(answer.status)) return "awaiting_payment";
  return OVERDUE.has(answer.status) ? "expired" : "processing";
}

/** Whether a charge is a debit that we ordered from a mandate, not a manual payment. */
export const isDebit = (answer: PaymentAnswer): boolean =>
  Boolean(answer.pixAutomaticAuthorizationId) && Boolean(answer.externalReference);
export const isAwaitingPaymentAnswer = (answer: PaymentAnswer): boolean =>
  !answer.deleted && (WAITING.has(answer.status) || OVERDUE.has(answer.status));

export function toDebit(orders: readonly ProviderDebitInstruction[]): DebitOutcome {
  const last = orders.at(-1);
  return last?.status === "refused"
    ? { status: "failed", failureCode: last.failureCode ?? "debit_refused" }
    : { status: "processing", failureCode: null };
}

export function toInstruction(answer: InstructionAnswer): ProviderDebitInstruction {
  const statuses = {
    AWAITING_REQUEST: "created",
    SCHEDULED: "scheduled",
    DONE: "settled",
    REFUSED: "refused",
    CANCELLED: "canceled",
  } as const;
  return {
    id: answer.id,
    chargeId: answer.paymentId,
    recurringPixId: answer.authorization.id,
    status: statuses[answer.status],
    dueOn: answer.dueDate,
    failureCode: answer.refusalReason
      ? answer.refusalReason.toLowerCase().replaceAll(/\W+/g, "_").slice(0, 80)
      : null,
  };
}

export function toPixMandate(
  answer: AuthorizationAnswer,
  more: Partial<Pick<ProviderPixMandate, "expiresAt" | "firstChargeId">> = {},
): ProviderPixMandate {
  const statuses = {
    CREATED: "created",
    ACTIVE: "active",
    CANCELLED: "canceled",
    REFUSED: "rejected",
    EXPIRED: "expired",
  } as const;
  return {
    id: answer.id,
    reference: answer.contractId ?? null,
    status: statuses[answer.status],
    interval: INTERVALS[answer.frequency],
    amountCents: typeof answer.value === "number" ? centsOf(answer.value) : null,
    pixCode: answer.status === "CREATED" ? (answer.payload ?? null) : null,
    expiresAt: null,
    firstChargeId: null,
    ...more,
  };
}

export function toTransfer(answer: TransferAnswer): ProviderTransfer {
  const isOver = answer.status === "FAILED" || answer.status === "CANCELLED";
  return {
    id: answer.id,
    reference: answer.externalReference || null,
    status: answer.status === "DONE" ? "paid" : isOver ? "failed" : "processing",
    amountCents: centsOf(answer.value),
    failureCode: isOver
      ? (failedFor(answer.failReason ?? "") ?? `transfer_${answer.status.toLowerCase()}`)
      : null,
    costCents:
      answer.status === "DONE" && typeof answer.transferFee === "number"
        ? centsOf(answer.transferFee)
        : null,
  };
}

/**
 * Maps a failure reason to our code. The reasons are Portuguese sentences that name whose fault it
 * is.
 */
const failedFor = (reason: string): string | null =>
  /chave|conta (de )?destino|recebedor/i.test(reason) ? "pix_key_refused" : ofOurAccount(reason);

/** Identified by its payment: each payment has one dispute, and its address needs the payment's id. */
export function toDispute(answer: ChargebackAnswer): ProviderDispute {
  const isLost = answer.status === "DISPUTE_LOST" || answer.status === "DONE";
  return {
    id: answer.payment,
    chargeId: answer.payment,
    kind: answer.creditCard ? "card" : "med",
    status: isLost
      ? "lost"
      : answer.status === "REVERSED"
        ? "won"
        : answer.status === "IN_DISPUTE"
          ? "under_review"
          : "needs_response",
    amountCents: centsOf(answer.value),
    respondBy: answer.deadlineToSendDisputeDocuments
      ? addDays(instantOfIsoDay(answer.deadlineToSendDisputeDocuments), 1)
      : null,
  };
}
