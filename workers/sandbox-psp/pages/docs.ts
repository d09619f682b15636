import { testCards } from "#workers/sandbox-psp/cards/cards.ts";
import { noChaos } from "#workers/sandbox-psp/chaos.ts";
import { retryDelaysSeconds } from "#workers/sandbox-psp/events.ts";
import { FILE_LIMIT_BYTES } from "#workers/sandbox-psp/dispute-answers.ts";
import { prices } from "#workers/sandbox-psp/prices.ts";
import { ORDER_WINDOW_DAYS } from "#workers/sandbox-psp/pix/mandate-rules.ts";
import { knownKeys } from "#workers/sandbox-psp/pix/pix-keys.ts";
import {
  SANDBOX_PIX_REFUND_DAYS,
  RESPONSE_DAYS,
} from "#workers/sandbox-psp/refunds-and-disputes.ts";
import { magicKeys, RETURNS_AFTER_MS, SETTLES_AFTER_MS } from "#workers/sandbox-psp/transfers.ts";

type Endpoint = { call: string; body?: string; says: string };
export type Chapter = { title: string; says: string; endpoints: readonly Endpoint[] };

/** The whole API: GET /v1/docs for programs, and /docs for people, in English like the code. */
export const chapters: readonly Chapter[] = [
  {
    title: "Charges",
    says: "awaiting_payment (Pix) | requires_action (card) | processing -> succeeded | failed | expired | canceled. A Pix that expired may still be paid: banks confirm late. Pix settles at once, a card thirty days later.",
    endpoints: [
      {
        call: "POST /v1/charges",
        body: "{reference, method: pix, amount_cents, description, payer_name, expires_at}",
        says: "A dynamic Pix; pix_code is what the payer copies.",
      },
      {
        call: "POST /v1/charges",
        body: "{reference, method: card, amount_cents, description, payer_name, card_token | saved_method | neither, save_card?, payer_there?, return_url}",
        says: "With neither, the payer types the card at next_action_url. A saved card is asked for 3DS only with payer_there.",
      },
      {
        call: "POST /v1/charges",
        body: "{reference, method: pix, amount_cents, description, payer_name, recurring_pix, due_on}",
        says: `A debit from an active authorisation, ordered ${ORDER_WINDOW_DAYS.least} to ${ORDER_WINDOW_DAYS.most} days ahead.`,
      },
      { call: "GET /v1/charges/:id", says: "What is true now." },
      {
        call: "GET /v1/charges?reference=",
        says: "The one made under your reference, or an empty list.",
      },
      {
        call: "GET /v1/charges?since=&after=&limit=",
        says: "Everything made since, oldest first; since and after are created_at and id of the last one seen.",
      },
      {
        call: "POST /v1/charges/:id/confirm",
        body: "{return_url}",
        says: "Takes up a card that waits for its bank's confirmation, with another way back.",
      },
      {
        call: "POST /v1/charges/:id/cancel",
        says: "Ends what waits. A scheduled debit can be taken back until 22:00 of the day before.",
      },
    ],
  },
  {
    title: "Saved cards",
    says: "requires_action -> ready | failed; ready -> removed.",
    endpoints: [
      {
        call: "POST /v1/saved-methods",
        body: "{reference, card_token, return_url}",
        says: "Keeps a card and charges nothing.",
      },
      { call: "GET /v1/saved-methods/:id", says: "What is true now." },
      { call: "POST /v1/saved-methods/:id/remove", says: "Forgets it; twice is fine." },
      {
        call: "POST /v1/tokens",
        body: "{number, expiry, cvv, holder}",
        says: "Public: for the card field, the only call that sees a number. A token pays once, for 30 minutes.",
      },
    ],
  },
  {
    title: "Pix Automático",
    says: "created -> active (the first charge was paid) | rejected | expired; created, active -> canceled, by you or at the payer's bank, at any time. An order is scheduled -> settled | refused | canceled.",
    endpoints: [
      {
        call: "POST /v1/recurring-pix",
        body: "{reference, interval: weekly|monthly|quarterly|semiannual|annual, amount_cents|null, least_cents, starts_on, ends_on|null, description, payer_name, expires_at, first_charge: {reference, amount_cents}}",
        says: "One code that is the first payment and the consent to the next ones. A null amount varies.",
      },
      { call: "GET /v1/recurring-pix/:id", says: "What is true now." },
      {
        call: "GET /v1/recurring-pix?reference=",
        says: "The one made under your reference, or an empty list.",
      },
      { call: "GET /v1/recurring-pix?since=&after=&limit=", says: "Everything made since." },
      { call: "POST /v1/recurring-pix/:id/cancel", says: "Ends it and the orders that wait." },
      {
        call: "GET /v1/instructions?charge=",
        says: "The orders of a charge, the first attempt first.",
      },
      { call: "GET /v1/instructions/:id", says: "What is true now." },
      {
        call: "POST /v1/instructions/:id/retry",
        body: "{due_on}",
        says: "Sends a refused order again: at most three times, within seven days of the first day.",
      },
    ],
  },
  {
    title: "Refunds and disputes",
    says: "A refund gives back a part or the rest. A dispute is a chargeback (card) or a MED (med), needs_response -> under_review -> won | lost, over all that is left of a charge or a part of it (amount_cents), and perhaps another one over the rest. While one is open nothing of its charge is refunded; what was lost never is, and the rest is refunded as before.",
    endpoints: [
      {
        call: "POST /v1/refunds",
        body: "{reference, charge, amount_cents}",
        says: `Never more than what is left. A Pix paid ${SANDBOX_PIX_REFUND_DAYS} days ago or longer is refund_too_late.`,
      },
      { call: "GET /v1/refunds/:id", says: "What is true now." },
      {
        call: "GET /v1/refunds?reference=",
        says: "The one made under your reference, or an empty list.",
      },
      { call: "GET /v1/refunds?since=&after=&limit=", says: "Everything made since." },
      { call: "GET /v1/disputes/:id", says: "What is true now." },
      { call: "GET /v1/disputes?since=&after=&limit=", says: "Everything opened since." },
      {
        call: "POST /v1/files",
        body: "{the bytes, with Content-Type: application/pdf | image/jpeg | image/png, and X-File-Name}",
        says: `A file of at most ${FILE_LIMIT_BYTES / 1_048_576} MiB, to be named in an answer. Its bytes are not kept.`,
      },
      {
        call: "POST /v1/disputes/:id/evidence",
        body: "{text, product, customer_name, customer_email|null, bought_at, access_log, files: [{kind: receipt|conversation|access|policy|other, file}]}",
        says: `The one answer of a dispute, taken for ${RESPONSE_DAYS} days: needs_response -> under_review. Late, it is dispute_too_late.`,
      },
      {
        call: "POST /v1/disputes/:id/accept",
        says: "Gives the money up: lost at once. Of one that is lost already it changes nothing.",
      },
    ],
  },
  {
    title: "What it costs",
    says: `Every object says cost_cents, null while it is not known. A paid Pix ${prices.pixBasisPoints / 100} %; a paid card ${prices.cardBasisPoints / 100} % and ${prices.cardCents} centavos, each rounded half up; a transfer that arrived ${prices.transferCents} centavos; a chargeback ${prices.cardDisputeCents} centavos when it opens, whoever wins; a MED and a refund nothing, and a refund gives no cost back. The balance is what is left.`,
    endpoints: [],
  },
  {
    title: "Transfers and balance",
    says: `processing -> paid | failed; paid -> returned. Answered after ${SETTLES_AFTER_MS} ms, returned after ${RETURNS_AFTER_MS} ms.`,
    endpoints: [
      {
        call: "POST /v1/transfers",
        body: "{reference, amount_cents, pix_key_kind: cpf|cnpj|email|phone|evp, pix_key}",
        says: "To a Pix key.",
      },
      {
        call: "POST /v1/transfers",
        body: "{reference, amount_cents, bank_account: {bank_code, branch, account, account_digit, kind: checking|savings|payment, owner_name, owner_tax_id}}",
        says: "To a bank account. Without balance every transfer is 422 insufficient_balance, and may be asked for again.",
      },
      { call: "GET /v1/transfers/:id", says: "What is true now." },
      {
        call: "GET /v1/transfers?reference=",
        says: "The one made under your reference, or an empty list.",
      },
      { call: "GET /v1/transfers?since=&after=&limit=", says: "Everything made since." },
      {
        call: "POST /v1/pix-keys/lookup",
        body: "{kind: cpf|cnpj|email|phone|evp, key, expected_owner: {name, tax_id}}",
        says: "Whose a key is, a person's number masked: {owner: {name, tax_id}}, or owner null where nobody has it. This bank knows nobody, so every key is of whoever is expected, but for the test keys.",
      },
      { call: "GET /v1/balance", says: "available_cents and pending_cents." },
    ],
  },
];

