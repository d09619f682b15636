import { and, eq } from "drizzle-orm";
import { mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { daysBetween, HOUR_MS, instantOfIsoDay } from "#app/domain/time.ts";
import { eventStatements } from "#workers/sandbox-psp/events.ts";
import type { Psp } from "#workers/sandbox-psp/psp.ts";
import { notFound, PspRefusal } from "#workers/sandbox-psp/refusal.ts";
import type { ChargeRequestBody } from "#workers/sandbox-psp/requests.ts";
import { recurringPix } from "#workers/sandbox-psp/tables.ts";
import type { ChargeRow, InstructionRow, RecurringPixRow } from "#workers/sandbox-psp/tables.ts";

/** How many days in advance an order is sent. Source: Banco Central, Pix Automático. */
export const ORDER_WINDOW_DAYS = { least: 2, most: 10 } as const;
/** Banks debit in the morning. */
const DEBIT_HOUR_MS = 6 * HOUR_MS;

export async function pixMandateById(psp: Psp, id: string): Promise<RecurringPixRow> {
  const [row] = await psp.db.select().from(recurringPix).where(eq(recurringPix.id, id));
  if (!row) throw notFound("recurring_pix");
  return row;
}

/** Finds the mandate of a debit, if it allows that debit on that day. */
export async function findDebitableMandate(
  psp: Psp,
  body: ChargeRequestBody,
): Promise<RecurringPixRow> {
  const row = await pixMandateById(psp, body.recurring_pix ?? "");
  if (row.status !== "active")
    throw new PspRefusal(
      409,
      "recurring_pix_not_active",
      "Only an active authorisation is debited.",
    );
  if (row.amountCents !== null && row.amountCents !== body.amount_cents)
    throw new PspRefusal(422, "amount_differs", "The authorisation says another amount.");
  if (body.amount_cents < row.leastCents)
    throw new PspRefusal(422, "amount_below_least", "Less than the authorisation's least amount.");
  refuseDay(psp, body.due_on, row);
  return row;
}

/** Refuses a day for a first order unless it is 2 to 10 days ahead, within the mandate's own days. */
function refuseDay(psp: Psp, dueOn: string | null | undefined, row: RecurringPixRow): void {
  const ahead = dueOn ? daysBetween(psp.now(), instantOfIsoDay(dueOn)) : -1;
  const isInside = dueOn && dueOn >= row.startsOn && (row.endsOn === null || dueOn <= row.endsOn);
  if (!isInside || ahead < ORDER_WINDOW_DAYS.least || ahead > ORDER_WINDOW_DAYS.most) {
    throw new PspRefusal(
      422,
      "due_on_invalid",
      "A debit is ordered 2 to 10 days ahead, within the authorisation's days.",
    );
  }
}

export function scheduledInstruction(
  psp: Psp,
  charge: ChargeRow,
  recurringPixId: string,
  dueOn: string,
  attempt: number,
): InstructionRow {
  return {
    id: `${charge.id.replace("ch_", "in_")}_${attempt}`,
    chargeId: charge.id,
    recurringPixId,
    status: "scheduled",
    dueOn,
    dueAt: instantOfIsoDay(dueOn) + DEBIT_HOUR_MS,
    attempt,
    failureCode: null,
    createdAt: psp.now(),
  };
}

/** Consents to the mandate when the first charge is paid (journey 3 of Pix Automático). */
export async function consentStatements(psp: Psp, charge: ChargeRow): Promise<BatchWrite[]> {
  if (!charge.recurringPixId) return [];
  const row = await pixMandateById(psp, charge.recurringPixId);
  if (row.firstChargeId !== charge.id || row.status !== "created") return [];
  return [
    mustChangeOne(
      psp.db
        .update(recurringPix)
        .set({ status: "active" })
        .where(and(eq(recurringPix.id, row.id), eq(recurringPix.status, "created"))),
    ),
    ...(await eventStatements(psp, "recurring_pix.active", "recurring_pix", row.id)),
  ];
}
