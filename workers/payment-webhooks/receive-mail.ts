import type { Context } from "#app/domain/context.ts";
import { recordMailEvent } from "#app/domain/notifications/commands/addresses.server.ts";
import { verifyMailWebhook } from "#app/integrations/mail/webhook.server.ts";
import { textResponse, readLimitedText } from "./body.ts";

/**
 * Handles `POST /webhooks/mail`: verifies the signature over the raw body, and records the event at
 * once. It is one small batch, safe to repeat and in any order, so that nothing is stored first.
 * The service sends again after any status other than 200.
 */
export async function receiveMailWebhook(
  ctx: Context,
  secrets: readonly string[],
  request: Request,
): Promise<Response> {
  if (request.method !== "POST")
    return new Response("method not allowed\n", { status: 405, headers: { allow: "POST" } });
  const rawBody = await readLimitedText(request);
  if (rawBody === null) return textResponse(413, "too large");
  const event = verifyMailWebhook(secrets, request.headers, rawBody);
  if (event === "refused") {
    ctx.log("webhooks.refused", { provider: "mail", reason: "signature or shape" });
    return textResponse(401, "refused");
  }
  if (event !== null) await recordMailEvent(ctx, event);
  return textResponse(200, "ok");
}
