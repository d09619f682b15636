import { and, eq, sql } from "drizzle-orm";
import { commit, exactlyOne } from "#app/db/client.server.ts";
import { StaleWrite, UniqueViolation } from "#app/db/errors.ts";
import { refundAnswer } from "./answers.ts";
import { chargeById } from "./charges.ts";
import { eventStatements } from "./events.ts";
import type { Effect } from "./idempotency.ts";
import { digest, randomId } from "./psp.ts";
import type { Psp } from "./psp.ts";
import { notFound, PspRefusal } from "./refusal.ts";
import type { refundRequest } from "./requests.ts";
import { charges, disputes, refunds } from "./tables.ts";
import type { DisputeRow, RefundRow } from "./tables.ts";
import type { z } from "zod";
import { addDays } from "#app/domain/time.ts";

/** How long a Pix goes back by the way it came. Source: Banco Central, Regulamento do Pix, art. 40. */
export const PIX_REFUND_DAYS = 90;

/** Gives back a part or the rest of a paid charge. Refuses more than what is left, what is in dispute, and a Pix of more than ninety days. */
export async function makeRefund(psp: Psp, body: z.infer<typeof refundRequest>): Promise<Effect> {
  const charge = await chargeById(psp, body.charge);
  if (charge.status !== "succeeded") throw new PspRefusal(409, "charge_not_paid", "Only a paid charge can be refunded.");
  const leftCents = charge.amountCents - charge.refundedCents;
  if (body.amount_cents > leftCents) throw new PspRefusal(422, "refund_exceeds_charge", `At most ${leftCents} can be refunded.`);
  const disputed = await psp.db.select({ status: disputes.status }).from(disputes).where(eq(disputes.chargeId, charge.id));
  if (disputed.some(({ status }) => status !== "won")) throw new PspRefusal(409, "charge_disputed", "A disputed charge is not refunded.");
  const isOld = charge.method === "pix" && charge.succeededAt !== null && psp.now() >= addDays(charge.succeededAt, PIX_REFUND_DAYS);
  if (isOld) throw new PspRefusal(409, "refund_too_late", `A Pix goes back for ${PIX_REFUND_DAYS} days. Send a transfer.`);
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
      psp.db.update(charges).set({ refundedCents: sql`${charges.refundedCents} + CAST(${body.amount_cents} AS INTEGER)` }).where(eq(charges.id, charge.id)),
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

/** How long a dispute takes an answer. */
export const RESPONSE_DAYS = 7;

/** The payer's bank takes a paid charge back, for now: a chargeback of a card, the MED of a Pix. */
export async function openDispute(psp: Psp, chargeId: string): Promise<DisputeRow> {
  const charge = await chargeById(psp, chargeId);
  const amountCents = charge.amountCents - charge.refundedCents;
  if (charge.status !== "succeeded" || amountCents === 0) throw new PspRefusal(409, "charge_not_paid", "Only a paid charge can be disputed.");
  const dispute: DisputeRow = {
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
    await commit(psp.db, [psp.db.insert(disputes).values(dispute), ...(await eventStatements(psp, "dispute.opened", "dispute", dispute.id))]);
  } catch (error) {
    if (error instanceof UniqueViolation) throw new PspRefusal(409, "dispute_open", "This charge is already disputed.");
    throw error;
  }
  return dispute;
}

/** The card scheme or Bacen decides; `won` is the account's victory. */
export async function decideDispute(psp: Psp, id: string, status: "won" | "lost"): Promise<DisputeRow> {
  const dispute = await disputeById(psp, id);
  try {
    await commit(psp.db, [
      exactlyOne(psp.db.update(disputes).set({ status }).where(and(eq(disputes.id, id), eq(disputes.status, "open")))),
      ...(await eventStatements(psp, `dispute.${status}`, "dispute", id)),
    ]);
  } catch (error) {
    if (error instanceof StaleWrite) throw new PspRefusal(409, "dispute_decided", "This dispute was decided before.");
    throw error;
  }
  return { ...dispute, status };
}

export async function disputeById(psp: Psp, id: string): Promise<DisputeRow> {
  const [dispute] = await psp.db.select().from(disputes).where(eq(disputes.id, id));
  if (!dispute) throw notFound("dispute");
  return dispute;
}
