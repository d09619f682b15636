import { and, asc, eq, inArray, max } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { daysBetween, instantOfIsoDay } from "#app/domain/time.ts";
import { instructionAnswer, recurringPixAnswer } from "#workers/sandbox-psp/answers.ts";
import {
  baseCharge,
  chargeById,
  changeChargeStatus,
  paidColumns,
  pendingPixCharge,
} from "#workers/sandbox-psp/charges.ts";
import { eventStatements } from "#workers/sandbox-psp/events.ts";
import type { IdempotentEffect } from "#workers/sandbox-psp/idempotency.ts";
import { digest } from "#workers/sandbox-psp/psp.ts";
import type { Psp } from "#workers/sandbox-psp/psp.ts";
import { pixMandateById, scheduledInstruction } from "./mandate-rules.ts";
import { notFound, PspRefusal } from "#workers/sandbox-psp/refusal.ts";
import { chargeRequest } from "#workers/sandbox-psp/requests.ts";
import type { RecurringPixRequestBody } from "#workers/sandbox-psp/requests.ts";
import { charges, instructions, recurringPix } from "#workers/sandbox-psp/tables.ts";
import type { InstructionRow, RecurringPixRow } from "#workers/sandbox-psp/tables.ts";

/** At most three retries, within seven days of the first day. Source: Banco Central, Pix Automático. */
const RETRIES = 3;
const RETRY_DAYS = 7;

/** Creates one code for both the first payment and the consent to later ones. */
export async function createMandateCode(
  psp: Psp,
  body: RecurringPixRequestBody,
): Promise<IdempotentEffect> {
  if (body.amount_cents !== null && body.amount_cents < body.least_cents)
    throw new PspRefusal(422, "amount_below_least", "amount_cents is below least_cents.");
  if (body.ends_on !== null && body.ends_on < body.starts_on)
    throw new PspRefusal(422, "ends_on_invalid", "ends_on comes before starts_on.");
  const id = `rp_${await digest(`recurring ${body.reference}`, 28)}`;
  const first = chargeRequest.parse({
    ...body.first_charge,
    method: "pix",
    description: body.description,
    payer_name: body.payer_name,
  });
  const charge = {
    ...(await pendingPixCharge(psp, await baseCharge(psp, first), body.expires_at)),
    recurringPixId: id,
  };
  const row: RecurringPixRow = {
    id,
    reference: body.reference,
    status: "created",
    interval: body.interval,
    amountCents: body.amount_cents,
    leastCents: body.least_cents,
    startsOn: body.starts_on,
    endsOn: body.ends_on,
    description: body.description,
    payerName: body.payer_name,
    pixCode: charge.pixCode ?? "",
    firstChargeId: charge.id,
    expiresAt: body.expires_at,
    createdAt: psp.now(),
  };
  return {
    answer: recurringPixAnswer(row),
    writes: [psp.db.insert(recurringPix).values(row), psp.db.insert(charges).values(charge)],
  };
}

/** Closes a mandate, whoever requested it, with its pending orders and its unpaid first charge. */
export async function closePixMandate(
  psp: Psp,
  id: string,
  status: "rejected" | "canceled" | "expired",
): Promise<RecurringPixRow> {
  const row = await pixMandateById(psp, id);
  const from: RecurringPixRow["status"][] =
    status === "canceled" ? ["created", "active"] : ["created"];
  if (!from.includes(row.status)) {
    if (status === "canceled") return row;
    throw new PspRefusal(409, "recurring_pix_answered", "This authorisation was answered before.");
  }
  await commit(psp.db, [
    mustChangeOne(
      psp.db
        .update(recurringPix)
        .set({ status })
        .where(and(eq(recurringPix.id, id), inArray(recurringPix.status, from))),
    ),
    psp.db
      .update(instructions)
      .set({ status: "canceled" })
      .where(and(eq(instructions.recurringPixId, id), eq(instructions.status, "scheduled"))),
    ...(await eventStatements(psp, `recurring_pix.${status}`, "recurring_pix", id)),
  ]);
  await endWaitingCharges(psp, id);
  return { ...row, status };
}

/**
 * Simulates a bank that handles half of the code: the payment without the consent (`rejected`), or
 * the consent without the payment (`active`).
 */
export async function answerMandatePartially(
  psp: Psp,
  id: string,
  status: "rejected" | "active",
): Promise<RecurringPixRow> {
  const row = await pixMandateById(psp, id);
  const charge = await chargeById(psp, row.firstChargeId);
  if (row.status !== "created")
    throw new PspRefusal(409, "recurring_pix_answered", "This authorisation was answered before.");
  const answered = mustChangeOne(
    psp.db
      .update(recurringPix)
      .set({ status })
      .where(and(eq(recurringPix.id, id), eq(recurringPix.status, "created"))),
  );
  const next =
    status === "rejected"
      ? ({ ...charge, status: "succeeded", ...paidColumns(psp, charge) } as const)
      : ({ ...charge, status: "failed", failureCode: "payer_bank_declined" } as const);
  await changeChargeStatus(
    psp,
    next,
    ["awaiting_payment"],
    [answered, ...(await eventStatements(psp, `recurring_pix.${status}`, "recurring_pix", id))],
  );
  return { ...row, status };
}

