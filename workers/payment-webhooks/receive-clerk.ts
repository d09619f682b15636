import type { Context } from "#app/domain/context.ts";
import { applyProviderTold } from "#app/domain/identity/commands/provider-told.server.ts";
import { clerkTold } from "#app/integrations/clerk/webhook.server.ts";
import { answer, limitedText } from "./body.ts";

/**
 * `POST /webhooks/clerk`: the signature over the raw body, then what it says, applied at once: it is one small batch, safe to repeat
 * and in any order, so that there is nothing to store. Anything but 200 makes Clerk send it again.
 */
export async function receiveClerkWebhook(ctx: Context, secret: string, request: Request): Promise<Response> {
  if (request.method !== "POST") return new Response("method not allowed\n", { status: 405, headers: { allow: "POST" } });
  const rawBody = await limitedText(request);
  if (rawBody === null) return answer(413, "too large");
  const told = clerkTold(secret, request.headers, rawBody);
  if (told === "refused") {
    ctx.log("webhooks.refused", { provider: "clerk", reason: "signature or shape" });
    return answer(401, "refused");
  }
  if (told) {
    const applied = await applyProviderTold(ctx, { provider: "clerk", told });
    ctx.log("identity.provider_told", { provider: "clerk", kind: told.kind, applied });
  }
  return answer(200, "ok");
}
