import type { Context } from "#app/domain/context.ts";
import { receiveEvent } from "#app/domain/payments/webhook-events/commands/inbox.server.ts";
import { WebhookRefused } from "#app/domain/payments/errors.ts";
import { findProvider } from "#app/domain/payments/providers/rules/providers.ts";
import { textResponse, readLimitedText } from "./body.ts";

/**
 * Handles `POST /webhooks/:provider`, each provider with its own secret. Verifies the signature
 * over the raw body, stores the raw event once, enqueues its message and returns 200. Nothing is
 * decided here. A forged, stale, truncated or too large request is not stored.
 */
export async function receiveWebhook(ctx: Context, request: Request): Promise<Response> {
  const name = /^\/webhooks\/([a-z-]{1,32})$/.exec(new URL(request.url).pathname)?.[1];
  const receiver = name === undefined ? null : findProvider(ctx.payments, name);
  if (!receiver) return textResponse(404, "unknown provider");
  const provider = receiver.name;
  if (request.method !== "POST")
    return new Response("method not allowed\n", { status: 405, headers: { allow: "POST" } });
  const rawBody = await readLimitedText(request);
  if (rawBody === null) {
    ctx.log("webhooks.refused", { provider, reason: "too_large" });
    return textResponse(413, "too large");
  }
  try {
    const event = await receiver.verifyWebhook({
      headers: request.headers,
      rawBody,
      at: ctx.realNow(),
    });
    await ctx.queues.paymentEvents.send(await receiveEvent(ctx, { provider, event, rawBody }));
    return textResponse(200, "ok");
  } catch (error) {
    if (!(error instanceof WebhookRefused)) throw error;
    ctx.log("webhooks.refused", { provider, reason: error.message });
    return textResponse(401, "refused");
  }
}
