import { sql } from "drizzle-orm";
import type { z } from "zod";
import {
  chargeAnswer,
  disputeAnswer,
  instructionAnswer,
  recurringPixAnswer,
  refundAnswer,
  savedMethodAnswer,
  transferAnswer,
} from "./answers.ts";
import { boundedJson } from "./body.ts";
import {
  cancelCharge,
  chargeById,
  reconfirmCharge,
  createCharge,
  tokenizeCard,
} from "./charges.ts";
import { readCard } from "#workers/sandbox-psp/cards/cards.ts";
import { acceptDispute, answerDispute, storeEvidenceFile } from "./dispute-answers.ts";
import { docs } from "#workers/sandbox-psp/pages/docs.ts";
import { settleDue } from "./due.ts";
import { runIdempotent } from "./idempotency.ts";
import {
  listCharges,
  listDisputes,
  listRecurringPix,
  listRefunds,
  listTransfers,
} from "./lists.ts";
import { chargeCostSql, prices } from "./prices.ts";
import { happensByChance, consumeSwitch } from "./psp.ts";
import type { Psp } from "./psp.ts";
import {
  closePixMandate,
  instructionById,
  instructionsOfCharge,
  createMandateCode,
  retryInstruction,
} from "#workers/sandbox-psp/pix/pix-mandates.ts";
import { pixMandateById } from "#workers/sandbox-psp/pix/mandate-rules.ts";
import { PspRefusal } from "./refusal.ts";
import {
  chargeRequest,
  confirmRequest,
  evidenceRequest,
  keyLookupRequest,
  recurringPixRequest,
  refundRequest,
  retryRequest,
  savedMethodRequest,
  tokenRequest,
  transferRequest,
} from "./requests.ts";
import { disputeById, createRefund, refundById } from "./refunds-and-disputes.ts";
import { lookUpKey } from "#workers/sandbox-psp/pix/pix-keys.ts";
import {
  createSavedMethod,
  deleteSavedMethod,
  savedMethodById,
} from "#workers/sandbox-psp/cards/saved-methods.ts";
import { createTransfer, transferById } from "./transfers.ts";

const RETRY_AFTER_SECONDS = 3;
const BODY_LIMIT_BYTES = 65_536;

/** The provider's API, all under /v1. */
export async function answerApi(psp: Psp, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const [, , resource = "", id, verb] = url.pathname.split("/");
  const route = `${request.method} ${resource}${id ? "/:id" : ""}${verb ? `/${verb}` : ""}`;
  if (route === "GET docs") return Response.json(docs(psp.env.SANDBOX_PUBLIC_URL));
  if (route === "POST tokens") return answerToken(psp, request);
  if (request.headers.get("authorization") !== `Bearer ${psp.env.SANDBOX_API_KEY}`) {
    throw new PspRefusal(401, "unauthorized", "Send the account's key as a Bearer token.");
  }
  await failOnPurpose(psp);
  if (request.method === "GET") await settleDue(psp);
  const handler = routes[route];
  if (!handler) throw new PspRefusal(404, "route_not_found", "No such route.");
  return spoiled(psp, await handler(psp, request, id ?? ""));
}

type Handler = (psp: Psp, request: Request, id: string) => Promise<Response>;

const routes: Record<string, Handler> = {
  "POST charges": async (psp, request) => {
    const body = await bodyOf(request, chargeRequest);
    return runIdempotent(psp, request, body, () => createCharge(psp, body));
  },
  "GET charges/:id": async (psp, _request, id) =>
    Response.json(chargeAnswer(await chargeById(psp, id), psp.env.SANDBOX_PUBLIC_URL)),
  "GET charges": async (psp, request) => listCharges(psp, new URL(request.url).searchParams),
  "POST charges/:id/confirm": async (psp, request, id) => {
    const { return_url } = await bodyOf(request, confirmRequest);
    return Response.json(
      chargeAnswer(await reconfirmCharge(psp, id, return_url), psp.env.SANDBOX_PUBLIC_URL),
    );
  },
  "POST charges/:id/cancel": async (psp, _request, id) =>
    Response.json(chargeAnswer(await cancelCharge(psp, id), psp.env.SANDBOX_PUBLIC_URL)),
  "POST refunds": async (psp, request) => {
    const body = await bodyOf(request, refundRequest);
    return runIdempotent(psp, request, body, () => createRefund(psp, body));
  },
  "GET refunds/:id": async (psp, _request, id) =>
    Response.json(refundAnswer(await refundById(psp, id))),
  "POST transfers": async (psp, request) => {
    const body = await bodyOf(request, transferRequest);
    return runIdempotent(psp, request, body, () => createTransfer(psp, body));
  },
  "GET transfers/:id": async (psp, _request, id) =>
    Response.json(transferAnswer(await transferById(psp, id))),
  "GET transfers": async (psp, request) => listTransfers(psp, new URL(request.url).searchParams),
  "GET disputes/:id": async (psp, _request, id) =>
    Response.json(disputeAnswer(await disputeById(psp, id))),
  "GET disputes": async (psp, request) => listDisputes(psp, new URL(request.url).searchParams),
  "POST files": async (psp, request) => storeEvidenceFile(psp, request),
  "POST disputes/:id/evidence": async (psp, request, id) => {
    const body = await bodyOf(request, evidenceRequest);
    return runIdempotent(psp, request, body, () => answerDispute(psp, id, body));
  },
  "POST disputes/:id/accept": async (psp, _request, id) =>
    Response.json(disputeAnswer(await acceptDispute(psp, id))),
  "GET refunds": async (psp, request) => listRefunds(psp, new URL(request.url).searchParams),
  "POST saved-methods": async (psp, request) => {
    const body = await bodyOf(request, savedMethodRequest);
    return runIdempotent(psp, request, body, () => createSavedMethod(psp, body));
  },
  "GET saved-methods/:id": async (psp, _request, id) =>
    Response.json(savedMethodAnswer(await savedMethodById(psp, id), psp.env.SANDBOX_PUBLIC_URL)),
  "POST saved-methods/:id/remove": async (psp, _request, id) =>
    Response.json(savedMethodAnswer(await deleteSavedMethod(psp, id), psp.env.SANDBOX_PUBLIC_URL)),
  "POST recurring-pix": async (psp, request) => {
    const body = await bodyOf(request, recurringPixRequest);
    return runIdempotent(psp, request, body, () => createMandateCode(psp, body));
  },
  "GET recurring-pix/:id": async (psp, _request, id) =>
    Response.json(recurringPixAnswer(await pixMandateById(psp, id))),
  "GET recurring-pix": async (psp, request) =>
    listRecurringPix(psp, new URL(request.url).searchParams),
  "POST recurring-pix/:id/cancel": async (psp, _request, id) =>
    Response.json(recurringPixAnswer(await closePixMandate(psp, id, "canceled"))),
  "GET instructions": async (psp, request) => {
    const rows = await instructionsOfCharge(
      psp,
      new URL(request.url).searchParams.get("charge") ?? "",
    );
    return Response.json({ object: "list", data: rows.map(instructionAnswer), has_more: false });
  },
  "GET instructions/:id": async (psp, _request, id) =>
    Response.json(instructionAnswer(await instructionById(psp, id))),
  "POST instructions/:id/retry": async (psp, request, id) => {
    const body = await bodyOf(request, retryRequest);
    return runIdempotent(psp, request, body, () => retryInstruction(psp, id, body.due_on));
  },
  "POST pix-keys/:id": async (_psp, request, id) => {
    if (id !== "lookup") throw new PspRefusal(404, "route_not_found", "No such route.");
    return Response.json(lookUpKey(await bodyOf(request, keyLookupRequest)));
  },
  "GET balance": async (psp) => Response.json(await balance(psp)),
};