async function endWaitingCharges(psp: Psp, recurringPixId: string): Promise<void> {
  const waiting = await psp.db
    .select()
    .from(charges)
    .where(
      and(
        eq(charges.recurringPixId, recurringPixId),
        inArray(charges.status, ["awaiting_payment", "processing"]),
      ),
    );
  for (const charge of waiting) {
    await changeChargeStatus(
      psp,
      { ...charge, status: "failed", failureCode: "authorisation_ended" },
      ["awaiting_payment", "processing"],
      [],
    );
  }
}

export async function instructionById(psp: Psp, id: string): Promise<InstructionRow> {
  const [row] = await psp.db.select().from(instructions).where(eq(instructions.id, id));
  if (!row) throw notFound("instruction");
  return row;
}

export async function instructionsOfCharge(psp: Psp, chargeId: string): Promise<InstructionRow[]> {
  return psp.db
    .select()
    .from(instructions)
    .where(eq(instructions.chargeId, chargeId))
    .orderBy(asc(instructions.attempt))
    .limit(RETRIES + 1);
}

/** The payer's bank debits, or declines with a reason. */
export async function answerInstruction(
  psp: Psp,
  id: string,
  status: "settled" | "refused",
): Promise<InstructionRow> {
  const order = await instructionById(psp, id);
  const charge = await chargeById(psp, order.chargeId);
  const failureCode = status === "refused" ? "insufficient_funds" : null;
  if (order.status !== "scheduled")
    throw new PspRefusal(409, "instruction_answered", "The bank has answered this order.");
  const answered = mustChangeOne(
    psp.db
      .update(instructions)
      .set({ status, failureCode })
      .where(and(eq(instructions.id, id), eq(instructions.status, "scheduled"))),
  );
  const next =
    status === "settled"
      ? ({ ...charge, status: "succeeded", ...paidColumns(psp, charge) } as const)
      : ({ ...charge, status: "failed", failureCode } as const);
  await changeChargeStatus(
    psp,
    next,
    ["processing"],
    [answered, ...(await eventStatements(psp, `instruction.${status}`, "instruction", id))],
  );
  return { ...order, status, failureCode };
}

/** Retries a refused order once; its charge is pending again. */
export async function retryInstruction(
  psp: Psp,
  id: string,
  dueOn: string,
): Promise<IdempotentEffect> {
  const order = await instructionById(psp, id);
  const charge = await chargeById(psp, order.chargeId);
  const authorisation = await pixMandateById(psp, order.recurringPixId);
  if (authorisation.status !== "active")
    throw new PspRefusal(
      409,
      "recurring_pix_not_active",
      "Only an active authorisation is debited.",
    );
  if (order.status !== "refused" || charge.status !== "failed")
    throw new PspRefusal(409, "instruction_not_refused", "Only a refused order is sent again.");
  const [last] = await psp.db
    .select({ attempt: max(instructions.attempt) })
    .from(instructions)
    .where(eq(instructions.chargeId, charge.id));
  const [first] = await instructionsOfCharge(psp, charge.id);
  const attempt = (last?.attempt ?? 1) + 1;
  if (attempt > RETRIES + 1)
    throw new PspRefusal(422, "retries_exceeded", "An order is sent again at most three times.");
  refuseRetryDay(psp, first?.dueOn ?? dueOn, dueOn);
  const again = scheduledInstruction(psp, charge, order.recurringPixId, dueOn, attempt);
  return {
    answer: instructionAnswer(again),
    staleCode: "instruction_not_refused",
    writes: [
      psp.db.insert(instructions).values(again),
      mustChangeOne(
        psp.db
          .update(charges)
          .set({ status: "processing", failureCode: null })
          .where(and(eq(charges.id, charge.id), eq(charges.status, "failed"))),
      ),
      ...(await eventStatements(psp, "instruction.scheduled", "instruction", again.id)),
    ],
  };
}

function refuseRetryDay(psp: Psp, firstDueOn: string, dueOn: string): void {
  const dueAt = instantOfIsoDay(dueOn);
  const isAhead = daysBetween(psp.now(), dueAt) >= 1;
  if (!isAhead || daysBetween(instantOfIsoDay(firstDueOn), dueAt) > RETRY_DAYS) {
    throw new PspRefusal(
      422,
      "due_on_invalid",
      "A retry falls on a later day, within seven days of the first.",
    );
  }
}

/** Ignores the conflict if another request came first: then `work` is already done. */
export async function unlessAnswered(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof PspRefusal) && !(error instanceof StaleWrite)) throw error;
  }
}
