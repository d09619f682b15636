import type { z } from "zod";
import type {
  ProviderCharge,
  ProviderDispute,
  ProviderDebitInstruction,
  ProviderPage,
  ProviderPixMandate,
  ProviderRefund,
  ProviderSavedMethod,
  ProviderTransfer,
} from "#app/domain/payments/schema.ts";
import type {
  chargeAnswer,
  disputeAnswer,
  instructionAnswer,
  recurringPixAnswer,
  refundAnswer,
  savedMethodAnswer,
  transferAnswer,
} from "./answers.ts";

export function toCharge(answer: z.infer<typeof chargeAnswer>): ProviderCharge {
  return {
    id: answer.id,
    reference: answer.reference,
    status: answer.status,
    amountCents: answer.amount_cents,
    refundedCents: answer.refunded_cents,
    pixCode: answer.pix_code,
    nextActionUrl: answer.next_action_url,
    expiresAt: answer.expires_at,
    failureCode: answer.failure_code,
    settlesAt: answer.settles_at,
    savedMethodId: answer.saved_method,
    costCents: answer.cost_cents,
    recurringPixId: answer.recurring_pix,
  };
}

export function toRefund(answer: z.infer<typeof refundAnswer>): ProviderRefund {
  return {
    id: answer.id,
    reference: answer.reference,
    chargeId: answer.charge,
    status: answer.status,
    amountCents: answer.amount_cents,
    costCents: answer.cost_cents,
  };
}

export function toTransfer(answer: z.infer<typeof transferAnswer>): ProviderTransfer {
  return {
    id: answer.id,
    reference: answer.reference,
    status: answer.status,
    amountCents: answer.amount_cents,
    failureCode: answer.failure_code,
    costCents: answer.cost_cents,
  };
}

export function toDispute(answer: z.infer<typeof disputeAnswer>): ProviderDispute {
  return {
    id: answer.id,
    chargeId: answer.charge,
    kind: answer.kind,
    status: answer.status,
    amountCents: answer.amount_cents,
    respondBy: answer.respond_by,
    costCents: answer.cost_cents,
  };
}

export function toSavedMethod(answer: z.infer<typeof savedMethodAnswer>): ProviderSavedMethod {
  return {
    id: answer.id,
    status: answer.status,
    brand: answer.brand,
    last4: answer.last4,
    nextActionUrl: answer.next_action_url,
    failureCode: answer.failure_code,
  };
}

export function toSandboxPixMandate(
  answer: z.infer<typeof recurringPixAnswer>,
): ProviderPixMandate {
  return {
    id: answer.id,
    reference: answer.reference,
    status: answer.status,
    interval: answer.interval,
    amountCents: answer.amount_cents,
    pixCode: answer.pix_code,
    expiresAt: answer.expires_at,
    firstChargeId: answer.first_charge,
  };
}

export function toInstruction(answer: z.infer<typeof instructionAnswer>): ProviderDebitInstruction {
  return {
    id: answer.id,
    chargeId: answer.charge,
    recurringPixId: answer.recurring_pix,
    status: answer.status,
    dueOn: answer.due_on,
    failureCode: answer.failure_code,
  };
}

/** Converts a list to a page whose cursor is the last row's time and id. */
export function toPage<Answer extends { id: string; created_at: number }, Item>(
  list: { data: Answer[]; has_more: boolean },
  item: (answer: Answer) => Item,
): ProviderPage<Item> {
  const last = list.data.at(-1);
  return {
    items: list.data.map(item),
    next: list.has_more && last ? `${last.created_at}.${last.id}` : null,
  };
}
