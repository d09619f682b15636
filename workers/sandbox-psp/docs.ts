import { testCards } from "./cards.ts";
import { magicKeys, RETURNS_AFTER_MS, SETTLES_AFTER_MS } from "./transfers.ts";

/** GET /v1/docs: what to send and what to expect. */
export function docs(publicUrl: string) {
  return {
    title: "Coreto sandbox provider",
    base: publicUrl,
    authentication: "Authorization: Bearer <SANDBOX_API_KEY>",
    idempotency: "Every POST that makes something needs Idempotency-Key; the first answer is replayed, other parameters answer 409 idempotency_mismatch.",
    errors: { error: { code: "string", message: "string" } },
    api: [
      "POST /v1/charges {reference, method: pix|card, amount_cents, description, payer_name, expires_at? (pix), card_token? | saved_method? | neither: hosted page, save_card?, return_url?}",
      "GET /v1/charges/:id",
      "GET /v1/charges?reference=",
      "GET /v1/charges?since=&after=",
      "POST /v1/charges/:id/cancel",
      "POST /v1/refunds {reference, charge, amount_cents}",
      "GET /v1/refunds/:id",
      "POST /v1/transfers {reference, amount_cents, pix_key_kind, pix_key}",
      "GET /v1/transfers/:id",
      "GET /v1/transfers?reference=",
      "GET /v1/transfers?since=&after=",
      "GET /v1/disputes/:id",
      "GET /v1/balance",
      "POST /v1/tokens {number, expiry, cvv, holder} (public)",
    ],
    pages: ["/card-field?theme=light|dark", "/pay/:chargeId", "/3ds/:chargeId"],
    webhooks: "Standard Webhooks (webhook-id, webhook-timestamp, webhook-signature): {type, timestamp, data: {object, id}}",
    cards: testCards.map((card) => ({ number: card.number, does: card.behaviour, says: card.says })),
    pix_keys: magicKeys,
    transfers: { settles_after_ms: SETTLES_AFTER_MS, returns_after_ms: RETURNS_AFTER_MS },
  };
}
