import { and, eq, inArray, isNull } from "drizzle-orm";
import { commit, mustChangeOne } from "#app/db/client.server.ts";
import type { BatchWrite } from "#app/db/client.server.ts";
import { StaleWrite } from "#app/db/errors.ts";
import { addDays, HOUR_MS, instantOfIsoDay, MINUTE_MS } from "#app/domain/time.ts";
import { chargeAnswer } from "./answers.ts";
import { encodeBrCode } from "#workers/sandbox-psp/pix/br-code.ts";
import { authorise } from "#workers/sandbox-psp/cards/cards.ts";
import type { TestCardDetails } from "#workers/sandbox-psp/cards/cards.ts";
import { eventStatements } from "./events.ts";
import type { IdempotentEffect } from "./idempotency.ts";
import { digest, randomId } from "./psp.ts";
import type { Psp } from "./psp.ts";
import { notFound, PspRefusal } from "./refusal.ts";
import type { ChargeRequestBody } from "./requests.ts";
import {
  consentStatements,
  findDebitableMandate,
  scheduledInstruction,
} from "#workers/sandbox-psp/pix/mandate-rules.ts";
import { cardTokens, charges, instructions, savedMethods } from "./tables.ts";
import type { ChargeRow } from "./tables.ts";

const CARD_SETTLEMENT_DAYS = 30;
const TOKEN_LIFE_MS = 30 * MINUTE_MS;
const CARD_ACTION_LIFE_MS = 30 * MINUTE_MS;
/** A confirmation request to an absent payer stays open for days. */
const ABSENT_ACTION_LIFE_DAYS = 8;
const PIX_HOST = "pix.coreto.test/qr/v2";

/** Ids derive from the client's reference, so that seeded data has the same ids every time. */
export async function createCharge(psp: Psp, body: ChargeRequestBody): Promise<IdempotentEffect> {
  const base = await baseCharge(psp, body);
  if (body.recurring_pix) return recurringEffect(psp, base, body);
  return body.method === "pix" ? pixEffect(psp, base, body) : cardEffect(psp, base, body);
}

export async function baseCharge(psp: Psp, body: ChargeRequestBody): Promise<ChargeRow> {
  return {
    id: `ch_${await digest(`charge ${body.reference}`, 28)}`,
    reference: body.reference,
    method: body.method,
    status: "processing",
    amountCents: body.amount_cents,
    refundedCents: 0,
    description: body.description,
    payerName: body.payer_name,
    txid: null,
    pixCode: null,
    returnUrl: returnUrlOf(psp, body),
    cardBehaviour: null,
    cardBrand: null,
    cardLast4: null,
    saveCard: body.save_card,
    savedMethodId: null,
    failureCode: null,
    expiresAt: null,
    settlesAt: null,
    succeededAt: null,
    recurringPixId: null,
    createdAt: psp.now(),
  };
}

/** A return address outside the product would make this provider an open redirect. */
function returnUrlOf(psp: Psp, body: ChargeRequestBody): string | null {
  if (!body.return_url) return null;
  if (new URL(body.return_url).origin !== psp.env.APP_ORIGIN)
    throw new PspRefusal(
      400,
      "return_url_invalid",
      "return_url must be at the account's own address.",
    );
  return body.return_url;
}

async function pixEffect(
  psp: Psp,
  base: ChargeRow,
  body: ChargeRequestBody,
): Promise<IdempotentEffect> {
  const charge = await pendingPixCharge(psp, base, body.expires_at);
  return {
    answer: chargeAnswer(charge, psp.env.SANDBOX_PUBLIC_URL),
    writes: [psp.db.insert(charges).values(charge)],
  };
}

