import type { ChargeRow, DisputeRow, RefundRow, TransferRow } from "./tables.ts";

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
    created_at: charge.createdAt,
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
    created_at: transfer.createdAt,
  };
}

export function disputeAnswer(dispute: DisputeRow) {
  return {
    object: "dispute",
    id: dispute.id,
    charge: dispute.chargeId,
    kind: dispute.kind,
    status: dispute.status,
    amount_cents: dispute.amountCents,
    created_at: dispute.createdAt,
  };
}
