import { and, eq, inArray, isNotNull, lte } from "drizzle-orm";
import { closeUnpaidCharge } from "./charges.ts";
import { sendDueWebhooks } from "./events.ts";
import type { Psp } from "./psp.ts";
import {
  answerInstruction,
  closePixMandate,
  unlessAnswered,
} from "#workers/sandbox-psp/pix/pix-mandates.ts";
import { charges, instructions, recurringPix, transfers } from "./tables.ts";
import { returnTransfer, settleTransfer } from "./transfers.ts";

const ITEMS_A_RUN = 200;

/**
 * Applies everything due at the product's time (expiries, settlements, returns), then sends the due
 * webhooks.
 */
export async function tick(psp: Psp): Promise<void> {
  await settleDue(psp);
  await sendDueWebhooks(psp);
}

export async function settleDue(psp: Psp): Promise<void> {
  const at = psp.now();
  const [expiring, settling, returning, unanswered, debiting] = await psp.db.batch([
    psp.db
      .select({ id: charges.id })
      .from(charges)
      .where(
        and(
          inArray(charges.status, ["awaiting_payment", "requires_action"]),
          lte(charges.expiresAt, at),
        ),
      )
      .limit(ITEMS_A_RUN),
    psp.db
      .select()
      .from(transfers)
      .where(and(eq(transfers.status, "processing"), lte(transfers.settlesAt, at)))
      .limit(ITEMS_A_RUN),
    psp.db
      .select()
      .from(transfers)
      .where(
        and(
          eq(transfers.status, "paid"),
          isNotNull(transfers.returnsAt),
          lte(transfers.returnsAt, at),
        ),
      )
      .limit(ITEMS_A_RUN),
    psp.db
      .select({ id: recurringPix.id })
      .from(recurringPix)
      .where(and(eq(recurringPix.status, "created"), lte(recurringPix.expiresAt, at)))
      .limit(ITEMS_A_RUN),
    psp.db
      .select({ id: instructions.id })
      .from(instructions)
      .where(and(eq(instructions.status, "scheduled"), lte(instructions.dueAt, at)))
      .limit(ITEMS_A_RUN),
  ]);
  for (const { id } of expiring) await unlessAnswered(closeUnpaidCharge(psp, id, "expired", null));
  for (const { id } of unanswered) await unlessAnswered(closePixMandate(psp, id, "expired"));
  for (const { id } of debiting) await unlessAnswered(answerInstruction(psp, id, "settled"));
  for (const transfer of settling) await unlessAnswered(settleTransfer(psp, transfer));
  for (const transfer of returning) await unlessAnswered(returnTransfer(psp, transfer));
}