/** Creates a Pix charge that is open until `expiresAt`. */
export async function pendingPixCharge(
  psp: Psp,
  base: ChargeRow,
  expiresAt: number | null | undefined,
): Promise<ChargeRow> {
  if (!expiresAt || expiresAt <= psp.now())
    throw new PspRefusal(400, "expires_at_invalid", "expires_at must be in the future.");
  const txid = await digest(`txid ${base.reference}`, 32);
  const pixCode = encodeBrCode({
    location: `${PIX_HOST}/${txid}`,
    merchantName: "Coreto Pagamentos",
    merchantCity: "São Paulo",
    amountCents: base.amountCents,
  });
  return { ...base, status: "awaiting_payment", txid, pixCode, expiresAt };
}

/**
 * Creates a debit of an active Pix mandate: nothing to show to the payer, only an order to their
 * bank.
 */
async function recurringEffect(
  psp: Psp,
  base: ChargeRow,
  body: ChargeRequestBody,
): Promise<IdempotentEffect> {
  const authorisation = await findDebitableMandate(psp, body);
  const charge: ChargeRow = { ...base, method: "pix", recurringPixId: authorisation.id };
  const order = scheduledInstruction(psp, charge, authorisation.id, body.due_on ?? "", 1);
  return {
    answer: chargeAnswer(charge, psp.env.SANDBOX_PUBLIC_URL),
    writes: [
      psp.db.insert(charges).values(charge),
      psp.db.insert(instructions).values(order),
      ...(await eventStatements(psp, "instruction.scheduled", "instruction", order.id)),
    ],
  };
}

async function cardEffect(
  psp: Psp,
  base: ChargeRow,
  body: ChargeRequestBody,
): Promise<IdempotentEffect> {
  if (body.card_token) return tokenEffect(psp, base, body.card_token);
  if (body.saved_method) return savedEffect(psp, base, body.saved_method, body.payer_there);
  if (!base.returnUrl)
    throw new PspRefusal(400, "return_url_required", "A hosted payment needs a return_url.");
  const charge: ChargeRow = {
    ...base,
    status: "requires_action",
    expiresAt: psp.now() + CARD_ACTION_LIFE_MS,
  };
  return {
    answer: chargeAnswer(charge, psp.env.SANDBOX_PUBLIC_URL),
    writes: [psp.db.insert(charges).values(charge)],
  };
}

async function tokenEffect(psp: Psp, base: ChargeRow, token: string): Promise<IdempotentEffect> {
  const { card, useToken } = await consumeCardToken(psp, token);
  const effect = await authorisedEffect(psp, { ...base, ...cardColumns(card) }, false);
  return { ...effect, writes: [useToken, ...effect.writes] };
}

/** Loads the card of an unused token, and the statement that consumes it. */
export async function consumeCardToken(psp: Psp, token: string) {
  const [card] = await psp.db.select().from(cardTokens).where(eq(cardTokens.id, token));
  if (!card || card.createdAt < psp.realNow() - TOKEN_LIFE_MS)
    throw new PspRefusal(400, "card_token_invalid", "Unknown or expired card token.");
  if (card.usedAt !== null) throw new PspRefusal(409, "card_token_used", "A card token pays once.");
  const useToken = mustChangeOne(
    psp.db
      .update(cardTokens)
      .set({ usedAt: psp.realNow() })
      .where(and(eq(cardTokens.id, token), isNull(cardTokens.usedAt))),
  );
  return { card, useToken };
}

async function savedEffect(
  psp: Psp,
  base: ChargeRow,
  savedMethodId: string,
  isPayerThere: boolean,
): Promise<IdempotentEffect> {
  const [card] = await psp.db.select().from(savedMethods).where(eq(savedMethods.id, savedMethodId));
  if (!card) throw new PspRefusal(400, "saved_method_invalid", "Unknown saved method.");
  if (card.status !== "ready")
    throw new PspRefusal(409, "saved_method_not_ready", "This saved method pays nothing.");
  return authorisedEffect(
    psp,
    { ...base, ...cardColumns(card), savedMethodId },
    !isPayerThere || card.behaviour === "declines_later",
  );
}

