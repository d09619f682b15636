import { and, eq, sql } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { RuleViolation, StaleWrite } from "#app/db/errors.ts";
import { refundAnswer } from "./answers.ts";
import { chargeById } from "./charges.ts";
import { eventStatements } from "./events.ts";
import type { IdempotentEffect } from "./idempotency.ts";
import { digest, randomId } from "./psp.ts";
import type { Psp } from "./psp.ts";
import { notFound, PspRefusal } from "./refusal.ts";
import type { refundRequest } from "./requests.ts";
import { charges, disputes, refunds } from "./tables.ts";
import type { ChargeRow, SandboxDisputeRow, RefundRow } from "./tables.ts";
import { z } from "zod";
import { addDays } from "#app/domain/time.ts";

/**
 * How long a Pix can be refunded through the original payment. Source: Banco Central, Regulamento
 * do Pix, art. 40.
 */
export const SANDBOX_PIX_REFUND_DAYS = 90;

/**
 * Refunds a part or the rest of a paid charge. Refuses more than the remaining amount, disputed
 * money, and a Pix older than ninety days.
 */
export async function createRefund(
  psp: Psp,
  body: z.infer<typeof refundRequest>,
): Promise<IdempotentEffect> {
  const charge = await chargeById(psp, body.charge);
  if (charge.status !== "succeeded")
    throw new PspRefusal(409, "charge_not_paid", "Only a paid charge can be refunded.");
  const { leftCents, lostCents, isDisputed } = await leftOf(psp, charge);
  if (body.amount_cents > leftCents + lostCents)
    throw new PspRefusal(422, "refund_exceeds_charge", `At most ${leftCents} can be refunded.`);
  if (isDisputed || body.amount_cents > leftCents)
    throw new PspRefusal(409, "charge_disputed", "What is disputed, or was lost, is not refunded.");
  const isOld =
    charge.method === "pix" &&
    charge.succeededAt !== null &&
    psp.now() >= addDays(charge.succeededAt, SANDBOX_PIX_REFUND_DAYS);
  if (isOld)
    throw new PspRefusal(
      409,
      "refund_too_late",
      `A Pix goes back for ${SANDBOX_PIX_REFUND_DAYS} days. Send a transfer.`,
    );
  const refund: RefundRow = {
    id: `rf_${await digest(`refund ${body.reference}`, 28)}`,
    reference: body.reference,
    chargeId: charge.id,
    status: "succeeded",
    amountCents: body.amount_cents,
    createdAt: psp.now(),
  };
  return {
    answer: refundAnswer(refund),
    writes: [
      psp.db
        .update(charges)
        .set({
          refundedCents: sql`${charges.refundedCents} + CAST(${body.amount_cents} AS INTEGER)`,
        })
        .where(eq(charges.id, charge.id)),
      psp.db.insert(refunds).values(refund),
      ...(await eventStatements(psp, "refund.succeeded", "refund", refund.id)),
    ],
  };
}

export async function refundById(psp: Psp, id: string): Promise<RefundRow> {
  const [refund] = await psp.db.select().from(refunds).where(eq(refunds.id, id));
  if (!refund) throw notFound("refund");
  return refund;
}

/** How long a dispute accepts an answer. */
export const RESPONSE_DAYS = 7;

/** Computes the refundable amount of a paid charge, the amount lost, and whether a dispute is open. */
async function leftOf(
  psp: Psp,
  { id, amountCents, refundedCents }: ChargeRow,
): Promise<{ leftCents: number; lostCents: number; openCents: number; isDisputed: boolean }> {
  const rows = await psp.db
    .select({ status: disputes.status, amountCents: disputes.amountCents })
    .from(disputes)
    .where(eq(disputes.chargeId, id));
  const sumOf = (asked: SandboxDisputeRow["status"]) =>
    rows.filter(({ status }) => status === asked).reduce((sum, row) => sum + row.amountCents, 0);
  const [lostCents, openCents] = [sumOf("lost"), sumOf("open")];
  return {
    leftCents: amountCents - refundedCents - lostCents,
    lostCents,
    openCents,
    isDisputed: openCents > 0,
  };
}

export const disputeRequest = z.object({
  amount_cents: z.coerce.number().int().positive().max(100_000_000).optional(),
});

/**
 * Opens a dispute of a paid charge or a part of it: a chargeback of a card, the MED of a Pix.
 * Without an amount, all that is left.
 */
export async function openDispute(
  psp: Psp,
  chargeId: string,
  { amount_cents: asked }: z.infer<typeof disputeRequest> = {},
): Promise<SandboxDisputeRow> {
  const charge = await chargeById(psp, chargeId);
  const { leftCents, openCents } = await leftOf(psp, charge);
  if (charge.status !== "succeeded" || leftCents === 0)
    throw new PspRefusal(409, "charge_not_paid", "Only a paid charge can be disputed.");
  if (leftCents === openCents)
    throw new PspRefusal(409, "dispute_open", "This charge is already disputed.");
  const amountCents = asked ?? leftCents - openCents;
  const dispute: SandboxDisputeRow = {
    id: randomId("dp"),
    chargeId,
    kind: charge.method === "pix" ? "med" : "card",
    status: "open",
    amountCents,
    createdAt: psp.now(),
    respondBy: addDays(psp.now(), RESPONSE_DAYS),
    answeredAt: null,
    evidence: null,
  };
  try {
    await commit(psp.db, [
      psp.db.insert(disputes).values(dispute),
      ...(await eventStatements(psp, "dispute.opened", "dispute", dispute.id)),
    ]);
  } catch (error) {
    if (error instanceof RuleViolation)
      throw new PspRefusal(422, "dispute_exceeds_charge", "More than is left of this charge.");
    throw error;
  }
  return dispute;
}

/** Decides a dispute as the card scheme or Bacen would; `won` is in the account's favour. */
export async function decideDispute(
  psp: Psp,
  id: string,
  status: "won" | "lost",
): Promise<SandboxDisputeRow> {
  const dispute = await disputeById(psp, id);
  try {
    await commit(psp.db, [
      mustChangeOne(
        psp.db
          .update(disputes)
          .set({ status })
          .where(and(eq(disputes.id, id), eq(disputes.status, "open"))),
      ),
      ...(await eventStatements(psp, `dispute.${status}`, "dispute", id)),
    ]);
  } catch (error) {
    if (error instanceof StaleWrite)
      throw new PspRefusal(409, "dispute_decided", "This dispute was decided before.");
    throw error;
  }
  return { ...dispute, status };
}

export async function disputeById(psp: Psp, id: string): Promise<SandboxDisputeRow> {
  const [dispute] = await psp.db.select().from(disputes).where(eq(disputes.id, id));
  if (!dispute) throw notFound("dispute");
  return dispute;
}
