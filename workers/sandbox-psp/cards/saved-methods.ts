import { and, eq } from "drizzle-orm";
import { savedMethodAnswer } from "#workers/sandbox-psp/answers.ts";
import { consumeCardToken } from "#workers/sandbox-psp/charges.ts";
import { authorise } from "./cards.ts";
import type { IdempotentEffect } from "#workers/sandbox-psp/idempotency.ts";
import { digest } from "#workers/sandbox-psp/psp.ts";
import type { Psp } from "#workers/sandbox-psp/psp.ts";
import { notFound, PspRefusal } from "#workers/sandbox-psp/refusal.ts";
import type { savedMethodRequest } from "#workers/sandbox-psp/requests.ts";
import { savedMethods } from "#workers/sandbox-psp/tables.ts";
import type { SavedMethodRow } from "#workers/sandbox-psp/tables.ts";
import type { z } from "zod";

/** Saves a card without a charge; its bank may ask its owner to confirm, or refuse. */
export async function createSavedMethod(
  psp: Psp,
  body: z.infer<typeof savedMethodRequest>,
): Promise<IdempotentEffect> {
  if (new URL(body.return_url).origin !== psp.env.APP_ORIGIN)
    throw new PspRefusal(
      400,
      "return_url_invalid",
      "return_url must be at the account's own address.",
    );
  const { card, useToken } = await consumeCardToken(psp, body.card_token);
  const { status, failureCode } = authorise(card.behaviour, false, false);
  const row: SavedMethodRow = {
    id: `pm_${await digest(`saved ${body.reference}`, 28)}`,
    behaviour: card.behaviour,
    brand: card.brand,
    last4: card.last4,
    status: status === "succeeded" ? "ready" : status,
    returnUrl: body.return_url,
    failureCode,
    createdAt: psp.now(),
  };
  return {
    answer: savedMethodAnswer(row, psp.env.SANDBOX_PUBLIC_URL),
    writes: [useToken, psp.db.insert(savedMethods).values(row)],
  };
}

export async function savedMethodById(psp: Psp, id: string): Promise<SavedMethodRow> {
  const [row] = await psp.db.select().from(savedMethods).where(eq(savedMethods.id, id));
  if (!row) throw notFound("saved_method");
  return row;
}

/** Applies the owner's answer at their bank. */
export async function answerSavedMethod(
  psp: Psp,
  id: string,
  status: "ready" | "failed",
): Promise<SavedMethodRow> {
  const failureCode = status === "failed" ? "authentication_failed" : null;
  await psp.db
    .update(savedMethods)
    .set({ status, failureCode })
    .where(and(eq(savedMethods.id, id), eq(savedMethods.status, "requires_action")));
  return savedMethodById(psp, id);
}

export async function deleteSavedMethod(psp: Psp, id: string): Promise<SavedMethodRow> {
  await psp.db.update(savedMethods).set({ status: "removed" }).where(eq(savedMethods.id, id));
  return savedMethodById(psp, id);
}