async function authorisedEffect(
  psp: Psp,
  base: ChargeRow,
  isRenewal: boolean,
): Promise<IdempotentEffect> {
  const { status, failureCode } = authorise(base.cardBehaviour ?? "", false, isRenewal);
  const isPaid = status === "succeeded";
  const charge: ChargeRow = {
    ...base,
    status,
    failureCode,
    expiresAt:
      status !== "requires_action"
        ? null
        : isRenewal
          ? addDays(psp.now(), ABSENT_ACTION_LIFE_DAYS)
          : psp.now() + CARD_ACTION_LIFE_MS,
    ...(isPaid ? paidColumns(psp, base) : {}),
  };
  return {
    answer: chargeAnswer(charge, psp.env.SANDBOX_PUBLIC_URL),
    isAnswerLost: charge.cardBehaviour === "times_out" && !isRenewal,
    writes: [
      psp.db.insert(charges).values(charge),
      ...(isPaid ? savedMethodStatements(psp, base, charge.savedMethodId) : []),
      ...(status === "requires_action"
        ? []
        : await eventStatements(psp, `charge.${status}`, "charge", charge.id)),
    ],
  };
}

function cardColumns(card: { behaviour: string; brand: string; last4: string }) {
  return { cardBehaviour: card.behaviour, cardBrand: card.brand, cardLast4: card.last4 };
}

/** The settlement columns of a paid charge. Pix settles at once, a card thirty days later. */
export function paidColumns(psp: Psp, charge: ChargeRow) {
  const at = psp.now();
  const savedMethodId =
    charge.savedMethodId ??
    (charge.method === "card" && charge.saveCard ? charge.id.replace("ch_", "pm_") : null);
  const settlesAt = charge.method === "pix" ? at : addDays(at, CARD_SETTLEMENT_DAYS);
  return { succeededAt: at, settlesAt, savedMethodId, failureCode: null };
}

function savedMethodStatements(
  psp: Psp,
  before: ChargeRow,
  savedMethodId: string | null,
): BatchWrite[] {
  if (!savedMethodId || before.savedMethodId) return [];
  const { cardBehaviour, cardBrand, cardLast4 } = before;
  return [
    psp.db.insert(savedMethods).values({
      id: savedMethodId,
      behaviour: cardBehaviour ?? "approves",
      brand: cardBrand ?? "card",
      last4: cardLast4 ?? "0000",
      status: "ready",
      createdAt: psp.now(),
    }),
  ];
}

/** Stores a typed card and returns a token for one payment. */
export async function tokenizeCard(psp: Psp, card: TestCardDetails): Promise<string> {
  const id = randomId("tok");
  await psp.db.insert(cardTokens).values({ id, ...card, createdAt: psp.realNow() });
  return id;
}

export async function chargeById(psp: Psp, id: string): Promise<ChargeRow> {
  const [charge] = await psp.db.select().from(charges).where(eq(charges.id, id));
  if (!charge) throw notFound("charge");
  return charge;
}

/** Pays an open charge. A Pix that expired or was canceled can still be paid: banks confirm late. */
export async function payCharge(psp: Psp, id: string, card?: TestCardDetails): Promise<ChargeRow> {
  const found = await chargeById(psp, id);
  const before: ChargeRow = card ? { ...found, ...cardColumns(card) } : found;
  const payable: ChargeRow["status"][] =
    before.method === "pix" ? ["awaiting_payment", "expired", "canceled"] : ["requires_action"];
  const paid: ChargeRow = { ...before, status: "succeeded", ...paidColumns(psp, before) };
  return changeChargeStatus(psp, paid, payable, [
    ...savedMethodStatements(psp, before, paid.savedMethodId),
    ...(await consentStatements(psp, before)),
  ]);
}

