import { chargeCost, disputeCost, transferCost } from "./prices.ts";
import type {
  ChargeRow,
  SandboxDisputeRow,
  FileRow,
  InstructionRow,
  RecurringPixRow,
  RefundRow,
  SavedMethodRow,
  TransferRow,
} from "./tables.ts";

/** The objects of the API, as clients see them. */
export function chargeAnswer(charge: ChargeRow, publicUrl: string) {
  const waitsForPayer = charge.status === "requires_action";
  const page = charge.cardBehaviour ? "3ds" : "pay";
  return {
    object: "charge",
    id: charge.id,
    reference: charge.reference,
    method: charge.method,
    status: charge.status,
    amount_cents: charge.amountCents,
    refunded_cents: charge.refundedCents,
    description: charge.description,
    txid: charge.txid,
    pix_code: charge.pixCode,
    next_action_url: waitsForPayer ? `${publicUrl}/${page}/${charge.id}` : null,
    card: charge.cardBrand ? { brand: charge.cardBrand, last4: charge.cardLast4 } : null,
    saved_method: charge.savedMethodId,
    failure_code: charge.failureCode,
    expires_at: charge.expiresAt,
    settles_at: charge.settlesAt,
    succeeded_at: charge.succeededAt,
    cost_cents: chargeCost(charge),
    recurring_pix: charge.recurringPixId,
    created_at: charge.createdAt,
  };
}

export function savedMethodAnswer(method: SavedMethodRow, publicUrl: string) {
  return {
    object: "saved_method",
    id: method.id,
    status: method.status,
    brand: method.brand,
    last4: method.last4,
    next_action_url: method.status === "requires_action" ? `${publicUrl}/save/${method.id}` : null,
    failure_code: method.failureCode,
    created_at: method.createdAt,
  };
}

export function recurringPixAnswer(row: RecurringPixRow) {
  return {
    object: "recurring_pix",
    id: row.id,
    reference: row.reference,
    status: row.status,
    interval: row.interval,
    amount_cents: row.amountCents,
    least_cents: row.leastCents,
    starts_on: row.startsOn,
    ends_on: row.endsOn,
    description: row.description,
    pix_code: row.status === "created" ? row.pixCode : null,
    first_charge: row.firstChargeId,
    expires_at: row.expiresAt,
    created_at: row.createdAt,
  };
}

export function instructionAnswer(row: InstructionRow) {
  return {
    object: "instruction",
    id: row.id,
    charge: row.chargeId,
    recurring_pix: row.recurringPixId,
    status: row.status,
    due_on: row.dueOn,
    attempt: row.attempt,
    failure_code: row.failureCode,
    created_at: row.createdAt,
  };
}

export function refundAnswer(refund: RefundRow) {
  return {
    object: "refund",
    id: refund.id,
    reference: refund.reference,
    charge: refund.chargeId,
    status: refund.status,
    amount_cents: refund.amountCents,
    cost_cents: refund.status === "processing" ? null : 0,
    created_at: refund.createdAt,
  };
}

export function transferAnswer(transfer: TransferRow) {
  return {
    object: "transfer",
    id: transfer.id,
    reference: transfer.reference,
    status: transfer.status,
    amount_cents: transfer.amountCents,
    failure_code: transfer.failureCode,
    cost_cents: transferCost(transfer),
    created_at: transfer.createdAt,
  };
}

export function disputeAnswer(dispute: SandboxDisputeRow) {
  return {
    object: "dispute",
    id: dispute.id,
    charge: dispute.chargeId,
    kind: dispute.kind,
    status:
      dispute.status !== "open"
        ? dispute.status
        : dispute.answeredAt === null
          ? "needs_response"
          : "under_review",
    amount_cents: dispute.amountCents,
    respond_by: dispute.respondBy,
    cost_cents: disputeCost(dispute),
    evidence: dispute.evidence === null ? null : (JSON.parse(dispute.evidence) as unknown),
    created_at: dispute.createdAt,
  };
}

export function fileAnswer(file: FileRow) {
  return {
    object: "file",
    id: file.id,
    name: file.name,
    content_type: file.contentType,
    size_bytes: file.sizeBytes,
    sha256: file.sha256,
    created_at: file.createdAt,
  };
}
