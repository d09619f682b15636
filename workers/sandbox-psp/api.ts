import { and, asc, eq, gt, gte, or, sql } from "drizzle-orm";
import { z } from "zod";
import { chargeAnswer, disputeAnswer, refundAnswer, transferAnswer } from "./answers.ts";
import { boundedJson } from "./body.ts";
import { cancelCharge, chargeById, makeCharge, tokenise } from "./charges.ts";
import { readCard } from "./cards.ts";
import { docs } from "./docs.ts";
import { settleDue } from "./due.ts";
import { once } from "./idempotency.ts";
import { spend } from "./psp.ts";
import type { Psp } from "./psp.ts";
import { PspRefusal } from "./refusal.ts";
import { chargeRequest, refundRequest, tokenRequest, transferRequest } from "./requests.ts";
import { disputeById, makeRefund, refundById } from "./returns.ts";
import { charges, transfers } from "./tables.ts";
import { makeTransfer, transferById } from "./transfers.ts";

const LIST_LIMIT = 100;
const BODY_LIMIT_BYTES = 16_384;

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
  return handler(psp, request, id ?? "");
}

type Handler = (psp: Psp, request: Request, id: string) => Promise<Response>;

const routes: Record<string, Handler> = {
  "POST charges": async (psp, request) => {
    const body = await bodyOf(request, chargeRequest);
    return once(psp, request, body, () => makeCharge(psp, body));
  },
  "GET charges/:id": async (psp, _request, id) => Response.json(chargeAnswer(await chargeById(psp, id), psp.env.SANDBOX_PUBLIC_URL)),
  "GET charges": async (psp, request) => listCharges(psp, new URL(request.url).searchParams),
  "POST charges/:id/cancel": async (psp, _request, id) => Response.json(chargeAnswer(await cancelCharge(psp, id), psp.env.SANDBOX_PUBLIC_URL)),
  "POST refunds": async (psp, request) => {
    const body = await bodyOf(request, refundRequest);
    return once(psp, request, body, () => makeRefund(psp, body));
  },
  "GET refunds/:id": async (psp, _request, id) => Response.json(refundAnswer(await refundById(psp, id))),
  "POST transfers": async (psp, request) => {
    const body = await bodyOf(request, transferRequest);
    return once(psp, request, body, () => makeTransfer(psp, body));
  },
  "GET transfers/:id": async (psp, _request, id) => Response.json(transferAnswer(await transferById(psp, id))),
  "GET transfers": async (psp, request) => listTransfers(psp, new URL(request.url).searchParams),
  "GET disputes/:id": async (psp, _request, id) => Response.json(disputeAnswer(await disputeById(psp, id))),
  "GET balance": async (psp) => Response.json(await balance(psp)),
};

/** A 500 that did nothing. */
async function failOnPurpose(psp: Psp): Promise<void> {
  const isUnlucky = psp.chaos.api_error_percent > 0 && Math.random() * 100 < psp.chaos.api_error_percent;
  if (isUnlucky || (await spend(psp, "api_errors"))) throw new PspRefusal(500, "internal_error", "Something went wrong here.");
}

async function bodyOf<Schema extends z.ZodType>(request: Request, schema: Schema): Promise<z.infer<Schema>> {
  return schema.parse(await boundedJson(request, BODY_LIMIT_BYTES));
}

/** Public, for the card field: the only call that sees a card number, which is not kept. */
async function answerToken(psp: Psp, request: Request): Promise<Response> {
  const typed = await bodyOf(request, tokenRequest);
  const read = readCard(typed, psp.realNow());
  if ("problems" in read) {
    return Response.json({ error: { code: "card_invalid", message: "Confira os dados do cartão.", fields: read.problems } }, { status: 422 });
  }
  const token = await tokenise(psp, read.card);
  return Response.json({ object: "token", id: token, brand: read.card.brand, last4: read.card.last4 }, { status: 201 });
}

const listQuery = z.object({
  reference: z.string().max(64).optional(),
  since: z.coerce.number().int().min(0).default(0),
  after: z.string().max(80).default(""),
});

async function listCharges(psp: Psp, params: URLSearchParams): Promise<Response> {
  const { reference, since, after } = listQuery.parse(Object.fromEntries(params));
  const where = reference === undefined ? afterCursor(charges, since, after) : eq(charges.reference, reference);
  const rows = await psp.db.select().from(charges).where(where).orderBy(asc(charges.createdAt), asc(charges.id)).limit(LIST_LIMIT + 1);
  return listed(rows, (row) => chargeAnswer(row, psp.env.SANDBOX_PUBLIC_URL));
}

async function listTransfers(psp: Psp, params: URLSearchParams): Promise<Response> {
  const { reference, since, after } = listQuery.parse(Object.fromEntries(params));
  const where = reference === undefined ? afterCursor(transfers, since, after) : eq(transfers.reference, reference);
  const rows = await psp.db.select().from(transfers).where(where).orderBy(asc(transfers.createdAt), asc(transfers.id)).limit(LIST_LIMIT + 1);
  return listed(rows, transferAnswer);
}

/** Pages go forward by (created_at, id); `since` and `after` are those of the last row seen. */
function afterCursor(table: typeof charges | typeof transfers, since: number, after: string) {
  if (after === "") return gte(table.createdAt, since);
  return or(gt(table.createdAt, since), and(eq(table.createdAt, since), gt(table.id, after)));
}

function listed<Row>(rows: Row[], answer: (row: Row) => unknown): Response {
  return Response.json({ object: "list", data: rows.slice(0, LIST_LIMIT).map(answer), has_more: rows.length > LIST_LIMIT });
}

async function balance(psp: Psp) {
  const at = psp.now();
  const [money] = await psp.db.all<{ settled: number; waiting: number; sent: number; lost: number }>(sql`SELECT
    (SELECT COALESCE(SUM(amount_cents - refunded_cents), 0) FROM charges WHERE status = 'succeeded' AND settles_at <= ${at}) AS settled,
    (SELECT COALESCE(SUM(amount_cents - refunded_cents), 0) FROM charges WHERE status = 'succeeded' AND settles_at > ${at}) AS waiting,
    (SELECT COALESCE(SUM(amount_cents), 0) FROM transfers WHERE status IN ('processing', 'paid')) AS sent,
    (SELECT COALESCE(SUM(amount_cents), 0) FROM disputes WHERE status IN ('open', 'lost')) AS lost`);
  const { settled = 0, waiting = 0, sent = 0, lost = 0 } = money ?? {};
  return { object: "balance", available_cents: settled - sent - lost, pending_cents: waiting };
}