/** Closes an open charge without a payment. */
export async function closeUnpaidCharge(
  psp: Psp,
  id: string,
  status: "failed" | "expired" | "canceled",
  failureCode: string | null,
): Promise<ChargeRow> {
  const charge = await chargeById(psp, id);
  return changeChargeStatus(
    psp,
    { ...charge, status, failureCode },
    ["awaiting_payment", "requires_action"],
    [],
  );
}

/**
 * Handles `POST /v1/charges/:id/cancel`. A closed charge stays as it is; a paid one must be
 * refunded instead.
 */
export async function cancelCharge(psp: Psp, id: string): Promise<ChargeRow> {
  const charge = await chargeById(psp, id);
  if (charge.status === "succeeded")
    throw new PspRefusal(409, "charge_already_paid", "A paid charge is refunded, not canceled.");
  if (charge.status === "processing" && charge.recurringPixId) return cancelOrder(psp, charge);
  if (charge.status !== "awaiting_payment" && charge.status !== "requires_action") return charge;
  return closeUnpaidCharge(psp, id, "canceled", null);
}

/**
 * Cancels a debit order already at the payer's bank. Allowed until 22:00 of the day before (Banco
 * Central, Pix Automático).
 */
async function cancelOrder(psp: Psp, charge: ChargeRow): Promise<ChargeRow> {
  const [order] = await psp.db
    .select()
    .from(instructions)
    .where(and(eq(instructions.chargeId, charge.id), eq(instructions.status, "scheduled")));
  if (order && psp.now() > instantOfIsoDay(order.dueOn) - 2 * HOUR_MS) {
    throw new PspRefusal(
      409,
      "charge_too_late",
      "A debit is canceled until 22:00 of the day before.",
    );
  }
  const canceled = psp.db
    .update(instructions)
    .set({ status: "canceled" })
    .where(and(eq(instructions.chargeId, charge.id), eq(instructions.status, "scheduled")));
  return changeChargeStatus(psp, { ...charge, status: "canceled" }, ["processing"], [canceled]);
}

/** Sets another return address on an open charge. Returns any other charge unchanged. */
export async function reconfirmCharge(psp: Psp, id: string, returnUrl: string): Promise<ChargeRow> {
  if (new URL(returnUrl).origin !== psp.env.APP_ORIGIN)
    throw new PspRefusal(
      400,
      "return_url_invalid",
      "return_url must be at the account's own address.",
    );
  await psp.db
    .update(charges)
    .set({ returnUrl })
    .where(and(eq(charges.id, id), eq(charges.status, "requires_action")));
  return chargeById(psp, id);
}

/** Stores the card typed at the hosted page and requires 3DS. */
export async function requireConfirmation(
  psp: Psp,
  id: string,
  card: TestCardDetails,
): Promise<ChargeRow> {
  const charge = await chargeById(psp, id);
  const asked: ChargeRow = { ...charge, ...cardColumns(card) };
  await psp.db
    .update(charges)
    .set(cardColumns(card))
    .where(and(eq(charges.id, id), eq(charges.status, "requires_action")));
  return asked;
}

export async function changeChargeStatus(
  psp: Psp,
  next: ChargeRow,
  from: ChargeRow["status"][],
  extraWrites: BatchWrite[],
): Promise<ChargeRow> {
  const {
    id,
    reference: _reference,
    createdAt: _createdAt,
    refundedCents: _refundedCents,
    ...columns
  } = next;
  const events = await eventStatements(psp, `charge.${next.status}`, "charge", id);
  try {
    await commit(psp.db, [
      mustChangeOne(
        psp.db
          .update(charges)
          .set(columns)
          .where(and(eq(charges.id, id), inArray(charges.status, from))),
      ),
      ...extraWrites,
      ...events,
    ]);
  } catch (error) {
    if (error instanceof StaleWrite)
      throw new PspRefusal(409, "charge_not_waiting", "This charge no longer waits for that.");
    throw error;
  }
  return next;
}