/** Applies the chaos settings to an answer after its effect: delays it, or makes it unreadable. */
async function spoiled(psp: Psp, response: Response): Promise<Response> {
  if (psp.chaos.slow_ms > 0) await scheduler.wait(psp.chaos.slow_ms);
  if (await consumeSwitch(psp, "malformed"))
    return new Response('{"object": "char', {
      status: response.status,
      headers: { "content-type": "application/json" },
    });
  return response;
}

/** Answers 429 or 500 without an effect, by the chaos settings. */
async function failOnPurpose(psp: Psp): Promise<void> {
  if (await consumeSwitch(psp, "rate_limits"))
    throw new PspRefusal(429, "rate_limited", "Too many requests.", RETRY_AFTER_SECONDS);
  if (happensByChance(psp.chaos.api_error_percent) || (await consumeSwitch(psp, "api_errors")))
    throw new PspRefusal(500, "internal_error", "Something went wrong here.");
}

async function bodyOf<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
): Promise<z.infer<Schema>> {
  return schema.parse(await boundedJson(request, BODY_LIMIT_BYTES));
}

/** Public, for the card field. The only call that receives a card number, which is not stored. */
async function answerToken(psp: Psp, request: Request): Promise<Response> {
  const typed = await bodyOf(request, tokenRequest);
  const read = readCard(typed, psp.realNow());
  if ("problems" in read) {
    return Response.json(
      {
        error: {
          code: "card_invalid",
          message: "Confira os dados do cartão.",
          fields: read.problems,
        },
      },
      { status: 422 },
    );
  }
  const token = await tokenizeCard(psp, read.card);
  return Response.json(
    { object: "token", id: token, brand: read.card.brand, last4: read.card.last4 },
    { status: 201 },
  );
}

/** The balance of transactions up to now: a test clock moved back excludes later transfers. */
async function balance(psp: Psp) {
  const at = psp.now();
  const [money] = await psp.db.all<{
    settled: number;
    waiting: number;
    sent: number;
    lost: number;
    transfers: number;
    chargebacks: number;
  }>(sql`SELECT
    (SELECT COALESCE(SUM(amount_cents - refunded_cents - ${chargeCostSql}), 0) FROM charges WHERE status = 'succeeded' AND settles_at <= ${at}) AS settled,
    (SELECT COALESCE(SUM(amount_cents - refunded_cents - ${chargeCostSql}), 0) FROM charges WHERE status = 'succeeded' AND settles_at > ${at}) AS waiting,
    (SELECT COALESCE(SUM(amount_cents), 0) FROM transfers WHERE status IN ('processing', 'paid') AND created_at <= ${at}) AS sent,
    (SELECT COALESCE(SUM(amount_cents), 0) FROM disputes WHERE status IN ('open', 'lost') AND created_at <= ${at}) AS lost,
    (SELECT COUNT(*) FROM transfers WHERE status IN ('paid', 'returned') AND created_at <= ${at}) AS transfers,
    (SELECT COUNT(*) FROM disputes WHERE kind = 'card' AND created_at <= ${at}) AS chargebacks`);
  const {
    settled = 0,
    waiting = 0,
    sent = 0,
    lost = 0,
    transfers = 0,
    chargebacks = 0,
  } = money ?? {};
  return {
    object: "balance",
    available_cents: psp.chaos.no_balance
      ? 0
      : settled -
        sent -
        lost -
        transfers * prices.transferCents -
        chargebacks * prices.cardDisputeCents,
    pending_cents: waiting,
  };
}