const AUTHENTICATION = "Authorization: Bearer <SANDBOX_API_KEY>";
const IDEMPOTENCY =
  "Every POST that makes something needs Idempotency-Key; the first answer is replayed, for ever and at the same moment too; other parameters answer 409 idempotency_mismatch.";
const WEBHOOKS =
  "Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature), posted to /webhooks/sandbox: {type, timestamp, data: {object, id}}. Objects: charge, refund, transfer, dispute, recurring_pix, instruction. Any 2xx is an answer.";
const ERRORS =
  "4xx: no, for good. 409 idempotency_in_progress, 429 (Retry-After in seconds), 5xx and 504 timeout: ask again under the same key; what was asked may have happened.";

/** The text besides the calls, for both pages. */
export const rules: readonly { title: string; says: string }[] = [
  { title: "Authentication", says: AUTHENTICATION },
  { title: "Idempotency", says: IDEMPOTENCY },
  { title: "Errors", says: `{error: {code, message}}. ${ERRORS}` },
  {
    title: "Webhooks",
    says: `${WEBHOOKS} Tried again after ${retryDelaysSeconds.join(", ")} seconds, then abandoned.`,
  },
  {
    title: "Pages",
    says: "/card-field?theme=light|dark (a frame that posts a token), /pay/:chargeId, /3ds/:chargeId, /save/:savedMethodId, /sandbox (the console).",
  },
];

/** Answers GET /v1/docs: requests and answers, for programs. */
export function docs(publicUrl: string) {
  return {
    title: "Coreto sandbox provider",
    base: publicUrl,
    authentication: AUTHENTICATION,
    idempotency: IDEMPOTENCY,
    errors: { error: { code: "string", message: "string" }, says: ERRORS },
    api: chapters.flatMap(({ endpoints }) =>
      endpoints.map(({ call, body }) => (body ? `${call} ${body}` : call)),
    ),
    pages: [
      "/docs",
      "/card-field?theme=light|dark",
      "/pay/:chargeId",
      "/3ds/:chargeId",
      "/save/:savedMethodId",
    ],
    webhooks: WEBHOOKS,
    chaos: Object.keys(noChaos),
    cards: testCards.map((card) => ({
      number: card.number,
      does: card.behaviour,
      says: card.says,
    })),
    pix_keys: magicKeys,
    pix_key_owners: knownKeys,
    transfers: { settles_after_ms: SETTLES_AFTER_MS, returns_after_ms: RETURNS_AFTER_MS },
  };
}
